// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The classes of packets of the constant-queue router, and the moves of the blocks of type Ia.
#include <cstdint>
#include <string_view>

#include <starloom/algorithms/constant_queue/levels.hpp>

namespace starloom::links {

/// The classes of the packets of a level (Rajasekaran and Overholt 1990, section 5), chosen when the level begins.
enum class PacketClass : std::uint16_t {
  greedy,      ///< of a base level
  critical,    ///< from a corner supersquare to the one opposite
  type_two,    ///< to the columns of a block other than the two in the middle
  type_one_b,  ///< to the middle columns, from a row block that is not the first or last
  near_block,  ///< type Ia, to the middle columns from the first or last row block: from the middle columns
  far_block,   ///< type Ia, from elsewhere
};
inline constexpr std::string_view packet_class_names[] = {"greedy",     "critical",   "type_two",
                                                          "type_one_b", "near_block", "far_block"};

/// A position within a region: row and column counted from its corner.
struct Local {
  std::int32_t row = 0;
  std::int32_t column = 0;
};

/// The class of a packet from `from` to `to` when a full level begins.
inline PacketClass classify(const Level& level, Local from, Local to) {
  const std::int32_t R = from.row / level.m, C = from.column / level.m;
  const std::int32_t D = to.row / level.m, E = to.column / level.m;
  const bool edge_row = R == 0 || R == 7, edge_column = C == 0 || C == 7;
  if (edge_row && edge_column && D == 7 - R && E == 7 - C) return PacketClass::critical;
  if (E != 3 && E != 4) return PacketClass::type_two;
  if (!edge_row) return PacketClass::type_one_b;
  return C == 3 || C == 4 ? PacketClass::near_block : PacketClass::far_block;
}

/// The block move of a packet of type Ia that is at `at` after the sort: {down, across}.
inline Local block_move(const Level& level, Local at) {
  const std::int32_t R = at.row / level.m, C = at.column / level.m;
  const std::int32_t column = at.column % level.m;
  // Supersquares of the left half go to column block 3, those of the right half to 4; far ones by 4 supersquares in
  // total.
  const std::int32_t across = C <= 3 ? 3 - C : 4 - C;
  std::int32_t down = 4 - (across < 0 ? -across : across);
  if (C == 3) down = column < level.near ? 1 : 2;
  if (C == 4) down = column < level.m - level.near ? 2 : 3;
  return {(R == 0 ? down : -down) * level.m, across * level.m};
}

}  // namespace starloom::links
