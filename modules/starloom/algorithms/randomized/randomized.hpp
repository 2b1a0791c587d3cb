// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `randomized`: online permutation routing on POPS networks in random cycles of five slots.
#include <memory>

#include <starloom/algorithms/randomized/randomized_rules.hpp>
#include <starloom/control/pops/controller.hpp>

namespace starloom::pops {

/// The controller of one processor: three buffers (its own packet, one that it relays, the one addressed to it).
class RandomizedController final : public Controller {
 public:
  /// A processor with a packet for `destination`, or without one (`no_node`). The packet has the number of the
  /// processor.
  RandomizedController(const RandomizedRules& rules, PacketId packet, NodeId destination)
      : rules_(&rules), own_{MessageKind::data, packet, destination, 0} {}

  void slot(SlotView& view) override;
  bool unfinished() const override { return holds_own(); }
  std::array<PacketId, buffer_slots> buffered() const override { return {own_.packet, passing_.packet, final_}; }

 private:
  bool holds_own() const { return own_.packet != no_packet; }
  void take_turn(SlotView& view);
  void receive_final(SlotView& view);
  void hand_over(SlotView& view, std::int64_t cycle);
  void sample(SlotView& view, std::int32_t group);
  void keep(SlotView& view);

  const RandomizedRules* rules_;
  Message own_;                           ///< packet `no_packet` once acknowledged
  Message passing_;                       ///< packet `no_packet` if empty
  PacketId final_ = no_packet;            ///< the packet addressed to it, once it has arrived
  std::int32_t asked_ = no_group;         ///< intermediate group of this cycle
  std::int32_t handed_to_ = no_group;     ///< temporary group to which it sent a copy in slot 2
  std::int32_t relayed_from_ = no_group;  ///< source group of that copy
  std::int32_t sampled_ = no_group;       ///< source group of the coupler sampled in the slot before
};

}  // namespace starloom::pops
