// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A plan as a timetable for processors: the couplers that each drives and samples in each slot.
#include <cmath>
#include <cstdint>
#include <vector>

#include <starloom/control/pops/controller.hpp>
#include <starloom/planning/pops/plan.hpp>

namespace starloom::pops {

/// 8 bytes per processor and round, 16 per processor.
class Timetable {
 public:
  Timetable(const Pops& pops, const std::vector<NodeId>& destination, const Plan& plan);

  /// Approximate memory of a timetable.
  static double bytes(const Pops& pops) {
    const double rounds = std::ceil(static_cast<double>(pops.group_size()) / pops.groups());
    return pops.nodes() * (16 + 8 * rounds);
  }
  std::int64_t slots() const { return slots_; }
  /// The group to which a processor sends its own packet in a slot, or `no_group`.
  std::int32_t sends_to(NodeId node, std::int64_t slot) const {
    const Own& own = own_[static_cast<std::size_t>(node)];
    return own.send_slot == slot ? own.send_to : no_group;
  }
  /// The group to which it forwards, in a slot, the message heard in the slot before, or `no_group`.
  std::int32_t passes_to(NodeId node, std::int64_t slot) const {
    return slots_ > 1 && slot % 2 == 1 ? relay(node, slot).to : no_group;
  }
  /// The group whose coupler it samples in a slot, or `no_group`.
  std::int32_t samples(NodeId node, std::int64_t slot) const {
    const Own& own = own_[static_cast<std::size_t>(node)];
    if (own.receive_slot == slot) return own.receive_from;
    return slots_ > 1 && slot % 2 == 0 && slot < slots_ ? relay(node, slot).from : no_group;
  }
  /// The slot in which it samples the packet addressed to it, or -1.
  std::int64_t receive_slot(NodeId node) const { return own_[static_cast<std::size_t>(node)].receive_slot; }

 private:
  struct Own {
    std::int32_t send_slot = -1, send_to = no_group, receive_slot = -1, receive_from = no_group;
  };
  struct Relay {
    std::int32_t from = no_group, to = no_group;
  };
  const Relay& relay(NodeId node, std::int64_t slot) const {
    return relays_[static_cast<std::size_t>(slot / 2) * own_.size() + static_cast<std::size_t>(node)];
  }

  std::int64_t slots_;
  std::vector<Own> own_;       ///< [node]
  std::vector<Relay> relays_;  ///< [round * nodes + node]
};

}  // namespace starloom::pops
