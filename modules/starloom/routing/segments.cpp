// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/segments.hpp>

#include <algorithm>

namespace starloom::routing {

Segments::Segments(const NetworkGraph& graph, const std::vector<NodeId>& roots, bool through_terminals)
    : graph_(graph),
      in_port_cable_(graph.link_slots(), no_port),
      free_(graph.link_slots(), false),
      visited_(static_cast<std::size_t>(graph.nodes()), false),
      forbidden_(graph.link_slots() * static_cast<std::size_t>(graph.ports()), false) {
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (const Port port : graph.out_ports(node)) {
      const LinkEnd back = partner_of(graph, {node, port});
      if (!back.connected()) continue;
      in_port_cable_[graph.index(node, graph.far_end(back.node, back.port).port)] = port;
      free_[graph.index(node, port)] =
          graph.forwards(node, through_terminals) && graph.forwards(back.node, through_terminals);
    }
  for (const NodeId root : roots) search_part(root, through_terminals);
  for (NodeId node = 0; node < graph.nodes(); ++node) search_part(node, through_terminals);
}

void Segments::visit(NodeId node) {
  visited_[static_cast<std::size_t>(node)] = true;
  order_.push_back(node);
}

/// Marks both links of a cable. \param free false: it is in a segment, or a bridge.
void Segments::set_free(LinkEnd link, bool free) {
  const LinkEnd back = partner_of(graph_, link);
  free_[graph_.index(link.node, link.port)] = free_[graph_.index(back.node, back.port)] = free;
}

void Segments::forbid(NodeId node, Port one, Port other) {
  forbidden_[index(node, one, other)] = forbidden_[index(node, other, one)] = true;
}

void Segments::search_part(NodeId root, bool through_terminals) {
  if (is_visited(root) || !graph_.forwards(root, through_terminals)) return;
  order_.clear();
  visit(root);
  while (find_segment() || find_bridge()) continue;
}

bool Segments::find_segment() {
  for (const NodeId node : order_)
    for (const Port port : graph_.out_ports(node)) {
      if (!is_free(node, port)) continue;
      const LinkEnd back = partner_of(graph_, {node, port});
      set_free({node, port}, false);
      if (is_visited(back.node)) {
        for (const Port other : graph_.out_ports(node))
          if (other != port) forbid(node, port, other);
        ++count_;
        return true;
      }
      const std::vector<LinkEnd> path = path_to_visited(back.node);
      if (path.empty()) {
        set_free({node, port}, true);
        continue;
      }
      forbid(back.node, back.port, path.front().port);
      for (const LinkEnd& link : path) {
        visit(link.node);
        set_free(link, false);
      }
      ++count_;
      return true;
    }
  return false;
}

bool Segments::find_bridge() {
  for (const NodeId node : order_)
    for (const Port port : graph_.out_ports(node)) {
      if (!is_free(node, port)) continue;
      set_free({node, port}, false);
      visit(graph_.far_end(node, port).node);
      return true;
    }
  return false;
}

std::vector<LinkEnd> Segments::path_to_visited(NodeId from) const {
  std::vector<LinkEnd> came_over(static_cast<std::size_t>(graph_.nodes()));  // [node]
  std::vector<bool> reached(came_over.size(), false);
  std::vector<NodeId> list = {from};
  reached[static_cast<std::size_t>(from)] = true;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const NodeId node = list[i];
    for (const Port port : graph_.out_ports(node)) {
      const NodeId next = graph_.far_end(node, port).node;
      if (!is_free(node, port) || reached[static_cast<std::size_t>(next)]) continue;
      reached[static_cast<std::size_t>(next)] = true;
      came_over[static_cast<std::size_t>(next)] = {node, port};
      if (!is_visited(next)) {
        list.push_back(next);
        continue;
      }
      std::vector<LinkEnd> path;
      for (NodeId at = next; at != from; at = path.back().node) path.push_back(came_over[static_cast<std::size_t>(at)]);
      std::reverse(path.begin(), path.end());
      return path;
    }
  }
  return {};
}

}  // namespace starloom::routing
