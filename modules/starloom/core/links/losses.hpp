// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Packets that faults lose, in the words of `packets.csv` and `result.json` (docs/faults.md).
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// Why a packet is never sent; of several causes, the first of this list.
enum class LossCause : std::uint8_t {
  dead_source,       ///< the processor that creates it is dead
  dead_destination,  ///< the processor that should consume it is dead
  disconnected,      ///< no path is left from the one to the other
  no_route           ///< there is a path, but the routing function has none
};
inline constexpr std::string_view loss_cause_names[] = {"dead-source", "dead-destination", "disconnected", "no-route"};

struct Loss {
  LossCause cause = LossCause::disconnected;
  Step at = no_step;

  bool operator==(const Loss& other) const { return cause == other.cause && at == other.at; }
};

/// By the number of the packet.
using Losses = std::map<PacketId, Loss>;

}  // namespace starloom::links
