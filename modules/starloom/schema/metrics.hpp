// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Metrics of result.json as data: one table for its writer, `explain`, docs/output.md and the checks of paths.
#include <string>
#include <utility>
#include <vector>

namespace starloom {

/// A section has metrics below it; an object, or a list of them, is written unchanged.
enum class MetricType { integer, number, boolean, text, integer_list, section, object, object_list };

/// One metric: its path and its meaning.
struct MetricSpec {
  std::string path;  ///< in result.json: `queue.max`; an entry omits `bounds.` and `algorithm.`
  MetricType type = MetricType::integer;
  std::string unit;       ///< e.g. "steps", "packets"; empty for pure numbers, names and sections
  std::string meaning;    ///< one sentence
  std::string only_if{};  ///< when it is present; empty: always
  std::string null_if{};  ///< when it has no value; empty: never

  MetricSpec only(std::string when) && {
    only_if = std::move(when);
    return std::move(*this);
  }
  MetricSpec null(std::string when) && {
    null_if = std::move(when);
    return std::move(*this);
  }
};

inline MetricSpec integer_metric(std::string path, std::string unit, std::string meaning) {
  return {std::move(path), MetricType::integer, std::move(unit), std::move(meaning)};
}
inline MetricSpec number_metric(std::string path, std::string unit, std::string meaning) {
  return {std::move(path), MetricType::number, std::move(unit), std::move(meaning)};
}
inline MetricSpec metric_section(std::string path, std::string meaning) {
  return {std::move(path), MetricType::section, "", std::move(meaning)};
}

}  // namespace starloom
