#include <starloom/pictures/svg.hpp>

#include <fmt/format.h>

#include <starloom/results/xml.hpp>

namespace starloom {
namespace {

// The scale goes from cold to hot in middling brightness, so that it can be told from white and from black paper.
constexpr const char* common_style =
    ".paper{fill:#fff}.text{fill:#1d232b}.dim{fill:#6b7480}"
    "text{font:12px "
    "sans-serif;stroke:none}.big{font-size:15px;font-weight:bold}.end{text-anchor:end}.mid{text-anchor:middle}"
    ".h0{color:#a4abb3}.h1{color:#6f93c9}.h2{color:#3f9fb5}.h3{color:#3fa57a}.h4{color:#8aa832}"
    ".h5{color:#d3a21f}.h6{color:#e8762c}.h7{color:#d9342b}"
    "@media(prefers-color-scheme:dark){.paper{fill:#14181d}.text{fill:#e3e7ec}.dim{fill:#949da8}"
    ".h0{color:#4d555f}}";

}  // namespace

int heat_level(std::int64_t value, std::int64_t most) {
  return value <= 0 ? 0 : static_cast<int>((value * heat_levels + most - 1) / most);
}

std::string heat_range(int level, std::int64_t most) {
  if (level == 0) return "0";
  // Level k holds the values in (most * (k-1) / levels, most * k / levels].
  const std::int64_t from = most * (level - 1) / heat_levels + 1;
  const std::int64_t to = most * level / heat_levels;
  if (from > to) return "";
  return from == to ? fmt::format("{}", to) : fmt::format("{} to {}", from, to);
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

int Svg::legend(int x, int y, std::int64_t most) {
  const int start = x;
  for (int level = 0; level <= heat_levels; ++level) {
    const std::string range = heat_range(level, most);
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
