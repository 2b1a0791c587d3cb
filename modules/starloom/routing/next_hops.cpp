// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/next_hops.hpp>

#include <starloom/support/error.hpp>

namespace starloom::routing {

NextHops::NextHops(const std::string& function, const NetworkGraph& graph, std::size_t width, Kept kept)
    : width_(width),
      kept_(kept),
      words_(PortSet::words_for(graph.ports())),
      nowhere_(graph.ports() < 0xff ? 0xff : 0xffff) {
  const std::size_t entries = width * static_cast<std::size_t>(graph.processors());
  const std::size_t entry = keeps_all() ? words_ * sizeof(PortMask) : nowhere_ > 0xff ? 2 : 1;
  const double bytes = static_cast<double>(entries) * static_cast<double>(entry);
  if (bytes > 1 << 30)
    throw InputError("function " + function + " needs a table of " + std::to_string(static_cast<long>(bytes / 1e6)) +
                     " MB for " + std::to_string(graph.nodes()) + " nodes and " + std::to_string(graph.processors()) +
                     " processors, and the limit is 1,073 MB; choose a smaller network, or a topology with a "
                     "function that needs no table, such as a mesh with dimension-order");
  if (keeps_all()) all_.assign(entries * words_, 0);
  else lowest_.assign(entries, 0xff);
  if (entry == 2) lowest_high_.assign(entries, 0xff);
}

void NextHops::set(NodeId processor, std::size_t state, const std::vector<Port>& ports) {
  const std::size_t at = index(processor, state);
  if (keeps_all()) {
    for (const Port port : ports) all_[at * words_ + PortSet::word_of(port)] |= PortSet::bit_of(port);
    return;
  }
  const Port lowest = ports.empty() ? nowhere_ : ports.front();
  lowest_[at] = static_cast<std::uint8_t>(lowest);
  if (!lowest_high_.empty()) lowest_high_[at] = static_cast<std::uint8_t>(lowest >> 8);
}

void NextHops::offer(NodeId processor, std::size_t state, ChannelRange channels, Choices& choices) const {
  const std::size_t at = index(processor, state);
  if (!keeps_all()) {
    const Port port = lowest_[at] + (lowest_high_.empty() ? 0 : lowest_high_[at] << 8);
    if (port != nowhere_) choices.add(port, channels.first, channels.count);
    return;
  }
  for (const Port port : PortSet(&all_[at * words_], words_)) choices.add(port, channels.first, channels.count);
}

}  // namespace starloom::routing
