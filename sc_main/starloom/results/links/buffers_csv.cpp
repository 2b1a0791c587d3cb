// SPDX-License-Identifier: Apache-2.0
#include <starloom/results/links/buffers_csv.hpp>

#include <fmt/format.h>

#include <starloom/topology/subnets.hpp>

namespace starloom::links {
namespace {

/// In the shortest form that is read back as the same number; 0 over no steps.
double mean(std::int64_t sum, Step steps) {
  return steps == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(steps);
}

}  // namespace

std::string buffers_csv(const NetworkGraph& graph, const ChannelUse& use,
                        const std::function<int(NodeId)>& channels_at) {
  std::string text = "node,port,channel,mean_occupancy,max_occupancy,credit_stalls\n";
  const Port local = graph.ports();
  const std::size_t most = use.buffers.size() / static_cast<std::size_t>(graph.nodes() * (local + 1));
  for (const NodeId node : nodes_in_files(graph)) {
    if (graph.is_terminal(node)) continue;  // it has no buffers
    const bool has_processor = graph.role(node) != NodeRole::switch_node;
    for (Port port = 0; port <= local; ++port) {
      if (port == local ? !has_processor : !graph.near_end(node, port).connected()) continue;
      for (int channel = 0; channel < channels_at(node); ++channel) {
        const std::size_t index = static_cast<std::size_t>(node) * static_cast<std::size_t>(local + 1) + port;
        const BufferUse& buffer = use.buffers[index * most + channel];
        const LinkEnd end = graph.in_files({node, port});
        text += fmt::format("{},{},{},{},{},{}\n", end.node, end.port, channel, mean(buffer.flit_steps, use.steps),
                            buffer.most_flits, buffer.credit_stalls);
      }
    }
  }
  return text;
}

}  // namespace starloom::links
