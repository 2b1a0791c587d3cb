// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Immutable facts of packets.
#include <starloom/core/ids.hpp>

namespace starloom {

/// The greatest number of classes of traffic.
inline constexpr int most_classes = 64;
/// The greatest number of subnets.
inline constexpr int most_subnets = 16;

/// The facts of one packet. Controllers may look them up by id, because they are immutable.
struct Packet {
  NodeId source = no_node;
  NodeId destination = no_node;
  std::int32_t flits = 1;
  Step created = 0;                ///< the step in which it appears in its processor's memory
  bool reply = false;              ///< it answers another packet
  std::uint8_t traffic_class = 0;  ///< its class of traffic, if there are several
  std::uint8_t request_class = 0;  ///< if it is a reply: that of the packet that it answers
  std::int8_t subnet = -1;         ///< with several subnets, the one that it stays in; -1: that of its class
  PacketId number = no_packet;     ///< in its run; no_packet: it gets the next one when it is created

  /// False for the facts of a number that no packet of the run has.
  bool exists() const { return created != no_step; }
};

/// The facts of a number that no packet of the run has: that of a record of a netrace file that was never created.
inline constexpr Packet missing_packet{no_node, no_node, 0, no_step};

}  // namespace starloom
