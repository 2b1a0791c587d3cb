// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Packets that faults lose, in the words of `packets.csv` and `result.json` (docs/faults.md).
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// Why a packet is lost. The first ones: why it is never sent; of several causes, the first of this list.
enum class LossCause : std::uint8_t {
  dead_source,       ///< the processor that creates it is dead
  dead_destination,  ///< the processor that should consume it is dead
  disconnected,      ///< no path is left from the one to the other
  no_route,          ///< there is a path, but the routing function has none
  cut,               ///< a link, router or processor that it was using died
  no_way,            ///< its head came to a router where all of its choices are dead
  flush,             ///< routing functions changed, and the packets in the network did not stay
  corrupt,           ///< it arrived, but one of its flits is corrupt
  overflow           ///< deflection: it came to a node with more packets than living links
};
inline constexpr std::string_view loss_cause_names[] = {
    "dead-source", "dead-destination", "disconnected", "no-route", "cut", "no-way", "flush", "corrupt", "overflow"};
/// True if a packet with this cause was sent: its flits vanish in the network, or are consumed (`corrupt`).
constexpr bool is_lost_under_way(LossCause cause) { return cause >= LossCause::cut; }

struct Loss {
  LossCause cause = LossCause::disconnected;
  Step at = no_step;

  bool operator==(const Loss& other) const { return cause == other.cause && at == other.at; }
};

/// By the number of the packet.
using Losses = std::map<PacketId, Loss>;

}  // namespace starloom::links
