// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/permutation_file.hpp>

#include <string_view>

#include <starloom/schema/data_file.hpp>
#include <starloom/schema/parse_number.hpp>

namespace starloom {
namespace {

struct Entry {
  std::string_view text;
  std::size_t line;
  std::size_t column;
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

struct Entries {
  std::vector<Entry> list;
  std::size_t last_line = 1;  ///< of the file, and the column after its last character
  std::size_t last_column = 1;
};

Entries split(std::string_view text) {
  Entries entries;
  std::size_t line = 1;
  std::size_t line_start = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {
      ++line;
      line_start = ++at;
    } else if (is_space(text[at])) {
      ++at;
    } else if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else {
      std::size_t end = at;
      while (end < text.size() && !is_space(text[end]) && text[end] != '#') ++end;
      entries.list.push_back({text.substr(at, end - at), line, at - line_start + 1});
      at = end;
    }
  }
  entries.last_line = line;
  entries.last_column = text.size() - line_start + 1;
  return entries;
}

}  // namespace

Destinations read_permutation_file(const TrafficContext& context, const std::string& name) {
  DataFile file(context.folder, name);
  const NodeId nodes = context.processors.count;
  const auto n = static_cast<std::size_t>(nodes);
  const Entries entries = split(file.text());
  const std::string has = "the network has " + std::to_string(n) + " nodes, the file " +
                          std::to_string(entries.list.size()) + (entries.list.size() == 1 ? " entry" : " entries");
  if (entries.list.size() < n) file.add_error(entries.last_line, entries.last_column, has);
  if (entries.list.size() > n)
    file.add_error(entries.list[n].line, entries.list[n].column,
                   "trailing text '" + std::string(entries.list[n].text) + "': " + has);

  Destinations destinations(n, no_node);
  std::vector<NodeId> sender(n, no_node);
  for (std::size_t i = 0; i < std::min(n, entries.list.size()); ++i) {
    const Entry& entry = entries.list[i];
    if (entry.text == "-") continue;
    if (const auto error = node_error(entry.text, nodes)) {
      file.add_error(entry.line, entry.column, "destination of node " + std::to_string(i) + ": " + *error);
      continue;
    }
    const auto to = static_cast<NodeId>(*parse_integer(entry.text));
    if (sender[to] != no_node) {
      const Entry& earlier = entries.list[sender[to]];
      file.add_error(entry.line, entry.column,
                     "destination " + std::to_string(to) + " of node " + std::to_string(i) +
                         " is already that of node " + std::to_string(sender[to]) + " (" +
                         file.location(earlier.line, earlier.column) + ")");
      continue;
    }
    sender[to] = static_cast<NodeId>(i);
    destinations[i] = to;
  }
  file.stop_if_invalid();
  return destinations;
}

}  // namespace starloom
