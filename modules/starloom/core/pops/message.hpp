// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The message that a coupler of a POPS network carries in one slot.
#include <cstdint>

#include <starloom/core/ids.hpp>

namespace starloom::pops {

enum class MessageKind : std::uint8_t { data, ack };

/// A message on a coupler. An acknowledgement names the packet that it acknowledges.
struct Message {
  std::int64_t value = 0;  ///< summed by `data-sum`
  PacketId packet = no_packet;
  MessageKind kind = MessageKind::data;
  NodeId destination = no_node;  ///< of the packet; no_node: all processors

  Message() = default;
  Message(MessageKind k, PacketId p, NodeId to, std::int64_t v) : value(v), packet(p), kind(k), destination(to) {}
};

inline constexpr std::int32_t no_group = -1;

}  // namespace starloom::pops
