// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The state that a packet of the constant-queue router carries: its class, its stage, and its remaining route.
#include <cstdint>

#include <starloom/algorithms/constant_queue/packet_class.hpp>
#include <starloom/core/flit.hpp>

namespace starloom::links {

/// The stage of an ordinary packet.
enum class Stage : std::uint16_t {
  sort,     ///< takes part in the sort of its subsquare, or waits for its end
  block,    ///< moves with its block
  row,      ///< moves along its row to its column
  column,   ///< moves along its column; special packets: to their temporary row, and wait there
  release,  ///< special packets: move on from their temporary row
  home,     ///< at its destination, until the level above resumes it
};

/// The remaining route within a stage, and the other state of a packet. The tag of the flit, which waves show, is
/// class + 8 * stage; bit 6 is set in special packets, higher bits contain the level.
class Route {
 public:
  explicit Route(Flit& flit) : flit_(flit) {}

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
  /// Crosses one link.
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

}  // namespace starloom::links
