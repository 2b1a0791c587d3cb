// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Ways of packets, before anything runs: how many links they cross at least, and the fixed way where there is one.
#include <cstdint>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// Links of a shortest way of a packet.
inline std::int32_t least_links(StorageModel storage, const NetworkGraph& graph, NodeId source, NodeId destination) {
  return storage == StorageModel::virtual_channels ? graph.distance_over_routers(source, destination)
                                                   : graph.distance(source, destination);
}

/// The out-port that the algorithm's routing function takes; `no_port` where that is not fixed.
inline Port routed_port(const Algorithm& algorithm, NodeId at, NodeId destination) {
  Flit head;
  head.destination = destination;
  return algorithm.next_port(at, head);
}

/// Calls `see(node, port)` for each link of the way that the algorithm's routing function fixes for a packet, in order.
/// False where it fixes none, or one that never ends; then `see` may have been called.
template <class See>
bool follow_fixed_way(const NetworkGraph& graph, const Algorithm& algorithm, NodeId source, NodeId destination,
                      See&& see) {
  NodeId at = source, left = graph.nodes();
  const auto cross = [&](Port port) {
    const NodeId next = port == no_port ? no_node : graph.far_end(at, port).node;
    if (next == no_node || left-- == 0) return false;  // a way that is longer goes round in circles
    see(at, port);
    at = next;
    return true;
  };
  if (source == destination && least_links(algorithm.declaration().storage, graph, source, source) > 0 &&
      !cross(lowest_port(graph.out_mask(source))))
    return false;
  while (at != destination)
    if (!cross(routed_port(algorithm, at, destination))) return false;
  return true;
}

}  // namespace starloom::links
