#include "controllers/comparator_sort/comparator_sort_algorithm.hpp"

#include "controllers/comparator_sort/comparator_sort.hpp"
#include "planners/merge_exchange.hpp"
#include "planners/star_optics.hpp"

namespace starloom {

void require_full_permutation(const Pops& pops, const std::vector<NodeId>& destination) {
  require_permutation(pops, destination);
  for (std::size_t node = 0; node < destination.size(); ++node)
    if (destination[node] == no_node)
      throw InputError("comparator-sort needs a packet in every processor, but " +
                       pops.node_name(static_cast<NodeId>(node)) + " has none; randomized and offline do not");
}

ComparatorSortAlgorithm::ComparatorSortAlgorithm(const StarContext& context) : PermutationAlgorithm(context) {
  try {
    require_full_permutation(pops(), destination());
  } catch (const InputError& fault) {
    throw UnservedPackets(fault.what());
  }
}

StarCrew ComparatorSortAlgorithm::make_crew() const {
  const auto program = std::make_shared<const SortProgram>(pops());
  return {{1, 0, program->slots()},
          for_each_packet(
              [&](NodeId, PacketId packet, NodeId to) { return ComparatorSortController(*program, packet, to); }),
          program};
}

double ComparatorSortAlgorithm::table_bytes() const {
  return static_cast<double>(merge_exchange(pops().nodes()).size()) *
         (StarTimetable::bytes(pops()) + pops().nodes() * remembered_bytes);
}

std::map<std::string, double> ComparatorSortAlgorithm::bounds() const {
  return {{"slots", comparator_sort_cost(pops()).slots()}};
}

AlgorithmEntry comparator_sort_entry() {
  return star_entry<ComparatorSortAlgorithm>(
      "comparator-sort", "sorts the packets by destination with Batcher's merge exchange, deterministic and on-line");
}

}  // namespace starloom
