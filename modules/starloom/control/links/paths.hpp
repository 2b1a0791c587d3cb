// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The paths of packets as far as they are known before a run: the least number of links, and the links
/// themselves if the algorithm fixes or offers them.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// Links of a shortest path of a packet; of one to several destinations, of that to the farthest.
inline std::int32_t least_links(const Declaration& declaration, const NetworkGraph& graph, NodeId source,
                                NodeId destination) {
  if (!is_group(destination))
    return declaration.storage == StorageModel::virtual_channels ? graph.distance_over_routers(source, destination)
                                                                 : graph.distance(source, destination);
  std::int32_t links = 0;
  for (const NodeId one : declaration.tree_of(destination).group.destinations)
    links = std::max(links, least_links(declaration, graph, source, one));
  return links;
}

/// True if every packet of a pair of nodes takes the same path.
inline bool paths_are_fixed(const Algorithm& algorithm) {
  const routing::RoutingFunction* function = algorithm.routing_function(0);
  return function == nullptr || (!function->draws() && !function->adaptive());
}

/// The random choice of the packets of a pair of nodes that have only one.
inline std::uint32_t only_random_choice(const Algorithm& algorithm, const Packet& packet) {
  const routing::RoutingFunction* function = algorithm.function_of(packet);
  return function == nullptr ? 0 : function->random_choice_between(packet.source, packet.destination, 0);
}

/// The out-port that the algorithm's routing function selects; `no_port` if that is not fixed.
inline Port routed_port(const Algorithm& algorithm, NodeId at, NodeId destination) {
  Flit head;
  head.destination = destination;
  return algorithm.next_port(at, head);
}

/// The same for a packet that came in through `in_port`; `no_port` in its source.
inline Port routed_port(const Algorithm& algorithm, NodeId at, Port in_port, NodeId destination) {
  Flit head;
  head.destination = destination;
  return algorithm.next_port_from(at, in_port, head);
}

/// Calls `visit(node, port)` for each link of the path that the algorithm's routing function fixes for a packet, in
/// order. Returns false if it fixes none, or one that never ends; `see` may have been called before.
template <class Visit>
bool follow_fixed_path(const NetworkGraph& graph, const Algorithm& algorithm, NodeId source, NodeId destination,
                       Visit&& visit) {
  NodeId at = source, left = 2 * graph.nodes();
  Port in_port = no_port;
  const auto cross = [&](Port port) {
    const LinkEnd next = port == no_port ? LinkEnd{} : graph.far_end(at, port);
    if (!next.connected() || left-- == 0) return false;  // a longer path has a cycle
    visit(at, port);
    at = next.node;
    in_port = next.port;
    return true;
  };
  if (source == destination && least_links(algorithm.declaration(), graph, source, source) > 0 &&
      !cross(graph.out_ports(source).lowest()))
    return false;
  while (at != destination)
    if (!cross(routed_port(algorithm, at, in_port, destination))) return false;
  return true;
}

/// The same for a packet that may have several destinations: calls `visit` for each link of its tree.
template <class Visit>
bool follow_fixed_paths(const NetworkGraph& graph, const Algorithm& algorithm, NodeId source, NodeId destination,
                        Visit&& visit) {
  if (!is_group(destination)) return follow_fixed_path(graph, algorithm, source, destination, visit);
  const MulticastTree& tree = algorithm.declaration().tree_of(destination);
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (std::uint64_t left = tree.at(node); left != 0; left &= left - 1)
      if (const Port port = __builtin_ctzll(left); port != graph.ports()) visit(node, port);
  return true;
}

/// A packet's path: its links in order, numbered as by NetworkGraph::index.
struct PacketPath {
  NodeId source = no_node;
  NodeId destination = no_node;
  std::vector<std::size_t> links{};
};

/// Finds the path along the first choice that the algorithm offers in each node to a packet with the random choice
/// `random_choice`. If paths are fixed it is the only one; if heads choose on grids, all paths have the same length.
/// Returns false if no path is known before the run, or if the path never ends.
bool offered_path(const NetworkGraph& graph, const Algorithm& algorithm, const Packet& packet,
                  std::uint32_t random_choice, PacketPath& path);

}  // namespace starloom::links
