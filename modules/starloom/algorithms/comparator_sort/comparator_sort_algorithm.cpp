// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/comparator_sort/comparator_sort_algorithm.hpp>

#include <starloom/algorithms/comparator_sort/comparator_sort.hpp>
#include <starloom/algorithms/comparator_sort/merge_exchange.hpp>

namespace starloom::pops {
namespace {

Rules comparator_sort_rules(const Pops& pops, const KeyValues& /*keys*/) {
  Rules rules;
  rules.arrival = Rules::Arrival::sorted;
  rules.slots = static_cast<Step>(comparator_sort_cost(pops).slots());
  rules.cycle = {{MessageKind::data, false, false}};
  return rules;
}

}  // namespace

void require_full_permutation(const Pops& pops, const std::vector<NodeId>& destination) {
  require_permutation(pops, destination);
  for (std::size_t node = 0; node < destination.size(); ++node)
    if (destination[node] == no_node)
      throw InputError("comparator-sort needs a packet in every processor, but " +
                       pops.node_name(static_cast<NodeId>(node)) +
                       " has none; use randomized or offline for partial permutations");
}

ComparatorSortAlgorithm::ComparatorSortAlgorithm(const AlgorithmContext& context) : PermutationAlgorithm(context) {
  try {
    require_full_permutation(pops(), destination());
  } catch (const InputError& error) {
    throw UnservedPackets(error.what());
  }
}

ControllerSetup ComparatorSortAlgorithm::make_controllers() const {
  const auto program = std::make_shared<const SortProgram>(pops());
  return {{1, 0, program->slots()},
          for_each_packet(
              [&](NodeId, PacketId packet, NodeId to) { return ComparatorSortController(*program, packet, to); }),
          program};
}

double ComparatorSortAlgorithm::table_bytes() const {
  return static_cast<double>(merge_exchange(pops().nodes()).size()) *
         (Timetable::bytes(pops()) + pops().nodes() * remembered_bytes);
}

std::map<std::string, double> ComparatorSortAlgorithm::bounds() const {
  return {{"slots", comparator_sort_cost(pops()).slots()}};
}

AlgorithmEntry comparator_sort_entry() {
  return entry_of<ComparatorSortAlgorithm>("comparator-sort",
                                           "sorts packets by destination with Batcher's merge exchange",
                                           comparator_sort_rules, slots_bound());
}

}  // namespace starloom::pops
