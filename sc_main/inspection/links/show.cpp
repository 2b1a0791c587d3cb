#include <starloom/inspection/links/show.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace starloom::links {
namespace {

std::size_t packets_in(const NodeContent& content) { return content.waiting.size() + content.in_memory.size(); }

/// Draws a grid of two dimensions, row by row.
class GridDrawing {
 public:
  GridDrawing(const Snapshot& snapshot, const Grid& grid)
      : snapshot_(snapshot), topology_(grid), across_(topology_.route_axes()[0]), down_(topology_.route_axes()[1]) {
    for (const NodeContent& content : snapshot.nodes)
      width_ = std::max(width_, std::to_string(packets_in(content)).size());
    for (const FlitOnLink& link : snapshot.links)
      busy_.push_back(static_cast<std::int64_t>(link.node) * topology_.ports() + link.port);
    std::sort(busy_.begin(), busy_.end());
  }

  std::string draw() const {
    std::string text;
    for (std::int32_t row = 0; row < topology_.side(down_); ++row) {
      std::string nodes, below;
      for (std::int32_t column = 0; column < topology_.side(across_); ++column) {
        const NodeId node = at(row, column);
        const bool last_column = column + 1 == topology_.side(across_);
        const bool last_row = row + 1 == topology_.side(down_);
        const std::size_t packets = packets_in(snapshot_.nodes[static_cast<std::size_t>(node)]);
        nodes += fmt::format("[{:>{}}]", packets == 0 ? "." : std::to_string(packets), width_);
        if (!last_column) nodes += arrows(node, at(row, column + 1), across_, '>', '<');
        const std::string links = last_row ? "  " : arrows(node, at(row + 1, column), down_, 'v', '^');
        below += fmt::format(" {:<{}} ", links, width_ + 2);
      }
      text += "  " + nodes + "\n";
      below.erase(below.find_last_not_of(' ') + 1);
      if (row + 1 < topology_.side(down_)) text += below.empty() ? "\n" : "  " + below + "\n";
    }
    return text;
  }

 private:
  NodeId at(std::int32_t row, std::int32_t column) const {
    std::vector<std::int32_t> coordinates(2);
    coordinates[static_cast<std::size_t>(down_)] = row;
    coordinates[static_cast<std::size_t>(across_)] = column;
    return topology_.node_at(coordinates);
  }
  bool busy(NodeId node, Port port) const {
    return std::binary_search(busy_.begin(), busy_.end(), static_cast<std::int64_t>(node) * topology_.ports() + port);
  }
  /// Two characters: what moves from a node to the next one along an axis, and what comes back.
  std::string arrows(NodeId node, NodeId next, int axis, char there, char back) const {
    return {busy(next, topology_.port_along(axis, -1)) ? back : ' ',
            busy(node, topology_.port_along(axis, 1)) ? there : ' '};
  }

  const Snapshot& snapshot_;
  const Grid& topology_;
  int across_;
  int down_;
  std::size_t width_ = 1;
  std::vector<std::int64_t> busy_;  ///< node * ports + port, sorted
};

std::string object_text(const FlitOnLink& object) {
  if (object.event == TraceEvent::hop) return fmt::format("packet {} flit {}", object.packet, object.flit);
  return fmt::format("a {}", trace_event_names[static_cast<std::size_t>(object.event)]);
}

}  // namespace

std::string picture_text(const Snapshot& snapshot) {
  const NetworkGraph& graph = snapshot.network.graph;
  std::size_t packets = 0;
  for (const NodeContent& content : snapshot.nodes) packets += packets_in(content);
  std::string text = fmt::format("step {} of {}: {} on links, {} packets in nodes\n", snapshot.step,
                                 snapshot.network.title, snapshot.links.size(), packets);
  const Grid* grid = snapshot.network.as<Grid>();
  if (grid != nullptr && grid->dimensions() == 2) text += "\n" + GridDrawing(snapshot, *grid).draw();
  if (!snapshot.links.empty()) text += "\non links:\n";
  for (const FlitOnLink& object : snapshot.links)
    text += fmt::format("  {}: {} to {}\n", graph.link_name(object.node, object.port), object_text(object),
                        graph.node_name(object.to));
  if (packets > 0) text += "\nin nodes:\n";
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const NodeContent& content = snapshot.nodes[static_cast<std::size_t>(node)];
    if (packets_in(content) == 0) continue;
    text += fmt::format("  {}:", graph.node_name(node));
    if (!content.waiting.empty()) text += fmt::format(" packets {}", fmt::join(content.waiting, ", "));
    if (!content.in_memory.empty())
      text += fmt::format("{} in memory {}", content.waiting.empty() ? "" : ";", fmt::join(content.in_memory, ", "));
    text += "\n";
  }
  return text;
}

}  // namespace starloom::links
