// SPDX-License-Identifier: Apache-2.0
#include <starloom/pictures/pops/coupler_film.hpp>

#include <algorithm>

namespace starloom::pops {
namespace {

constexpr std::int32_t most_tiles_across = 32;
constexpr std::int64_t most_tiles = 8192;

}  // namespace

std::int32_t couplers_per_tile(const Pops& pops) { return (pops.groups() + most_tiles_across - 1) / most_tiles_across; }

CouplerFilm::CouplerFilm(const Pops& pops, SlotObserver* next) : pops_(pops), next_(next) {
  const std::int64_t side = (pops.groups() + couplers_per_tile(pops) - 1) / couplers_per_tile(pops);
  slots_ = std::clamp<Step>(most_tiles / (side * side), 5, 20);
}

void CouplerFilm::show(Step slot, const Engine& engine) {
  if (next_ != nullptr) next_->show(slot, engine);
  if (slot >= slots_) return;
  CouplerFrame& frame = frames_.emplace_back();
  frame.slot = slot;
  frame.slot_of_cycle = engine.slot_of_cycle();
  const std::int32_t block = couplers_per_tile(pops_), side = (pops_.groups() + block - 1) / block;
  std::vector<CouplerTile> tiles(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  for (std::int32_t from = 0; from < pops_.groups(); ++from)
    for (std::int32_t to = 0; to < pops_.groups(); ++to) {
      const std::size_t coupler = engine.coupler(to, from);
      const CouplerState state = engine.state(coupler);
      frame.carrying += state == CouplerState::carrying ? 1 : 0;
      frame.collisions += state == CouplerState::collision ? 1 : 0;
      CouplerTile& tile = tiles[static_cast<std::size_t>(from / block) * static_cast<std::size_t>(side) +
                                static_cast<std::size_t>(to / block)];
      if (state <= tile.state) continue;
      tile = {to / block, from / block, to, from, state, {}};
      if (state == CouplerState::carrying) tile.message = engine.message(coupler);
    }
  for (const CouplerTile& tile : tiles)
    if (tile.state != CouplerState::idle) frame.busy.push_back(tile);
}

}  // namespace starloom::pops
