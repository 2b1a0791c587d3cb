// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The reference simulator of POPS networks: every processor a controller, every coupler a list of its drivers.
#include <functional>
#include <vector>

#include <starloom/control/pops/controller.hpp>
#include <starloom/core/pops/trace.hpp>
#include <starloom/message/pops/message_run.hpp>
#include <starloom/topology/pops/dead_couplers.hpp>

namespace starloom::pops {

struct Stepping {
  std::vector<NodeId> order;       ///< in which processors are evaluated in each slot; empty: ascending
  bool first_driver_wins = false;  ///< a coupler that breaks the rule of the collision
  const DeadCouplers* dead = nullptr;
  std::function<void(const SlotContext&, SlotFrame&)> damage;  ///< changes what a controller decided
  Step slot_limit = 1 << 14;                                   ///< a cycle that would not fit does not begin
};

struct SteppedRun : MessageRun {
  std::vector<TraceRow> rows;    ///< sorted
  const char* breach = nullptr;  ///< first rule of the contract that a controller broke
};

/// Runs controllers until their program is over or the limit is reached. Packets are numbered as their sources.
SteppedRun run_stepper(const Pops& pops, ControllerArray& controllers, const Program& program, std::uint64_t seed,
                       const Stepping& stepping = {});

}  // namespace starloom::pops
