// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/next_hops.hpp>

#include <starloom/support/error.hpp>

namespace starloom::routing {

NextHops::NextHops(const std::string& function, const NetworkGraph& graph, std::size_t width, Kept kept)
    : width_(width), kept_(kept) {
  const std::size_t entries = width * static_cast<std::size_t>(graph.processors());
  const double bytes = static_cast<double>(entries) * (keeps_all() ? sizeof(PortMask) : 1);
  if (bytes > 1 << 30)
    throw InputError("function " + function + " needs a table of " + std::to_string(static_cast<long>(bytes / 1e6)) +
                     " MB for " + std::to_string(graph.nodes()) + " nodes and " + std::to_string(graph.processors()) +
                     " processors, and the limit is 1,073 MB; choose a smaller network, or a topology with a "
                     "function that needs no table, such as a mesh with dimension-order");
  if (keeps_all()) all_.assign(entries, 0);
  else lowest_.assign(entries, nowhere);
}

void NextHops::set(NodeId processor, std::size_t state, PortMask ports) {
  if (keeps_all()) all_[index(processor, state)] = ports;
  else lowest_[index(processor, state)] = ports == 0 ? nowhere : static_cast<std::uint8_t>(lowest_port(ports));
}

void NextHops::offer(NodeId processor, std::size_t state, ChannelRange channels, Choices& choices) const {
  if (!keeps_all()) {
    if (const std::uint8_t port = lowest_[index(processor, state)]; port != nowhere)
      choices.add(port, channels.first, channels.count);
    return;
  }
  for (PortMask ports = all_[index(processor, state)]; ports != 0; ports &= ports - 1)
    choices.add(lowest_port(ports), channels.first, channels.count);
}

}  // namespace starloom::routing
