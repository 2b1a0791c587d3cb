// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Packets from a list.
#include <algorithm>
#include <utility>
#include <vector>

#include <starloom/core/packet_source.hpp>

namespace starloom::links {

/// A packet of a class of traffic.
inline Packet packet_of_class(int number, NodeId source, NodeId destination, std::int32_t flits, Step created) {
  Packet packet{source, destination, flits, created};
  packet.traffic_class = static_cast<std::uint8_t>(number);
  return packet;
}

/// Creates the packets of a list, numbered by (created, source, order in the list).
class ListSource final : public PacketSource {
 public:
  explicit ListSource(std::vector<Packet> packets) : packets_(std::move(packets)) {
    std::stable_sort(packets_.begin(), packets_.end(), [](const Packet& a, const Packet& b) {
      return std::make_pair(a.created, a.source) < std::make_pair(b.created, b.source);
    });
  }

  void generate(Step from, Step to, std::vector<Packet>& out) override {
    for (const Packet& packet : packets_)
      if (packet.created >= from && packet.created < to) out.push_back(packet);
  }
  Step next_creation(Step from) const override {
    for (const Packet& packet : packets_)
      if (packet.created >= from) return packet.created;
    return no_step;
  }

 private:
  std::vector<Packet> packets_;
};

}  // namespace starloom::links
