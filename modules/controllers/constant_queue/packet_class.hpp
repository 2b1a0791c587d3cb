#pragma once
/// \file What a packet of the constant-queue router is, and what it carries.
#include <array>
#include <cstdint>
#include <string_view>

#include "controllers/constant_queue/levels.hpp"
#include "core/flit.hpp"

namespace starloom {

/// The classes of the packets of a level (paper 000, section 5). They are chosen when the level begins.
enum class PacketClass : std::uint16_t {
  greedy,      ///< of a base level
  critical,    ///< from a corner supersquare to the one opposite
  type_two,    ///< to the columns of another block than the two in the middle
  type_one_b,  ///< to the middle columns, from a row block that is not the first or last
  near_block,  ///< type Ia, to the middle columns from the first or last row block: from the middle columns
  far_block,   ///< type Ia, from elsewhere
};
inline constexpr std::string_view packet_class_names[] = {"greedy",     "critical",   "type_two",
                                                          "type_one_b", "near_block", "far_block"};

/// What an ordinary packet is doing.
enum class Stage : std::uint16_t {
  sort,     ///< takes part in the sort of its subsquare, or waits for its end
  block,    ///< moves with its block
  row,      ///< on its way to its column
  column,   ///< on its way along its column; special packets: to their temporary row, and waiting there
  release,  ///< special packets: on the way from there
  home,     ///< at its destination, for the level above to take it on
};

/// The way that is left within a stage, and what else travels with a packet. The tag of the flit, which waves show, is
/// class + 8 * stage; bit 6 is set in special packets, the level stands above it.
class Way {
 public:
  explicit Way(Flit& flit) : flit_(flit) {}

  PacketClass packet_class() const { return static_cast<PacketClass>(flit_.tag & 7); }
  Stage stage() const { return stage_of(flit_); }
  bool special() const { return (flit_.tag >> 6 & 1) != 0; }
  std::size_t level() const { return level_of(flit_); }
  static Stage stage_of(const Flit& flit) { return static_cast<Stage>(flit.tag >> 3 & 7); }
  static std::size_t level_of(const Flit& flit) { return flit.tag >> 7; }

  void begin(std::size_t level, PacketClass packet_class, bool special) {
    flit_.tag = static_cast<std::uint16_t>(static_cast<unsigned>(packet_class) | (special ? 1u << 6 : 0u) |
                                           static_cast<unsigned>(level << 7));
  }
  void set_stage(Stage stage) {
    flit_.tag = static_cast<std::uint16_t>((flit_.tag & ~(7u << 3)) | static_cast<unsigned>(stage) << 3);
  }

  /// Links still to cross: to the right or (negative) left, and down or (negative) up.
  std::int32_t across() const { return static_cast<std::int32_t>(flit_.header[0]); }
  std::int32_t down() const { return static_cast<std::int32_t>(flit_.header[1]); }
  /// One link further.
  void cross(bool vertical) {
    const std::int32_t left = vertical ? down() : across();
    flit_.header[vertical ? 1 : 0] = static_cast<std::uint32_t>(left > 0 ? left - 1 : left + 1);
  }
  void set(std::int32_t across, std::int32_t down) {
    flit_.header[0] = static_cast<std::uint32_t>(across);
    flit_.header[1] = static_cast<std::uint32_t>(down);
  }

 private:
  Flit& flit_;
};

/// A place or a destination within a region: row and column counted from its corner.
struct Local {
  std::int32_t row = 0;
  std::int32_t column = 0;
};

/// The class of a packet that is at `from` when a full level begins and goes to `to`.
inline PacketClass classify(const Level& level, Local from, Local to) {
  const std::int32_t R = from.row / level.m, C = from.column / level.m;
  const std::int32_t D = to.row / level.m, E = to.column / level.m;
  const bool edge_row = R == 0 || R == 7, edge_column = C == 0 || C == 7;
  if (edge_row && edge_column && D == 7 - R && E == 7 - C) return PacketClass::critical;
  if (E != 3 && E != 4) return PacketClass::type_two;
  if (!edge_row) return PacketClass::type_one_b;
  return C == 3 || C == 4 ? PacketClass::near_block : PacketClass::far_block;
}

/// How far the block moves of a packet of type Ia go that is at `at` after the sort: {down, across}.
inline Local block_move(const Level& level, Local at) {
  const std::int32_t R = at.row / level.m, C = at.column / level.m;
  const std::int32_t column = at.column % level.m;
  // Supersquares of the left half go to column block 3, those of the right half to 4; 4 supersquares in all, far ones.
  const std::int32_t across = C <= 3 ? 3 - C : 4 - C;
  std::int32_t down = 4 - (across < 0 ? -across : across);
  if (C == 3) down = column < level.near ? 1 : 2;
  if (C == 4) down = column < level.m - level.near ? 2 : 3;
  return {(R == 0 ? down : -down) * level.m, across * level.m};
}

}  // namespace starloom
