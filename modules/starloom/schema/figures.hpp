// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Figures of result.json as data: one table serves its writer, `explain`, docs/output.md and the checks of paths.
#include <string>
#include <utility>
#include <vector>

namespace starloom {

/// A section has figures below it; an object, or a list of them, is written as it comes.
enum class FigureType { integer, number, boolean, text, integer_list, section, object, object_list };

/// One figure: where it stands, and what it says.
struct FigureSpec {
  std::string path;  ///< in result.json: `queue.max`; an entry leaves out `bounds.` and `algorithm.`
  FigureType type = FigureType::integer;
  std::string unit;       ///< e.g. "steps", "packets"; empty for pure numbers, names and sections
  std::string meaning;    ///< one sentence
  std::string only_if{};  ///< when it is there; empty: always
  std::string null_if{};  ///< when it has no value; empty: never

  FigureSpec only(std::string when) && {
    only_if = std::move(when);
    return std::move(*this);
  }
  FigureSpec null(std::string when) && {
    null_if = std::move(when);
    return std::move(*this);
  }
};

inline FigureSpec integer_figure(std::string path, std::string unit, std::string meaning) {
  return {std::move(path), FigureType::integer, std::move(unit), std::move(meaning)};
}
inline FigureSpec number_figure(std::string path, std::string unit, std::string meaning) {
  return {std::move(path), FigureType::number, std::move(unit), std::move(meaning)};
}
inline FigureSpec figure_section(std::string path, std::string meaning) {
  return {std::move(path), FigureType::section, "", std::move(meaning)};
}

}  // namespace starloom
