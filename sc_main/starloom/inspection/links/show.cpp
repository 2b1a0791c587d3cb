// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/show.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

#include <starloom/support/names.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom::links {
namespace {

/// The packets in a node that are not in its source.
std::size_t inside(const NodeContent& content) { return content.in_buffers.size() + content.stored.size(); }

bool is_empty(const NodeContent& content) {
  return content.in_buffers.empty() && content.passing.empty() && content.in_source.empty() && content.stored.empty();
}

/// `packet 3`, `packets 0, 3`
std::string packets_text(const std::vector<PacketId>& packets) {
  return fmt::format("packet{} {}", packets.size() == 1 ? "" : "s", fmt::join(packets, ", "));
}

/// The packets in a node: `packets 0, 3 in buffers; packet 3 partly waiting in the source; packet 5 waiting in the
/// source`.
std::string content_text(const NodeContent& content) {
  std::vector<PacketId> whole;
  std::set_difference(content.in_source.begin(), content.in_source.end(), content.partly.begin(), content.partly.end(),
                      std::back_inserter(whole));
  std::vector<std::string> parts;
  const auto add = [&parts](const std::vector<PacketId>& packets, const char* where) {
    if (!packets.empty()) parts.push_back(packets_text(packets) + where);
  };
  add(content.in_buffers, " in buffers");
  add(content.passing, " passing");
  add(content.stored, " stored");
  add(content.partly, " partly waiting in the source");
  add(whole, " waiting in the source");
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// The packets that a list contains in any node, each once.
std::set<PacketId> packets_in(const Snapshot& snapshot, std::vector<PacketId> NodeContent::*list) {
  std::set<PacketId> packets;
  for (const NodeContent& content : snapshot.nodes) packets.insert((content.*list).begin(), (content.*list).end());
  return packets;
}

/// `step 6 of mesh 8 x 8: 3 flits on links; 12 packets in buffers, 6 waiting in sources`; followed, if there are any,
/// by packets that have been stored, and those whose flits are all between buffers.
std::string head_text(const Snapshot& snapshot) {
  const std::string after =
      snapshot.last_row == no_step ? "" : fmt::format(", after the end of the trace in step {}", snapshot.last_row);
  const std::set<PacketId> in_buffers = packets_in(snapshot, &NodeContent::in_buffers),
                           in_sources = packets_in(snapshot, &NodeContent::in_source),
                           stored = packets_in(snapshot, &NodeContent::stored);
  std::set<PacketId> passing = packets_in(snapshot, &NodeContent::passing);
  for (const std::set<PacketId>* const elsewhere : {&in_buffers, &in_sources})
    for (const PacketId packet : *elsewhere) passing.erase(packet);
  for (const FlitOnLink& object : snapshot.links) passing.erase(object.packet);
  std::string text =
      fmt::format("step {} of {}{}: {} on links; {} in buffers, {} waiting in sources", snapshot.step,
                  snapshot.network.title, after, counted(static_cast<std::int64_t>(snapshot.links.size()), "flit"),
                  counted(static_cast<std::int64_t>(in_buffers.size()), "packet"), in_sources.size());
  if (!passing.empty()) text += fmt::format(", {} passing", passing.size());
  if (!stored.empty()) text += fmt::format(", {} stored", stored.size());
  return text + "\n";
}

/// `dead: link_r00_c00_east and node_r01_c01`
std::string dead_text(const std::vector<std::string>& names) {
  constexpr std::size_t most_named = 8;
  return names.empty() ? "" : "dead: " + joined_with_and(names, most_named) + "\n";
}

/// Draws a grid of one dimension, or of two row by row.
class GridDrawing {
 public:
  GridDrawing(const Snapshot& snapshot, const Grid& grid)
      : snapshot_(snapshot),
        topology_(grid),
        across_(topology_.route_axes()[0]),
        down_(grid.dimensions() == 2 ? topology_.route_axes()[1] : no_axis) {
    for (const NodeContent& content : snapshot.nodes) {
      width_ = std::max(width_, std::to_string(inside(content)).size());
      const std::size_t waiting = content.in_source.size();
      if (waiting > 0) source_width_ = std::max(source_width_, std::to_string(waiting).size() + 1);
    }
    for (const FlitOnLink& link : snapshot.links)
      busy_.push_back(static_cast<std::int64_t>(link.node) * topology_.ports() + link.port);
    std::sort(busy_.begin(), busy_.end());
    for (const CyclePacket& one : snapshot.cycle) {
      in_cycle_.insert(one.node);
      if (one.port != no_port) waited_for_.insert(index(one.node, one.port));
    }
  }

  std::string draw() const {
    const std::string above = links_down(-1);
    std::string text = above.empty() ? "" : above + "\n";
    for (std::int32_t row = 0; row < rows(); ++row) {
      text += fmt::format(" {}", mark(at(row, 0), across_, -1, '<', around()));
      for (std::int32_t column = 0; column < columns(); ++column) {
        const NodeId node = at(row, column);
        const NodeContent& content = snapshot_.nodes[static_cast<std::size_t>(node)];
        const std::size_t waiting = content.in_source.size();
        text += fmt::format(in_cycle_.count(node) != 0 ? "({:>{}}{:<{}})" : "[{:>{}}{:<{}}]",
                            inside(content) == 0 ? "." : std::to_string(inside(content)), width_,
                            waiting == 0 ? "" : fmt::format("+{}", waiting), source_width_);
        if (column + 1 < columns()) text += arrows(node, at(row, column + 1), across_, '>', '<');
      }
      const char last = mark(at(row, columns() - 1), across_, 1, '>', around());
      if (last != ' ') text += last;
      text += "\n";
      const std::string below = links_down(row);
      if (row + 1 < rows() || !below.empty()) text += below + "\n";
    }
    if (source_width_ > 0)
      text += fmt::format("\n  [n+w]: n packets {}, w waiting in the source\n",
                          !packets_in(snapshot_, &NodeContent::stored).empty() ? "in buffers or stored" : "in buffers");
    if (!in_cycle_.empty()) text += "\n  ( ): node with a packet of the cycle; *: link that one of them waits for\n";
    return text;
  }

 private:
  static constexpr int no_axis = -1;

  std::int32_t columns() const { return topology_.side(across_); }
  std::int32_t rows() const { return down_ == no_axis ? 1 : topology_.side(down_); }
  bool around() const { return topology_.kind() == GridKind::torus; }
  NodeId at(std::int32_t row, std::int32_t column) const {
    std::vector<std::int32_t> coordinates(static_cast<std::size_t>(topology_.dimensions()));
    if (down_ != no_axis) coordinates[static_cast<std::size_t>(down_)] = row;
    coordinates[static_cast<std::size_t>(across_)] = column;
    return topology_.node_at(coordinates);
  }
  std::int64_t index(NodeId node, Port port) const {
    return static_cast<std::int64_t>(node) * topology_.ports() + port;
  }
  /// The character for the link that leaves a node along an axis; a blank unless it is `drawn` there.
  char mark(NodeId node, int axis, int sign, char busy, bool drawn) const {
    if (!drawn) return ' ';
    const std::int64_t link = index(node, topology_.port_along(axis, sign));
    if (waited_for_.count(link) != 0) return '*';
    return std::binary_search(busy_.begin(), busy_.end(), link) ? busy : ' ';
  }
  /// Two characters: the links from a node to the next one along an axis, and back.
  std::string arrows(NodeId node, NodeId next, int axis, char there, char back) const {
    return {mark(next, axis, -1, back, true), mark(node, axis, 1, there, true)};
  }
  /// The line below a row; -1: above the first one. Links around a torus leave there.
  std::string links_down(std::int32_t row) const {
    if (down_ == no_axis) return "";
    const bool first = row < 0, last = row + 1 == rows();
    std::string line = "  ";
    for (std::int32_t column = 0; column < columns(); ++column) {
      std::string links;
      if (first) links = mark(at(0, column), down_, -1, '^', around());
      else if (last) links = {' ', mark(at(row, column), down_, 1, 'v', around())};
      else links = arrows(at(row, column), at(row + 1, column), down_, 'v', '^');
      line += fmt::format(" {:<{}} ", links, width_ + source_width_ + 2);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  }

  const Snapshot& snapshot_;
  const Grid& topology_;
  int across_;
  int down_;
  std::size_t width_ = 1;
  std::size_t source_width_ = 0;       ///< of `+w`; 0: no packet waits in its source
  std::vector<std::int64_t> busy_;     ///< node * ports + port, sorted
  std::set<std::int64_t> waited_for_;  ///< node * ports + port, sorted, in a cycle
  std::set<NodeId> in_cycle_;
};

/// A cycle as a list that returns to its beginning.
std::string cycle_text(const Snapshot& snapshot) {
  const NetworkGraph& graph = snapshot.network.graph;
  std::string text = "a cycle of waiting packets; each waits for what the next one holds:\n";
  for (std::size_t i = 0; i < snapshot.cycle.size(); ++i) {
    const CyclePacket& one = snapshot.cycle[i];
    const bool first = i == 0, last = i + 1 == snapshot.cycle.size();
    text += first && last ? "  " : first ? "  .-> " : last ? "  '-- " : "  |   ";
    text += fmt::format("packet {} at {}", one.packet, graph.node_name(one.node));
    if (one.port != no_port) text += " waits for " + graph.link_name(one.node, one.port);
    if (one.at_processor) text += " waits for its processor";
    if (one.port != no_port && one.channel >= 0) text += fmt::format(", channel {}", one.channel);
    text += "\n";
  }
  return text;
}

std::string object_text(const FlitOnLink& object) {
  if (object.event == TraceEvent::hop) return fmt::format("packet {} flit {}", object.packet, object.flit);
  return fmt::format("a {}", trace_event_names[static_cast<std::size_t>(object.event)]);
}

/// A heading and a line for each entry; for a large network the first hundred.
std::string list_text(const std::string& heading, const std::vector<std::string>& entries) {
  constexpr std::size_t most_lines = 100;
  if (entries.empty()) return "";
  std::string text = "\n" + heading + ":\n";
  for (std::size_t i = 0; i < std::min(entries.size(), most_lines); ++i) text += "  " + entries[i] + "\n";
  if (entries.size() > most_lines) text += fmt::format("  ... and {} more\n", entries.size() - most_lines);
  return text;
}

}  // namespace

std::string picture_text(const Snapshot& snapshot) {
  const NetworkGraph& graph = snapshot.network.graph;
  std::string text = head_text(snapshot) + dead_text(snapshot.dead);
  if (snapshot.draining_since != no_step)
    text += fmt::format("stopped: processors begin no packet from step {} on, until the network is empty\n",
                        snapshot.draining_since);
  const Grid* grid = snapshot.network.as<Grid>();
  if (grid != nullptr && grid->dimensions() <= 2) text += "\n" + GridDrawing(snapshot, *grid).draw();
  if (!snapshot.cycle.empty()) text += "\n" + cycle_text(snapshot);
  std::vector<std::string> moving, inside;
  for (const FlitOnLink& object : snapshot.links)
    moving.push_back(fmt::format("{}: {} to {}", graph.link_name(object.node, object.port), object_text(object),
                                 graph.node_name(object.to)));
  for (NodeId node = 0; node < graph.nodes(); ++node)
    if (const NodeContent& content = snapshot.nodes[static_cast<std::size_t>(node)]; !is_empty(content))
      inside.push_back(fmt::format("{}: {}", graph.node_name(node), content_text(content)));
  text += list_text("on links", moving) + list_text("in nodes", inside);
  return text;
}

}  // namespace starloom::links
