// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Flits in the buffers of routers.
#include <starloom/core/flit.hpp>

namespace starloom::router {

/// A flit as it stands in the ring of an input channel. Of a large network the rings are most of what a step reads, so a
/// flit is a quarter of a cache line here: without tag and header, which no router with virtual channels writes.
struct RingFlit {
  PacketId packet = no_packet;
  NodeId destination = no_node;
  std::int32_t index = 0;
  FlitKind kind = FlitKind::single;
  std::uint8_t channel = 0;

  RingFlit() = default;
  explicit RingFlit(const Flit& flit)
      : packet(flit.packet), destination(flit.destination), index(flit.index), kind(flit.kind), channel(flit.channel) {}

  Flit whole() const {
    Flit flit;
    flit.packet = packet;
    flit.destination = destination;
    flit.index = index;
    flit.kind = kind;
    flit.channel = channel;
    return flit;
  }
};
static_assert(sizeof(RingFlit) == 16);

}  // namespace starloom::router
