// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `direct`: the oblivious baseline. Packets take the coupler from their source's group to their destination's,
/// in cycles of two slots: data, acknowledgement. A processor knows the group from which its packet comes, which
/// `randomized` does not require.
#include <algorithm>
#include <cstdint>

#include <starloom/control/pops/controller.hpp>
#include <starloom/core/random.hpp>

namespace starloom::pops {

/// After each failure a sender takes part half as often, down to about once in d cycles.
class DirectRules {
 public:
  static constexpr int cycle_slots = 2;

  explicit DirectRules(const Pops& pops) {
    while ((std::int64_t{1} << most_halvings_) < pops.group_size()) ++most_halvings_;
  }
  /// Random word 0 of step = first slot of the cycle.
  bool takes_part(std::uint64_t seed, NodeId node, std::int64_t cycle, std::int64_t tries) const {
    const std::uint32_t word = random_word(seed, Purpose::algorithm, node, cycle * cycle_slots, 0);
    return word < (std::uint64_t{1} << 32) >> std::min<std::int64_t>(tries, most_halvings_);
  }

 private:
  std::int64_t most_halvings_ = 0;  ///< ceil(log2 d)
};

class DirectController final : public Controller {
 public:
  /// `source_group`: the source group of the packet addressed to this processor, `no_group` if there is none.
  DirectController(const DirectRules& rules, PacketId packet, NodeId destination, std::int32_t source_group)
      : rules_(&rules), own_{MessageKind::data, packet, destination, 0}, source_group_(source_group) {}

  void slot(SlotView& view) override;
  std::array<PacketId, buffer_slots> buffered() const override { return {own_.packet, no_packet, final_}; }
  /// True until its packet has arrived; then the acknowledgement follows without a conflict.
  bool unfinished() const override { return source_group_ != no_group; }

 private:
  const DirectRules* rules_;
  Message own_;                 ///< packet `no_packet` once it has left
  PacketId final_ = no_packet;  ///< the packet addressed to it, once it has arrived
  std::int32_t source_group_;   ///< `no_group` once the packet has arrived
  std::int64_t tries_ = 0;
  bool asked_ = false;
};

}  // namespace starloom::pops
