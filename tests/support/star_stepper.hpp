#pragma once
/// \file The plain stepper of POPS networks: every processor a controller, every coupler a list of its drivers.
#include <functional>
#include <memory>
#include <vector>

#include "controllers/star_controller.hpp"
#include "message/message_run.hpp"
#include "topology/dead_couplers.hpp"

namespace starloom {

/// The timetable that all processors share.
struct StarProgram {
  Step cycle_slots = 1;  ///< the global observer looks at the beginning of each cycle
  Step drain_slots = 0;
  Step slots = no_step;  ///< a program of fixed length; no_step: until no processor is unfinished
};

struct StarStepping {
  std::vector<NodeId> order;       ///< in which processors are evaluated in each slot; empty: ascending
  bool first_driver_wins = false;  ///< a coupler that breaks the rule of the collision
  const DeadCouplers* dead = nullptr;
  std::function<void(SlotFrame&)> damage;  ///< changes what a controller decided
  Step slot_limit = 1 << 20;
};

struct SteppedRun : MessageRun {
  const char* breach = nullptr;  ///< first rule of the contract that a controller broke
};

using StarControllers = std::vector<std::unique_ptr<StarController>>;

/// Runs controllers until their program is over or the limit is reached. Packets are numbered as their sources.
SteppedRun step_star(const Pops& pops, StarControllers& controllers, const StarProgram& program, std::uint64_t seed,
                     const StarStepping& stepping = {});

}  // namespace starloom
