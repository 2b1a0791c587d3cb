// SPDX-License-Identifier: Apache-2.0
#include <starloom/control/pops/algorithm.hpp>

#include <algorithm>

namespace starloom::pops {

std::string packet_text(const AlgorithmContext& context, std::size_t packet) {
  return "packet " + std::to_string(packet) + " of " + context.pops.node_name(context.packets[packet].source);
}

void require_packets_at_once(const AlgorithmContext& context) {
  for (std::size_t p = 0; p < context.packets.size(); ++p)
    if (context.packets[p].created != 0)
      throw UnservedPackets(packet_text(context, p) + " is created in slot " +
                            std::to_string(context.packets[p].created) +
                            ", but on POPS networks all packets must exist in slot 0");
}

std::map<std::string, double> Algorithm::metrics(const RunRecord& run) const {
  std::int64_t collisions = 0;
  for (const SlotCounts& slot : run.slots) collisions += slot.collisions;
  return {{"collisions", static_cast<double>(collisions)}};
}

std::vector<MetricSpec> Algorithm::declared_metrics() {
  return {integer_metric("collisions", "", "slots of couplers with two or more drivers")};
}

std::vector<bool> Algorithm::ack_slots(const RunRecord& run) const {
  const std::vector<bool> cycle = acks_in_cycle();
  std::vector<bool> acks(run.slots.size(), false);
  const std::size_t in_cycles = run.drain_from == no_step ? acks.size() : static_cast<std::size_t>(run.drain_from);
  for (std::size_t slot = 0; slot < std::min(in_cycles, acks.size()); ++slot) acks[slot] = cycle[slot % cycle.size()];
  return acks;
}

std::vector<MetricSpec> slots_bound() { return {integer_metric("slots", "slots", "of the program")}; }

}  // namespace starloom::pops
