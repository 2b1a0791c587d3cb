// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The paths of a layer of nue.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <starloom/routing/acyclic_edges.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::routing {

/// Paths to destinations, found for one after another so that the edges of all of them leave no cycle. In each node,
/// all packets to a destination take the same link.
///
/// A search against the links, from the destination on, gives each node a path: fewest links first, of these the one
/// with the least load, then by the numbers of node and port. A node whose path would close a cycle remains. It goes
/// along a spanning tree, the edges of which were there from the beginning, and so do those nodes before its path that
/// would close a cycle otherwise. The tree of each part of the network grows breadth first from the first destination.
class NueLayer {
 public:
  /// \param cables each link has a partner (`partner_of`). \param through_terminals as in NetworkGraph::forwards.
  NueLayer(NetworkGraph cables, bool through_terminals, const std::vector<NodeId>& destinations);

  /// [node] The out-port towards the destination; no_port in itself, and where no path leads there.
  /// \param destination one of the layer, each of them once. \param load [link] paths over it; those from all
  /// processors to the destination are added.
  std::vector<Port> next_ports(NodeId destination, std::vector<std::int64_t>& load);

 private:
  class Tree;
  class Search;

  bool forwards(NodeId node) const { return graph_.forwards(node, through_terminals_); }
  std::size_t index(LinkEnd link) const { return graph_.index(link.node, link.port); }
  NodeId far_node(LinkEnd link) const { return graph_.far_end(link.node, link.port).node; }
  void add_load(NodeId destination, const std::vector<Port>& next, std::vector<std::int64_t>& load) const;

  const NetworkGraph graph_;
  const bool through_terminals_;
  std::vector<bool> in_tree_;  ///< [link]
  AcyclicEdges edges_;
  std::vector<bool> closing_;  ///< [link, out-port of its far node] the edge closes a cycle with those that are there
};

}  // namespace starloom::routing
