#include <starloom/controllers/links/algorithm.hpp>
#include <starloom/controllers/links/constant_queue/constant_queue.hpp>
#include <starloom/controllers/links/deflection/deflection.hpp>
#include <starloom/controllers/links/direct_diagonals/direct_diagonals.hpp>
#include <starloom/controllers/links/greedy/greedy.hpp>
#include <starloom/controllers/links/kunde/kunde.hpp>
#include <starloom/controllers/links/mesh_sort/mesh_sort.hpp>
#include <starloom/controllers/links/multistage/multistage.hpp>
#include <starloom/controllers/links/multistage_plus/multistage_plus.hpp>
#include <starloom/controllers/links/nearest_ancestor/nearest_ancestor.hpp>
#include <starloom/controllers/links/offline_worms/offline_worms.hpp>
#include <starloom/controllers/links/probes/hold.hpp>
#include <starloom/controllers/links/probes/hot_potato.hpp>
#include <starloom/controllers/links/probes/keys.hpp>
#include <starloom/controllers/links/probes/quitter.hpp>
#include <starloom/controllers/links/probes/sleeper.hpp>
#include <starloom/controllers/links/product/product.hpp>
#include <starloom/controllers/links/sliding_diagonals/sliding_diagonals.hpp>
#include <starloom/controllers/links/supernode_hot_potato/supernode_hot_potato.hpp>
#include <starloom/controllers/links/three_phase/three_phase.hpp>
#include <starloom/controllers/links/vc_wormhole/vc_wormhole.hpp>

namespace starloom::links {

const std::vector<AlgorithmEntry>& algorithm_table() {
  static const std::vector<AlgorithmEntry> table = {
      constant_queue_entry(),
      deflection_entry(),
      direct_diagonals_entry(),
      greedy_entry(),
      kunde_entry(),
      mesh_sort_entry(),
      multistage_entry(),
      multistage_plus_entry(),
      nearest_ancestor_entry(),
      offline_worms_entry(),
      probe_hold_entry(),
      probe_hot_potato_entry(),
      probe_keys_entry(),
      probe_quitter_entry(),
      probe_sleeper_entry(),
      product_entry(),
      sliding_diagonals_entry(),
      supernode_hot_potato_entry(),
      three_phase_entry(),
      vc_wormhole_entry(),
  };
  return table;
}

const AlgorithmEntry* find_algorithm(const std::string& name) {
  for (const AlgorithmEntry& entry : algorithm_table())
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace starloom::links
