#include "controllers/offline/offline_algorithm.hpp"

#include "controllers/offline/offline.hpp"
#include "planners/star_optics.hpp"

namespace starloom {

StarCrew OfflineAlgorithm::make_crew() const {
  const auto timetable = std::make_shared<const StarTimetable>(pops(), destination(), plan_);
  return {
      {1, 0, plan_.slots()},
      for_each_packet([&](NodeId, PacketId packet, NodeId to) { return OfflineController(*timetable, packet, to); }),
      timetable};
}

double OfflineAlgorithm::table_bytes() const { return StarTimetable::bytes(pops()); }

std::map<std::string, double> OfflineAlgorithm::bounds() const { return {{"slots", offline_cost(pops()).slots()}}; }

AlgorithmEntry offline_entry() {
  return star_entry<OfflineAlgorithm>("offline",
                                      "a plan by edge colouring: 1 or 2 ceil(d/g) slots for every permutation");
}

}  // namespace starloom
