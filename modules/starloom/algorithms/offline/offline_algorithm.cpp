// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/offline/offline_algorithm.hpp>

#include <starloom/algorithms/offline/offline.hpp>

namespace starloom::pops {
namespace {

Rules offline_rules(const Pops& pops, const KeyValues& /*keys*/) {
  Rules rules;
  rules.slots = static_cast<Step>(offline_cost(pops).slots());
  if (rules.slots > 1) rules.cycle = {{MessageKind::data, false, false}, {MessageKind::data, true, false}};
  return rules;
}

}  // namespace

ControllerSetup OfflineAlgorithm::make_controllers() const {
  const auto timetable = std::make_shared<const Timetable>(pops(), destination(), plan_);
  return {
      {1, 0, plan_.slots()},
      for_each_packet([&](NodeId, PacketId packet, NodeId to) { return OfflineController(*timetable, packet, to); }),
      timetable};
}

double OfflineAlgorithm::table_bytes() const { return Timetable::bytes(pops()); }

std::map<std::string, double> OfflineAlgorithm::bounds() const { return {{"slots", offline_cost(pops()).slots()}}; }

AlgorithmEntry offline_entry() {
  return entry_of<OfflineAlgorithm>("offline", "planned by edge colouring: 1 or 2 ceil(d/g) slots for any permutation",
                                    offline_rules, slots_bound());
}

}  // namespace starloom::pops
