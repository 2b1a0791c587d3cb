// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Flits in the buffers of routers.
#include <limits>

#include <starloom/core/flit.hpp>

namespace starloom::router {

/// A flit in the ring of an input channel. In a large network most of the memory that a step reads is rings, so a
/// flit is only a quarter of a cache line here: without tag and header, which routers with virtual channels do not
/// write.
struct RingFlit {
  PacketId packet = no_packet;
  NodeId destination = no_node;
  std::int32_t index = 0;
  FlitKind kind = FlitKind::single;
  std::uint8_t channel = 0;
  std::uint16_t hops = 0;  ///< links crossed, modulo `most_hops` + 1

  static constexpr std::int32_t most_hops = std::numeric_limits<std::uint16_t>::max();

  RingFlit() = default;
  explicit RingFlit(const Flit& flit)
      : packet(flit.packet), destination(flit.destination), index(flit.index), kind(flit.kind), channel(flit.channel) {}

  /// Counts a link. True if the count has wrapped around to 0.
  bool cross() { return ++hops == 0; }

  Flit whole() const {
    Flit flit;
    flit.packet = packet;
    flit.destination = destination;
    flit.index = index;
    flit.kind = kind;
    flit.channel = channel;
    flit.hops = hops;
    return flit;
  }
};
static_assert(sizeof(RingFlit) == 16);

/// More about a flit in a ring, for priorities; kept only if `Declaration::flit_records`.
struct FlitRecord {
  Step injected = no_step;    ///< the step in which it left the memory of its processor
  Step readable = no_step;    ///< the step in which it became readable in this buffer
  std::int64_t sequence = 0;  ///< of its packet: the number of packets that left that memory before
  std::int64_t switches = 0;  ///< that it has passed
};

}  // namespace starloom::router
