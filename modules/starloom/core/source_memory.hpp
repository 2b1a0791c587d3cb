// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The memories of the processors: packets that have been created, or stored on the way, and not yet sent.
#include <algorithm>
#include <cstddef>
#include <vector>

#include <starloom/core/flit.hpp>
#include <starloom/core/packet.hpp>

namespace starloom {

/// One first-in, first-out queue per node, or several: one for each class of traffic. The flits of a packet leave it in
/// the order of their index.
class SourceMemory {
 public:
  explicit SourceMemory(NodeId nodes = 0, int queues = 1)
      : queues_(queues),
        first_queue_(queues == 1 ? 0 : nodes),
        memories_(static_cast<std::size_t>(first_queue_) +
                  static_cast<std::size_t>(nodes) * static_cast<std::size_t>(queues)) {}

  /// Queues of a node.
  int queues() const { return queues_; }
  /// The number of a queue, which the functions below take. A node with one queue has the number of that.
  NodeId queue_of(NodeId node, int queue) const { return first_queue_ + node * queues_ + queue; }

  /// The numbers of queues and nodes are below this.
  std::size_t numbers() const { return memories_.size(); }

  /// Appends a packet to a queue.
  void add(NodeId queue, PacketId packet) {
    if (next_.size() <= at(packet)) next_.resize(at(packet) + 1, no_packet);
    next_[at(packet)] = no_packet;
    Memory& m = memories_[queue];
    (m.first == no_packet ? m.first : next_[at(m.last)]) = packet;
    m.last = packet;
    ++m.packets;
    if (queues_ > 1) ++memories_[node_of(queue)].packets;
  }

  /// Prefetches the record of a node's memory.
  [[gnu::always_inline]] void prefetch(NodeId node) const { __builtin_prefetch(&memories_[node]); }
  /// Packets in a queue, or in all queues of a node that has several, including those that are partly sent.
  std::int32_t packets(NodeId queue_or_node) const { return memories_[queue_or_node].packets; }
  /// The packet whose flits leave next, or `no_packet`.
  PacketId front(NodeId queue) const { return memories_[queue].first; }
  PacketId after(PacketId packet) const { return next_[at(packet)]; }
  /// Flits of the front packet that have left.
  std::int32_t flits_sent(NodeId queue) const { return memories_[queue].sent; }

  /// Takes the next flit of the front packet; the queue is not empty.
  Flit take_flit(NodeId queue, const Packet& facts) {
    Memory& m = memories_[queue];
    Flit flit;
    flit.packet = m.first;
    flit.destination = facts.destination;
    flit.index = m.sent;
    flit.kind = flit_kind(m.sent, facts.flits);
    if (++m.sent == facts.flits) take_packet(queue);
    return flit;
  }

  /// Removes the front packet as a whole.
  PacketId take_packet(NodeId queue) {
    Memory& m = memories_[queue];
    const PacketId packet = m.first;
    m.first = next_[at(packet)];
    m.sent = 0;
    --m.packets;
    if (queues_ > 1) --memories_[node_of(queue)].packets;
    return packet;
  }

  /// True if a packet is in the memory of a node with one queue.
  bool holds(NodeId node, PacketId packet) const {
    PacketId there = front(node);
    while (there != no_packet && there != packet) there = next_[at(there)];
    return there != no_packet;
  }
  /// Removes a packet that a queue holds, none of whose flits has left, as a whole.
  void take_packet(NodeId queue, PacketId packet) {
    Memory& m = memories_[queue];
    if (packet == m.first) {
      take_packet(queue);
      return;
    }
    PacketId before = m.first;
    while (next_[at(before)] != packet) before = next_[at(before)];
    next_[at(before)] = next_[at(packet)];
    if (m.last == packet) m.last = before;
    --m.packets;
    if (queues_ > 1) --memories_[node_of(queue)].packets;
  }

  /// No memory will hold a packet below `first` again.
  void remove_before(PacketId first) {
    next_.erase(next_.begin(), next_.begin() + static_cast<std::ptrdiff_t>(std::min(next_.size(), at(first))));
    first_ = first;
  }

 private:
  std::size_t at(PacketId packet) const { return static_cast<std::size_t>(packet - first_); }
  NodeId node_of(NodeId queue) const { return (queue - first_queue_) / queues_; }

  struct Memory {
    PacketId first = no_packet;
    PacketId last = no_packet;
    std::int32_t sent = 0;
    std::int32_t packets = 0;
  };
  int queues_;
  NodeId first_queue_;            ///< with several queues, those of all nodes are behind the sums of each node
  std::vector<Memory> memories_;  ///< [queue_of], or [node] for the packets in all its queues
  PacketId first_ = 0;
  std::vector<PacketId> next_;  ///< [packet - first_] the next packet in the same memory
};

}  // namespace starloom
