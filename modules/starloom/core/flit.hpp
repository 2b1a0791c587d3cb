// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The unit that crosses a link in one step.
#include <array>
#include <cstdint>

#include <starloom/core/ids.hpp>

namespace starloom {

enum class FlitKind : std::uint8_t { head, body, tail, single, key, token, ack };

/// A control object occupies a link for a step but belongs to no packet's flits.
inline constexpr bool is_control(FlitKind kind) { return kind >= FlitKind::key; }
/// The first flit of a packet: the one that carries the destination and asks for a route.
inline constexpr bool is_head(FlitKind kind) { return kind == FlitKind::head || kind == FlitKind::single; }
/// The last flit of a packet.
inline constexpr bool is_tail(FlitKind kind) { return kind == FlitKind::tail || kind == FlitKind::single; }

/// The kind of flit `index` of a packet of `flits` flits.
inline constexpr FlitKind flit_kind(std::int32_t index, std::int32_t flits) {
  if (flits == 1) return FlitKind::single;
  if (index == 0) return FlitKind::head;
  return index == flits - 1 ? FlitKind::tail : FlitKind::body;
}

/// Words of the algorithm that travel with a flit.
using FlitHeader = std::array<std::uint32_t, 3>;

/// The content of a link register. 32 bytes, trivially copyable.
struct Flit {
  PacketId packet = no_packet;
  NodeId destination = no_node;
  std::int32_t index = 0;  ///< position in the packet, 0 is the head
  FlitKind kind = FlitKind::single;
  std::uint8_t channel = 0;  ///< virtual channel
  std::uint16_t tag = 0;     ///< the algorithm's class or phase, shown in waves
  FlitHeader header{};       ///< words of the algorithm that travel with the flit
  std::int32_t hops = 0;     ///< links crossed since the flit left a memory; counted by the fabric
};
static_assert(sizeof(Flit) == 32);

}  // namespace starloom
