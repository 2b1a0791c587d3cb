// SPDX-License-Identifier: Apache-2.0
#include <starloom/pictures/svg.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include <starloom/results/xml.hpp>

namespace starloom {
namespace {

// The scale is viridis (S. van der Walt and N. Smith, 2015) in seven equal steps of lightness, away from the
// background: a greater value looks greater, also for colour-blind readers and on grey prints.
constexpr const char* common_style =
    ".paper{fill:#fff}.text{fill:#1d232b}.dim{fill:#6b7480}"
    "text{font:12px "
    "sans-serif;stroke:none}.big{font-size:15px;font-weight:bold}.end{text-anchor:end}.mid{text-anchor:middle}"
    ".h0{color:#c3c9d0}.h1{color:#9ad941}.h2{color:#4bbf6c}.h3{color:#289e85}.h4{color:#297c8d}"
    ".h5{color:#37588a}.h6{color:#44327c}.h7{color:#440759}"
    "@media(prefers-color-scheme:dark){.paper{fill:#14181d}.text{fill:#e3e7ec}.dim{fill:#949da8}"
    ".h0{color:#4d555f}.h1{color:#3c4d87}.h2{color:#2f6c8e}.h3{color:#238b8c}.h4{color:#2ea980}"
    ".h5{color:#5ac463}.h6{color:#a1da3f}.h7{color:#f6e627}}";

/// The greatest share of each level except 0, in per cent.
constexpr std::array<int, heat_levels> share_ends = {2, 5, 10, 25, 50, 75, 100};

}  // namespace

int heat_level(std::int64_t value, std::int64_t most) {
  return value <= 0 ? 0 : static_cast<int>((value * heat_levels + most - 1) / most);
}

std::string heat_range(int level, std::int64_t most) {
  if (level == 0) return "0";
  // Level k contains the values in (most * (k-1) / levels, most * k / levels].
  const std::int64_t from = most * (level - 1) / heat_levels + 1;
  const std::int64_t to = most * level / heat_levels;
  if (from > to) return "";
  return from == to ? fmt::format("{}", to) : fmt::format("{} to {}", from, to);
}

std::vector<std::string> heat_ranges(std::int64_t most) {
  std::vector<std::string> ranges;
  for (int level = 0; level <= heat_levels; ++level) ranges.push_back(heat_range(level, most));
  return ranges;
}

int share_level(double share) {
  if (share <= 0) return 0;
  const auto end =
      std::find_if(share_ends.begin(), share_ends.end() - 1, [&](int per_cent) { return share * 100 <= per_cent; });
  return static_cast<int>(end - share_ends.begin()) + 1;
}

std::vector<std::string> share_ranges() {
  std::vector<std::string> ranges = {"0"};
  for (const int end : share_ends) ranges.push_back(fmt::format("to {} %", end));
  return ranges;
}

std::int64_t round_number(std::int64_t least) {
  for (std::int64_t power = 1;; power *= 10)
    for (const std::int64_t digit : {1, 2, 5})
      if (digit * power >= least) return digit * power;
}

void Svg::text(int x, int y, const std::string& text, const std::string& style_class) {
  body_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", style_class, x, y, escaped(text));
}

std::string Svg::shape(const std::string& path) {
  const auto [known, fresh] = names_.emplace(path, fmt::format("s{}", names_.size()));
  if (fresh) shapes_ += fmt::format("<path id=\"{}\" d=\"{}\"/>\n", known->second, path);
  return known->second;
}

void Svg::use(const std::string& shape, int x, int y, const std::string& title, const std::string& style_class) {
  const std::string its_class = style_class.empty() ? "" : fmt::format(" class=\"{}\"", style_class);
  body_ += fmt::format("<use href=\"#{}\"{} x=\"{}\" y=\"{}\"><title>{}</title></use>\n", shape, its_class, x, y,
                       escaped(title));
}

int Svg::legend(int x, int y, const std::vector<std::string>& ranges) {
  const int start = x;
  for (int level = 0; level <= heat_levels; ++level) {
    const std::string& range = ranges[static_cast<std::size_t>(level)];
    if (range.empty()) continue;
    body_ += fmt::format("<rect class=\"h{}\" fill=\"currentColor\" x=\"{}\" y=\"{}\" width=\"14\" height=\"10\"/>\n",
                         level, x, y - 9);
    text(x + 18, y, range);
    x += 30 + 7 * static_cast<int>(range.size());
  }
  return x - start;
}

std::string Svg::str(int width, int height) const {
  const std::string defs = shapes_.empty() ? "" : "<defs>\n" + shapes_ + "</defs>\n";
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
      "<title>{2}</title>\n<style>{3}{4}</style>\n<rect class=\"paper\" width=\"{0}\" height=\"{1}\"/>\n{5}{6}</svg>\n",
      width, height, escaped(title_), common_style, style_, defs, body_);
}

}  // namespace starloom
