#pragma once
/// \file The plain stepper of POPS networks: every processor a controller, every coupler a list of its drivers.
#include <functional>
#include <vector>

#include "controllers/star_controller.hpp"
#include "core/star_trace.hpp"
#include "message/message_run.hpp"
#include "topology/dead_couplers.hpp"

namespace starloom {

struct StarStepping {
  std::vector<NodeId> order;       ///< in which processors are evaluated in each slot; empty: ascending
  bool first_driver_wins = false;  ///< a coupler that breaks the rule of the collision
  const DeadCouplers* dead = nullptr;
  std::function<void(const SlotContext&, SlotFrame&)> damage;  ///< changes what a controller decided
  Step slot_limit = 1 << 14;                                   ///< a cycle that would not fit does not begin
};

struct SteppedRun : MessageRun {
  std::vector<StarRow> rows;     ///< sorted
  const char* breach = nullptr;  ///< first rule of the contract that a controller broke
};

/// Runs controllers until their program is over or the limit is reached. Packets are numbered as their sources.
SteppedRun step_star(const Pops& pops, StarControllers& controllers, const StarProgram& program, std::uint64_t seed,
                     const StarStepping& stepping = {});

}  // namespace starloom
