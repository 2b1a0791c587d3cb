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
    for (PortMask left = graph.out_mask(node); left != 0; left &= left - 1) {
      const Port port = lowest_port(left);
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
    for (PortMask left = graph.out_mask(node); left != 0; left &= left - 1) {
      const ClockCrossing crossing = graph.crossing(node, lowest_port(left));
      count += crossing.sender != crossing.receiver ? 1 : 0;
    }
  return count;
}

}  // namespace starloom
