// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The network of a grid, for tests that speak of the grid alone; links of uneven timing; ports of nodes.
#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include <starloom/core/random.hpp>
#include <starloom/topology/clocks.hpp>
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

inline std::vector<Port> ports_in(const PortSet& set) {
  std::vector<Port> ports;
  for (const Port port : set) ports.push_back(port);
  return ports;
}

/// The timing of a link that flits cross in `latency` steps: an interval of 1 to 3 steps, flits of one phit or
/// several.
inline LinkTiming uneven_timing(std::int32_t latency, RandomStream& dice) {
  const auto up_to = [&dice](std::int32_t most) {
    return static_cast<std::int32_t>(1 + dice.bounded(static_cast<std::uint32_t>(most)));
  };
  const std::int32_t interval = up_to(3);
  return {latency, interval, up_to(std::min(latency, interval))};
}

/// The same network with links of different intervals and widths.
inline LinkNetwork with_uneven_links(LinkNetwork network, std::uint64_t seed) {
  const NetworkGraph& graph = network.graph;
  RandomStream dice(seed, Purpose::algorithm, 0, 0);
  NetworkGraphBuilder builder(graph);
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (const Port port : graph.out_ports(node)) {
      builder.set_timing({node, port}, uneven_timing(graph.latency(node, port), dice));
    }
  network.graph = builder.build();
  return network;
}

/// The same network with clocks of 1 to 4 steps, and links with synchronisers and FIFOs.
/// \param crossings false: only the clocks differ.
inline LinkNetwork with_uneven_clocks(LinkNetwork network, std::uint64_t seed, bool crossings = true) {
  RandomStream dice(seed, Purpose::algorithm, 1, 0);
  std::vector<std::int32_t> periods;
  for (NodeId node = 0; node < network.graph.nodes(); ++node)
    periods.push_back(static_cast<std::int32_t>(1 + dice.bounded(4)));
  NetworkGraphBuilder builder(network.graph);
  for (NodeId node = 0; node < network.graph.nodes() && crossings; ++node)
    for (const Port port : network.graph.out_ports(node)) {
      if (dice.bounded(3) != 0) continue;
      CrossingKeys keys;
      if (dice.bounded(2) != 0) keys.synchroniser = static_cast<std::int32_t>(dice.bounded(4));
      if (dice.bounded(2) != 0) keys.fifo = static_cast<std::int32_t>(1 + dice.bounded(6));
      builder.set_crossing({node, port}, keys);
    }
  network.graph = builder.build();
  return with_clocks(std::move(network), periods);
}

}  // namespace starloom
