// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The memories of the processors: packets that have been created, or stored on the way, and not yet sent.
#include <algorithm>
#include <cstddef>
#include <vector>

#include <starloom/core/flit.hpp>
#include <starloom/core/packet.hpp>

namespace starloom {

/// One first-in, first-out memory per node, or several: one for each class of traffic (`queue_of`). The flits of a
/// packet leave it in the order of their index.
class SourceMemory {
 public:
  explicit SourceMemory(NodeId nodes = 0, int queues = 1)
      : queues_(queues), memories_(static_cast<std::size_t>(nodes) * static_cast<std::size_t>(queues)) {}

  /// Memories of a node.
  int queues() const { return queues_; }
  /// The number of a memory of a node, which is that of the node if it has only one. All functions below take it.
  NodeId queue_of(NodeId node, int queue) const { return node * queues_ + queue; }

  /// Appends a packet to the memory of a node.
  void add(NodeId node, PacketId packet) {
    if (next_.size() <= at(packet)) next_.resize(at(packet) + 1, no_packet);
    next_[at(packet)] = no_packet;
    Memory& m = memories_[node];
    (m.first == no_packet ? m.first : next_[at(m.last)]) = packet;
    m.last = packet;
    ++m.packets;
  }

  /// Prefetches the record of a node's memory.
  [[gnu::always_inline]] void prefetch(NodeId node) const { __builtin_prefetch(&memories_[node]); }
  /// Packets in the memory of a node, including one that is partly sent.
  std::int32_t packets(NodeId node) const { return memories_[node].packets; }
  /// The packet whose flits leave next, or `no_packet`.
  PacketId front(NodeId node) const { return memories_[node].first; }
  PacketId after(PacketId packet) const { return next_[at(packet)]; }
  /// Flits of the front packet that have left.
  std::int32_t flits_sent(NodeId node) const { return memories_[node].sent; }

  /// Takes the next flit of the front packet; the memory is not empty.
  Flit take_flit(NodeId node, const Packet& facts) {
    Memory& m = memories_[node];
    Flit flit;
    flit.packet = m.first;
    flit.destination = facts.destination;
    flit.index = m.sent;
    flit.kind = flit_kind(m.sent, facts.flits);
    if (++m.sent == facts.flits) take_packet(node);
    return flit;
  }

  /// Removes the front packet as a whole.
  PacketId take_packet(NodeId node) {
    Memory& m = memories_[node];
    const PacketId packet = m.first;
    m.first = next_[at(packet)];
    m.sent = 0;
    --m.packets;
    return packet;
  }

  /// True if a packet is in the memory of a node.
  bool holds(NodeId node, PacketId packet) const {
    PacketId there = front(node);
    while (there != no_packet && there != packet) there = next_[at(there)];
    return there != no_packet;
  }
  /// Removes a packet that the memory holds, none of whose flits has left, as a whole.
  void take_packet(NodeId node, PacketId packet) {
    Memory& m = memories_[node];
    if (packet == m.first) {
      take_packet(node);
      return;
    }
    PacketId before = m.first;
    while (next_[at(before)] != packet) before = next_[at(before)];
    next_[at(before)] = next_[at(packet)];
    if (m.last == packet) m.last = before;
    --m.packets;
  }

  /// No memory will hold a packet below `first` again.
  void remove_before(PacketId first) {
    next_.erase(next_.begin(), next_.begin() + static_cast<std::ptrdiff_t>(std::min(next_.size(), at(first))));
    first_ = first;
  }

 private:
  std::size_t at(PacketId packet) const { return static_cast<std::size_t>(packet - first_); }

  struct Memory {
    PacketId first = no_packet;
    PacketId last = no_packet;
    std::int32_t sent = 0;
    std::int32_t packets = 0;
  };
  int queues_;
  std::vector<Memory> memories_;  ///< [queue_of]
  PacketId first_ = 0;
  std::vector<PacketId> next_;  ///< [packet - first_] the next packet in the same memory
};

}  // namespace starloom
