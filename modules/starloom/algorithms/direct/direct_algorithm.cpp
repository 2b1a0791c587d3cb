// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/direct/direct_algorithm.hpp>

#include <starloom/algorithms/direct/direct.hpp>

namespace starloom::pops {
namespace {

Rules direct_rules(const Pops& /*pops*/, const KeyValues& /*keys*/) {
  Rules rules;
  rules.cycle = {{MessageKind::data, true, true}, {MessageKind::ack, false, false}};
  rules.acknowledged = true;
  rules.observed = true;
  return rules;
}

}  // namespace

ControllerSetup DirectAlgorithm::make_controllers() const {
  std::vector<std::int32_t> source_group(destination().size(), no_group);
  for (NodeId node = 0; node < pops().nodes(); ++node) {
    const NodeId to = destination()[static_cast<std::size_t>(node)];
    if (to != no_node) source_group[static_cast<std::size_t>(to)] = pops().group_of(node);
  }
  const auto rules = std::make_shared<const DirectRules>(pops());
  return {{DirectRules::cycle_slots, 0, no_step},
          for_each_packet([&](NodeId node, PacketId packet, NodeId to) {
            return DirectController(*rules, packet, to, source_group[static_cast<std::size_t>(node)]);
          }),
          rules};
}

/// In slots, while the hardware counts cycles of two slots.
Schedule DirectAlgorithm::schedule(const RunRecord& run) const {
  const auto slots = static_cast<std::int64_t>(run.slots.size());
  return {slots, "slot", slots, 1};
}

std::vector<bool> DirectAlgorithm::acks_in_cycle() const { return {false, true}; }

AlgorithmEntry direct_entry() {
  return entry_of<DirectAlgorithm>("direct", "direct coupler to the destination's group, with backoff after collisions",
                                   direct_rules);
}

}  // namespace starloom::pops
