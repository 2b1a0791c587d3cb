// SPDX-License-Identifier: Apache-2.0
#include <starloom/pictures/links/captions.hpp>

#include <algorithm>

namespace starloom::links {
namespace {

constexpr std::size_t most_letters = 16;  ///< of a line
constexpr std::size_t most_lines = 3;
constexpr int line_height = 9;
constexpr int least_room = 40;  ///< for three lines and the other content of a node

/// The words of a name are lines.
std::vector<std::string> lines_of(const std::string& name) {
  std::vector<std::string> lines(1);
  for (const char letter : name)
    if (letter == '_' || letter == '-' || letter == ' ') lines.emplace_back();
    else if (lines.back().size() < most_letters) lines.back() += letter;
  lines.erase(std::remove(lines.begin(), lines.end(), ""), lines.end());
  lines.resize(std::min(lines.size(), most_lines));
  return lines;
}

std::string behind_name(const std::vector<std::string>& texts, std::size_t at, const char* between) {
  return at < texts.size() && !texts[at].empty() ? between + texts[at] : "";
}

}  // namespace

std::string Captions::behind(NodeId node_id) const {
  return behind_name(node, static_cast<std::size_t>(node_id), ", ");
}

std::string Captions::behind_link(std::size_t index) const { return behind_name(link, index, ": "); }

int Captions::room() const {
  int room = 0;
  for (const std::string& name : node)
    for (const std::string& line : lines_of(name))
      room = std::max({room, least_room, static_cast<int>(line.size()) * 11 / 4 + 4});
  return room;
}

void Captions::write(Svg& svg, NodeId node_id, PaperPoint top) const {
  if (node.empty()) return;
  for (const std::string& line : lines_of(node[static_cast<std::size_t>(node_id)])) {
    svg.text(top.x, top.y, line, "text mid small");
    top.y += line_height;
  }
}

}  // namespace starloom::links
