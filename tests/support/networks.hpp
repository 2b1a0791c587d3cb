// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The network of a grid, for tests that speak of the grid alone.
#include <map>
#include <tuple>
#include <vector>

#include <starloom/core/random.hpp>
#include <starloom/topology/network.hpp>
#include <starloom/topology/network_graph_builder.hpp>

namespace starloom {

/// Lives to the end of the process, so that algorithms may refer to it.
inline const LinkNetwork& network_of(const Grid& grid, std::int32_t link_latency = 1) {
  using Key = std::tuple<GridKind, std::vector<std::int64_t>, std::int32_t>;
  static std::map<Key, LinkNetwork> networks;
  const Key key{grid.kind(), grid.shape(), link_latency};
  const auto known = networks.find(key);
  if (known != networks.end()) return known->second;
  return networks.emplace(key, link_network(grid, link_latency)).first->second;
}

/// The same network with links of intervals 1 to 3.
inline LinkNetwork with_intervals(const LinkNetwork& network, std::uint64_t seed) {
  const NetworkGraph& graph = network.graph;
  RandomStream dice(seed, Purpose::algorithm, 0, 0);
  NetworkGraphBuilder builder;
  for (NodeId node = 0; node < graph.nodes(); ++node) builder.add_node(graph.role(node), graph.node_name(node));
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (PortMask left = graph.out_mask(node); left != 0; left &= left - 1) {
      const Port port = lowest_port(left);
      builder.add_link({node, port}, graph.far_end(node, port),
                       {graph.latency(node, port), static_cast<std::int32_t>(1 + dice.bounded(3))});
    }
  return {network.title, builder.build(), network.family, network.topology};
}

}  // namespace starloom
