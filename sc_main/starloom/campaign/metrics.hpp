// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Which figures of a result a campaign keeps (`keep:`).
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include <starloom/config/document.hpp>
#include <starloom/experiment/metric_table.hpp>

namespace starloom {

/// Paths into result.json, in the order of the file; or all of it.
struct Metrics {
  bool all = false;
  std::vector<std::string> paths;

  /// What a store row holds: the values as a compact JSON list, in alphabetical order of their paths; nothing if the
  /// whole result is kept instead.
  std::string pick(const nlohmann::ordered_json& result) const;
  /// For the key of a point: the order of the file does not matter.
  nlohmann::ordered_json canonical() const;
};

/// Reads `keep`.
Metrics read_metrics(const DocumentValue& keep, Diagnostics& diagnostics);

/// Notes a fault for every path of `keep` that no result has, or that is no number there.
void check_paths(const DocumentValue& keep, const KnownMetrics& known, Diagnostics& diagnostics);

/// All paths of numbers in a whole result, without those of the experiment.
std::vector<std::string> numeric_paths(const nlohmann::ordered_json& result);

}  // namespace starloom
