// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Figures of result.json as data: one table serves its writer, `explain`, docs/output.md and the checks of
/// paths.
#include <string>
#include <utility>
#include <vector>

namespace starloom {

/// A section has figures below it; an object, or a list of them, is written as it comes.
enum class MetricType { integer, number, boolean, text, integer_list, section, object, object_list };

/// One figure: where it stands, and what it says.
struct MetricSpec {
  std::string path;  ///< in result.json: `queue.max`; an entry leaves out `bounds.` and `algorithm.`
  MetricType type = MetricType::integer;
  std::string unit;       ///< e.g. "steps", "packets"; empty for pure numbers, names and sections
  std::string meaning;    ///< one sentence
  std::string only_if{};  ///< when it is there; empty: always
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
