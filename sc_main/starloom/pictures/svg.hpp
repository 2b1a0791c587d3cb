// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A picture as an SVG text. Pictures have their own background, light or dark depending on the reader's
/// settings.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace starloom {

/// Levels of a heat scale: 0 is a value of 0, `heat_levels` the greatest.
inline constexpr int heat_levels = 7;
/// The level of a value between 0 and `most`.
int heat_level(std::int64_t value, std::int64_t most);
/// The values of a level, for legends: `0`, `5 to 8`; empty if no integer has it.
std::string heat_range(int level, std::int64_t most);
/// Those of all levels.
std::vector<std::string> heat_ranges(std::int64_t most);
/// The level of a share from 0 to 1. The levels are the same in every picture, narrower in the range of most
/// networks; above 1 is also the last.
int share_level(double share);
/// Those of all levels, for legends: `0`, `to 2 %`, ..
std::vector<std::string> share_ranges();

/// 1, 2, 5, 10, 20, 50, ...: the first that is not below `least`; for axes.
std::int64_t round_number(std::int64_t least);

/// Collects elements and adds the frame around them. All lengths are whole pixels, so that the same picture is the
/// same text.
class Svg {
 public:
  /// \param style further rules of CSS, after those of the classes that all pictures have: `text`, `dim` (less
  /// important text), `h0` .. `h7` (the colours of the heat scale, as `color`).
  explicit Svg(std::string title, std::string style = "") : title_(std::move(title)), style_(std::move(style)) {}

  /// Appends one or more elements unchanged.
  void add(const std::string& element) { body_ += element; }
  /// A line of text; `style_class` as above.
  void text(int x, int y, const std::string& text, const std::string& style_class = "text");
  /// The name of a shape (a path that begins at 0,0), for `use`. Equal shapes have one name.
  std::string shape(const std::string& path);
  /// Draws a shape at a position; `title` appears when the mouse is over it. Without `style_class`: that of the
  /// group.
  void use(const std::string& shape, int x, int y, const std::string& title, const std::string& style_class = "");
  /// Boxes of the levels with the texts that are not empty, from the left; returns their width. \param ranges [level]
  int legend(int x, int y, const std::vector<std::string>& ranges);

  std::string str(int width, int height) const;

 private:
  std::string title_;
  std::string style_;
  std::map<std::string, std::string> names_;  ///< of the shapes, by path
  std::string shapes_;
  std::string body_;
};

}  // namespace starloom
