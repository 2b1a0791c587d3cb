#pragma once
/// \file What a coupler of a POPS network carries in one slot.
#include <cstdint>

#include "core/ids.hpp"

namespace starloom {

enum class StarKind : std::uint8_t { data, ack };

/// A message on a coupler. An acknowledgement names the packet that it acknowledges.
struct StarMessage {
  std::int64_t value = 0;  ///< what `data-sum` adds up
  PacketId packet = no_packet;
  StarKind kind = StarKind::data;
  NodeId destination = no_node;  ///< of the packet; no_node: everyone's

  StarMessage() = default;
  StarMessage(StarKind k, PacketId p, NodeId to, std::int64_t v) : value(v), packet(p), kind(k), destination(to) {}
};

inline constexpr std::int32_t no_group = -1;

}  // namespace starloom
