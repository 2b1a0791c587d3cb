// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/broadcast/broadcast_algorithm.hpp>

#include <starloom/algorithms/broadcast/broadcast.hpp>

namespace starloom::pops {
namespace {

Rules broadcast_rules(const Pops& /*pops*/, const KeyValues& /*keys*/) {
  Rules rules;
  rules.arrival = Rules::Arrival::everywhere;
  return rules;
}

}  // namespace

BroadcastAlgorithm::BroadcastAlgorithm(const AlgorithmContext& context) : Algorithm(context.pops) {
  require_packets_at_once(context);
  for (std::size_t p = 0; p < context.packets.size(); ++p) {
    if (context.packets[p].destination != no_node)
      throw UnservedPackets(packet_text(context, p) +
                            " has a destination, but broadcast sends packets to all processors; use traffic.pattern: "
                            "packets and leave the destinations empty");
    speakers_.push_back(context.packets[p].source);
  }
}

ControllerSetup BroadcastAlgorithm::make_controllers() const {
  return {{1, 0, static_cast<Step>(speakers_.size())},
          controllers_for(pops(), [this](NodeId) { return BroadcastController(speakers_); })};
}

AlgorithmEntry broadcast_entry() {
  return entry_of<BroadcastAlgorithm>("broadcast", "sends packets to all processors, one packet per slot",
                                      broadcast_rules, slots_bound());
}

}  // namespace starloom::pops
