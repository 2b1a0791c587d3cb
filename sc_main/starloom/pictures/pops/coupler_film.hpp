// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The states of the couplers of a POPS network in the first slots of a run, for a picture.
#include <vector>

#include <starloom/fabric/pops/engine.hpp>
#include <starloom/fabric/pops/slot_observer.hpp>

namespace starloom::pops {

/// A tile of the matrix of couplers: a coupler, or a block of them, of which it shows the most important one: the
/// first in collision, else the first that carries.
struct CouplerTile {
  std::int32_t across = 0;  ///< index of the tile, by destination groups
  std::int32_t down = 0;    ///< by source groups
  std::int32_t to = 0;      ///< the coupler
  std::int32_t from = 0;
  CouplerState state = CouplerState::idle;
  Message message;  ///< if it carries a message
};

struct CouplerFrame {
  Step slot = 0;
  Step slot_of_cycle = 0;  ///< no_step in the drain
  std::int64_t carrying = 0;
  std::int64_t collisions = 0;
  std::vector<CouplerTile> busy;  ///< tiles that are not idle
};

/// Couplers per tile in each direction, so that a matrix has at most 32 x 32 tiles.
std::int32_t couplers_per_tile(const Pops& pops);

/// Keeps the first 20 slots; for large networks fewer, so that they have about 8192 tiles, but at least 5.
class CouplerFilm final : public SlotObserver {
 public:
  /// `next`: another observer of the run, or null.
  CouplerFilm(const Pops& pops, SlotObserver* next);
  void show(Step slot, const Engine& engine) override;
  const std::vector<CouplerFrame>& frames() const { return frames_; }

 private:
  const Pops pops_;
  SlotObserver* next_;
  Step slots_;
  std::vector<CouplerFrame> frames_;
};

}  // namespace starloom::pops
