// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/packet_list.hpp>

#include <algorithm>
#include <tuple>

namespace starloom {

PacketList::PacketList(std::vector<Packet> packets, bool preloaded) : preloaded_(preloaded) {
  const auto earlier = [](const Packet& a, const Packet& b) {
    return std::tie(a.created, a.source) < std::tie(b.created, b.source);
  };
  // Permutations are sorted already; sorting 2^24 packets takes a second and as much memory again.
  if (!std::is_sorted(packets.begin(), packets.end(), earlier))
    std::stable_sort(packets.begin(), packets.end(), earlier);
  packets_ = std::move(packets);
}

Packets::Iterator PacketList::first_from(Step step) const {
  return std::lower_bound(packets_.begin(), packets_.end(), step,
                          [](const Packet& packet, Step s) { return packet.created < s; });
}

void PacketList::generate(Step from, Step to, std::vector<Packet>& out) {
  out.insert(out.end(), first_from(from), first_from(to));
}

Step PacketList::next_creation(Step from) const {
  const auto next = first_from(from);
  return next == packets_.end() ? no_step : (*next).created;
}

std::optional<Step> PacketList::end() const { return packets_.empty() ? 0 : packets_[packets_.size() - 1].created + 1; }

Packets packets_of(Destinations destinations, const PacketLengths& lengths, std::uint64_t seed,
                   std::uint32_t first_word) {
  if (lengths.longest() == 1 && std::find(destinations.begin(), destinations.end(), no_node) == destinations.end())
    return Packets::one_each(std::move(destinations));
  std::vector<Packet> packets;
  packets.reserve(destinations.size());
  for (NodeId node = 0; node < static_cast<NodeId>(destinations.size()); ++node) {
    if (destinations[node] == no_node) continue;
    RandomStream words = length_words(seed, node, 0, first_word);
    packets.push_back({node, destinations[node], lengths.draw(words), 0});
  }
  return packets;
}

}  // namespace starloom
