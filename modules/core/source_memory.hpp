#pragma once
/// \file The memories of the processors: packets that have been created, or stored on the way, and not yet sent.
#include <vector>

#include <starloom/core/flit.hpp>
#include <starloom/core/packet.hpp>

namespace starloom {

/// One first-in, first-out memory a node. Packets leave it flit by flit, in order of their index.
class SourceMemory {
 public:
  explicit SourceMemory(NodeId nodes = 0) : memories_(static_cast<std::size_t>(nodes)) {}

  /// Appends a packet to the memory of a node.
  void add(NodeId node, PacketId packet) {
    if (next_.size() <= static_cast<std::size_t>(packet)) next_.resize(static_cast<std::size_t>(packet) + 1, no_packet);
    next_[packet] = no_packet;
    Memory& m = memories_[node];
    (m.first == no_packet ? m.first : next_[m.last]) = packet;
    m.last = packet;
    ++m.packets;
  }

  /// Fetches the state of a node's memory into the cache.
  void prefetch(NodeId node) const { __builtin_prefetch(memories_.data() + node); }

  /// Packets in the memory of a node, the one half sent included.
  std::int32_t packets(NodeId node) const { return memories_[node].packets; }
  /// The packet whose flits leave next, or `no_packet`.
  PacketId front(NodeId node) const { return memories_[node].first; }
  PacketId after(PacketId packet) const { return next_[packet]; }
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
    m.first = next_[packet];
    m.sent = 0;
    --m.packets;
    return packet;
  }

  /// Whether a packet lies in the memory of a node.
  bool holds(NodeId node, PacketId packet) const {
    PacketId at = front(node);
    while (at != no_packet && at != packet) at = next_[at];
    return at != no_packet;
  }
  /// Removes a packet that the memory holds, none of whose flits has left, as a whole.
  void take_packet(NodeId node, PacketId packet) {
    Memory& m = memories_[node];
    if (packet == m.first) {
      take_packet(node);
      return;
    }
    PacketId before = m.first;
    while (next_[before] != packet) before = next_[before];
    next_[before] = next_[packet];
    if (m.last == packet) m.last = before;
    --m.packets;
  }

 private:
  struct Memory {
    PacketId first = no_packet;
    PacketId last = no_packet;
    std::int32_t sent = 0;
    std::int32_t packets = 0;
  };
  std::vector<Memory> memories_;
  std::vector<PacketId> next_;  ///< by packet: the one behind it in its memory
};

}  // namespace starloom
