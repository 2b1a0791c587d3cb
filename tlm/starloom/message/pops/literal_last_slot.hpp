// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The paper's own slot 5 for d > g, which loses packets (key `literal` of `randomized`).
#include <algorithm>
#include <cstdint>
#include <vector>

#include <starloom/algorithms/randomized/randomized_rules.hpp>
#include <starloom/core/pops/slot_counts.hpp>
#include <starloom/message/pops/coupler_loads.hpp>

namespace starloom::pops {

/// All packets that the temporary groups received in a cycle are forwarded in one slot: those for different
/// processors of a group may collide, and are lost then.
class LiteralLastSlot {
 public:
  /// All outlive the slot. `destination`: [node].
  LiteralLastSlot(const Pops& pops, const RandomizedRules& rules, const std::vector<NodeId>& destination)
      : pops_(pops),
        rules_(rules),
        destination_(destination),
        drivers_(static_cast<std::size_t>(pops.couplers())),
        samplers_(drivers_.size(), static_cast<std::uint32_t>(rules.classes())) {}

  /// Called for a packet that has reached the temporary group of its destination in this cycle.
  void keep(NodeId source) { kept_.push_back(source); }

  /// Runs slot 5 of a cycle, and clears its packets. `listeners`: processors that have received no packet yet. Adds
  /// drives to `loads`, and calls `arrived(source)` for each packet that is not lost.
  template <class Arrived>
  SlotCounts play(std::int64_t cycle, std::int64_t listeners, CouplerLoads& loads, Arrived arrived) {
    std::fill(drivers_.begin(), drivers_.end(), 0U);
    const auto coupler_of = [&](NodeId source) {
      const NodeId to = destination_[static_cast<std::size_t>(source)];
      return static_cast<std::size_t>(pops_.coupler(pops_.group_of(to), rules_.temporary_group(to, cycle)));
    };
    const auto groups = static_cast<std::size_t>(pops_.groups());
    SlotCounts row{static_cast<std::int64_t>(kept_.size()), 0, 0, listeners};
    for (const NodeId source : kept_) {
      const std::size_t coupler = coupler_of(source);
      if (++drivers_[coupler] == 2) ++row.collisions;
      loads.add_one(coupler / groups, coupler % groups);
    }
    for (const NodeId source : kept_) {
      const std::size_t coupler = coupler_of(source);
      if (drivers_[coupler] != 1) continue;
      row.delivered += samplers_[coupler]--;
      arrived(source);
    }
    kept_.clear();
    return row;
  }

 private:
  const Pops& pops_;
  const RandomizedRules& rules_;
  const std::vector<NodeId>& destination_;
  std::vector<NodeId> kept_;             ///< sources of the packets of this cycle's slot 5
  std::vector<std::uint32_t> drivers_;   ///< [coupler] in slot 5
  std::vector<std::uint32_t> samplers_;  ///< [coupler] processors that sample it until they have received a packet
};

}  // namespace starloom::pops
