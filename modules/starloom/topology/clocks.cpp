// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/clocks.hpp>

#include <starloom/topology/network_graph_builder.hpp>

namespace starloom {

LinkNetwork with_clocks(LinkNetwork network, const std::vector<std::int32_t>& periods,
                        const std::vector<NetworkClock>& clocks) {
  const NetworkGraph& graph = network.graph;
  NetworkGraphBuilder builder(graph);
  builder.name_clocks(clocks);
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const std::int32_t period = periods[static_cast<std::size_t>(node)];
    builder.set_period(node, period);
    for (const Port port : graph.out_ports(node)) {
      LinkTiming timing = graph.timing(node, port);
      timing.latency *= period;
      timing.interval *= period;
      timing.period = period;
      builder.set_timing({node, port}, timing);
    }
  }
  network.graph = builder.build();
  return network;
}

std::int64_t links_between_clocks(const NetworkGraph& graph) {
  std::int64_t count = 0;
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (const Port port : graph.out_ports(node)) {
      const ClockCrossing crossing = graph.crossing(node, port);
      count += crossing.sender != crossing.receiver ? 1 : 0;
    }
  return count;
}

}  // namespace starloom
