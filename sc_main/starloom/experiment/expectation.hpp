// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The expectations of an experiment for its result (`expect:`), and their comparison with it.
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include <starloom/config/document.hpp>

namespace starloom {

/// One expectation: all conditions given must hold; bounds are inclusive.
struct Expectation {
  SourceLocation location;
  std::string path;  ///< of result.json, steps separated by dots; a number selects from a list
  std::optional<nlohmann::ordered_json> equals;
  std::optional<double> min;
  std::optional<double> max;
};

/// Reads the section `expect`. `result_keys`: the top-level keys of result.json.
std::vector<Expectation> read_expectations(const DocumentValue& section, const std::vector<std::string>& result_keys,
                                           Diagnostics& diagnostics);

/// The value at a path, or null (also if there is none).
nlohmann::ordered_json value_at(const nlohmann::ordered_json& result, const std::string& path);

/// A sentence about a missed expectation, without its location, or empty if the result is as expected. A value that
/// is absent or null is always missed.
std::optional<std::string> missed(const Expectation& expectation, const nlohmann::ordered_json& result);

}  // namespace starloom
