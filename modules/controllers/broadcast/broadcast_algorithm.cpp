#include "controllers/broadcast/broadcast_algorithm.hpp"

#include "controllers/broadcast/broadcast.hpp"

namespace starloom {

BroadcastAlgorithm::BroadcastAlgorithm(const StarContext& context) : StarAlgorithm(context.pops) {
  require_packets_at_once(context);
  for (std::size_t p = 0; p < context.packets.size(); ++p) {
    if (context.packets[p].destination != no_node)
      throw UnservedPackets(packet_text(context, p) +
                            " has a destination, but broadcast sends packets to all; use traffic.pattern: packets and "
                            "leave destinations empty");
    speakers_.push_back(context.packets[p].source);
  }
}

StarCrew BroadcastAlgorithm::make_crew() const {
  return {{1, 0, static_cast<Step>(speakers_.size())},
          make_controllers(pops(), [this](NodeId) { return BroadcastController(speakers_); })};
}

AlgorithmEntry broadcast_entry() {
  return star_entry<BroadcastAlgorithm>("broadcast", "packets to all processors, one a slot");
}

}  // namespace starloom
