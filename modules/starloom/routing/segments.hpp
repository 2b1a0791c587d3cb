// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Segments of a network, and the turns that they forbid.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <starloom/topology/cables.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::routing {

/// Segment-based routing (A. Mejia, J. Flich, J. Duato, S.-A. Reinemo and T. Skeie, "Segment-Based Routing: An
/// Efficient Fault-Tolerant Routing Algorithm for Meshes and Tori", IPDPS 2006). A root is visited first. A segment is
/// a path of cables from a visited node over nodes that are not, back to a visited one; its nodes are then visited. In
/// each segment one turn is forbidden, in both directions, so that no cycle of links is left; a cable that is in no
/// segment is a bridge. Cables of nodes that do not forward packets are in none: no packet turns there.
///
/// Segments begin at visited nodes in the order of visiting, over their ports in ascending order, and go on breadth
/// first to the nearest visited node. In a segment of several cables the forbidden turn is that at its first new node;
/// the cable of a segment without a new node may not be combined with any other at the node where the segment begins.
class Segments {
 public:
  /// \param graph with a link back for each link; it outlives the segments. \param roots the first one in
  /// each part counts; in a part without a root that forwards packets, the node of the lowest number is one.
  Segments(const NetworkGraph& graph, const std::vector<NodeId>& roots, bool through_terminals);

  /// True if a packet that came in through `in_port` may leave through `out_port`.
  bool allow(NodeId node, Port in_port, Port out_port) const {
    return !forbidden_[index(node, in_port_cable_[graph_.index(node, in_port)], out_port)];
  }
  std::int64_t count() const { return count_; }

 private:
  std::size_t index(NodeId node, Port one, Port other) const {
    return graph_.index(node, one) * static_cast<std::size_t>(graph_.ports()) + static_cast<std::size_t>(other);
  }
  bool is_free(NodeId node, Port port) const { return free_[graph_.index(node, port)]; }
  bool is_visited(NodeId node) const { return visited_[static_cast<std::size_t>(node)]; }
  void visit(NodeId node);
  void set_free(LinkEnd link, bool free);
  void search_part(NodeId root, bool through_terminals);
  bool find_segment();
  bool find_bridge();
  /// The links of a shortest path of free cables to a visited node; empty if none exists.
  std::vector<LinkEnd> path_to_visited(NodeId from) const;
  void forbid(NodeId node, Port one, Port other);

  const NetworkGraph& graph_;
  std::vector<Port> in_port_cable_;  ///< [NetworkGraph::index of an in-port] the out-port of the same cable
  std::vector<bool> free_;           ///< [NetworkGraph::index of an out-port] in no segment yet
  std::vector<bool> visited_;        ///< [node]
  std::vector<NodeId> order_;        ///< visited nodes of the part
  std::vector<bool> forbidden_;      ///< [node, out-port, out-port] turns from the cable of one to that of the other
  std::int64_t count_ = 0;
};

}  // namespace starloom::routing
