// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The metrics of a result that a campaign keeps (`keep:`).
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

  /// The content of a store row: the values as a compact JSON list, in alphabetical order of their paths; empty if
  /// the whole result is kept instead.
  std::string pick(const nlohmann::ordered_json& result) const;
  /// For the key of a point: independent of the order of the file.
  nlohmann::ordered_json canonical() const;
};

/// Reads `keep`.
Metrics read_metrics(const DocumentValue& keep, Diagnostics& diagnostics);

/// Adds an error for every path of `keep` that no result has, or that is not a number.
void check_paths(const DocumentValue& keep, const KnownMetrics& known, Diagnostics& diagnostics);

/// All paths of numbers in a whole result, without those of the experiment.
std::vector<std::string> numeric_paths(const nlohmann::ordered_json& result);

}  // namespace starloom
