// SPDX-License-Identifier: Apache-2.0
/// \file The engine of networks with subnets (docs/subnets.md).
#include <utility>

#include <starloom/router/router_engine.hpp>

namespace starloom::links {

/// Packets come to the fronts of the queues of their processors, and so to the link of their subnet.
template <int words>
void RouterEngine<words>::advance_sources(WakeCalendar::Bitmap& awake) {
  router::SubnetSources& subnets = subnets_.front();
  for (RouterPart& part : parts_)
    for (const NodeId queue : std::exchange(part.left_queues, {})) subnets.left(queue);
  for (const Packet& packet : this->created())
    subnets.added(memory_.queue_of(packet.source, memory_.queues() > 1 ? packet.traffic_class : 0));
  const auto facts = [this](PacketId packet) -> const Packet& { return record_.packets[record_.at(packet)]; };
  subnets.advance(
      memory_, [&](PacketId packet) { return facts(packet).subnet; },
      [&](PacketId packet) { return facts(packet).source; },
      [&](PacketId packet) {
        const NodeId node = graph_.in_subnet(facts(packet).source, facts(packet).subnet);
        const NodeId lane = partition_[partition_.part_of(node)].lane(node);
        awake[static_cast<std::size_t>(lane) >> 6] |= std::uint64_t{1} << (lane & 63);
      });
}

/// Controllers see their subnet as if it were alone.
template <int words>
void RouterEngine<words>::enter_subnet(ChannelFrame<words>& frame, NodeId node) {
  constexpr std::uint32_t words_of_subnet = 1 << 20;
  const int subnet = graph_.subnet_of(node);
  frame.node = graph_.home(node);
  frame.memory = &memory_of(node);
  frame.sources = &sources_[static_cast<std::size_t>(graph_.in_subnet(0, subnet) * shape_.channels)];
  frame.first_word = static_cast<std::uint32_t>(subnet) * words_of_subnet;
}

template void RouterEngine<1>::advance_sources(WakeCalendar::Bitmap&);
template void RouterEngine<1>::enter_subnet(ChannelFrame<1>&, NodeId);
template void RouterEngine<router::any_words>::advance_sources(WakeCalendar::Bitmap&);
template void RouterEngine<router::any_words>::enter_subnet(ChannelFrame<router::any_words>&, NodeId);

}  // namespace starloom::links
