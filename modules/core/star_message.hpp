#pragma once
/// \file What a coupler of a POPS network carries in one slot.
#include <cstdint>

#include "core/ids.hpp"

namespace starloom {

enum class StarKind : std::uint8_t { data, ack };

/// A message on a coupler. An acknowledgement names the packet that it acknowledges.
struct StarMessage {
  std::int64_t value = 0;        ///< what `data-sum` adds up
  PacketId packet = no_packet;
  StarKind kind = StarKind::data;
  NodeId destination = no_node;  ///< of the packet; no_node: everyone's

  StarMessage() = default;
  StarMessage(StarKind k, PacketId p, NodeId to, std::int64_t v) : value(v), packet(p), kind(k), destination(to) {}
  StarMessage(const StarMessage& other) { *this = other; }
  /// Member by member, and no two small ones side by side that could be joined: a message is copied right after it was
  /// written, and a load wider than the stores before it waits for them (half the time of a slot).
  StarMessage& operator=(const StarMessage& other) {  // NOLINT(modernize-use-equals-default)
    value = other.value;
    packet = other.packet;
    kind = other.kind;
    destination = other.destination;
    return *this;
  }
};

inline constexpr std::int32_t no_group = -1;

}  // namespace starloom
