// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A line of nodes by itself, in plain C++: what the lemmas of Rajasekaran and Overholt 1990, section 4, speak
/// of.
#include <algorithm>
#include <vector>

namespace starloom::links {

/// Nodes 0 .. nodes-1. In a step each directed link takes one packet: of those that wait for it, one of the lowest
/// rank, among these the one with the furthest target, among these the first of `packets`.
struct Line {
  struct Packet {
    int at = 0;
    int target = 0;
    int rank = 0;
    bool held = false;  ///< it waits, whatever links are free

    int distance() const { return target > at ? target - at : at - target; }
  };

  explicit Line(int nodes) : first(2 * static_cast<std::size_t>(nodes)) {}

  void step() {
    for (Packet*& packet : first) packet = nullptr;
    for (Packet& packet : packets) {
      if (packet.held || packet.at == packet.target) continue;
      Packet*& rival = first[2 * static_cast<std::size_t>(packet.at) + (packet.target > packet.at ? 1 : 0)];
      if (rival == nullptr || packet.rank < rival->rank ||
          (packet.rank == rival->rank && packet.distance() > rival->distance()))
        rival = &packet;
    }
    for (Packet* packet : first)
      if (packet != nullptr) packet->at += packet->target > packet->at ? 1 : -1;
  }

  bool all_home() const {
    return std::all_of(packets.begin(), packets.end(), [](const Packet& packet) { return packet.at == packet.target; });
  }

  std::vector<Packet> packets;
  std::vector<Packet*> first;  ///< [2 * node + (1: to the right)]: who takes the link in this step
};

/// Calls `visit(values)` for all lists of `length` numbers from low to high - 1. \return how many there are
template <class Visit>
long visit_all(int length, int low, int high, const Visit& visit) {
  std::vector<int> values(static_cast<std::size_t>(length), low);
  for (long count = 1;; ++count) {
    visit(values);
    std::size_t i = 0;
    while (i < values.size() && ++values[i] == high) values[i++] = low;
    if (i == values.size()) return count;
  }
}

}  // namespace starloom::links
