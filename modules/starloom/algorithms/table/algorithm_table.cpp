// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/table/algorithm_table.hpp>

#include <starloom/algorithms/broadcast/broadcast_algorithm.hpp>
#include <starloom/algorithms/comparator_sort/comparator_sort_algorithm.hpp>
#include <starloom/algorithms/constant_queue/constant_queue.hpp>
#include <starloom/algorithms/data_sum/data_sum_algorithm.hpp>
#include <starloom/algorithms/deflection/deflection.hpp>
#include <starloom/algorithms/direct/direct_algorithm.hpp>
#include <starloom/algorithms/direct_diagonals/direct_diagonals.hpp>
#include <starloom/algorithms/greedy/greedy.hpp>
#include <starloom/algorithms/kunde/kunde.hpp>
#include <starloom/algorithms/mesh_sort/mesh_sort.hpp>
#include <starloom/algorithms/multistage/multistage.hpp>
#include <starloom/algorithms/multistage_plus/multistage_plus.hpp>
#include <starloom/algorithms/nearest_ancestor/nearest_ancestor.hpp>
#include <starloom/algorithms/offline/offline_algorithm.hpp>
#include <starloom/algorithms/offline_worms/offline_worms.hpp>
#include <starloom/algorithms/product/product.hpp>
#include <starloom/algorithms/randomized/randomized_algorithm.hpp>
#include <starloom/algorithms/sliding_diagonals/sliding_diagonals.hpp>
#include <starloom/algorithms/supernode_hot_potato/supernode_hot_potato.hpp>
#include <starloom/algorithms/three_phase/three_phase.hpp>
#include <starloom/control/router_parts.hpp>
#include <starloom/router/vc_wormhole.hpp>

namespace starloom {
namespace links {

const std::vector<AlgorithmEntry>& algorithm_table() {
  static const auto parts = std::make_shared<const RouterParts>(standard_parts());
  static const std::vector<AlgorithmEntry> table = {
      vc_wormhole_entry(parts), greedy_entry(parts),          nearest_ancestor_entry(),
      deflection_entry(),       constant_queue_entry(),       kunde_entry(),
      mesh_sort_entry(),        three_phase_entry(),          sliding_diagonals_entry(),
      direct_diagonals_entry(), supernode_hot_potato_entry(), multistage_entry(),
      multistage_plus_entry(),  offline_worms_entry(),        product_entry(),
  };
  return table;
}

const AlgorithmEntry* find_algorithm(const std::string& name) {
  for (const AlgorithmEntry& entry : algorithm_table())
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace links

namespace pops {

const std::vector<AlgorithmEntry>& algorithm_table() {
  static const std::vector<AlgorithmEntry> table = {
      randomized_entry(), comparator_sort_entry(), offline_entry(), direct_entry(), broadcast_entry(), data_sum_entry(),
  };
  return table;
}

}  // namespace pops
}  // namespace starloom
