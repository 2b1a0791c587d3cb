#include "controllers/algorithm.hpp"
#include "controllers/constant_queue/constant_queue.hpp"
#include "controllers/deflection/deflection.hpp"
#include "controllers/greedy/greedy.hpp"
#include "controllers/kunde/kunde.hpp"
#include "controllers/mesh_sort/mesh_sort.hpp"
#include "controllers/multistage/multistage.hpp"
#include "controllers/offline_worms/offline_worms.hpp"
#include "controllers/probes/credits.hpp"
#include "controllers/probes/hold.hpp"
#include "controllers/probes/hot_potato.hpp"
#include "controllers/probes/keys.hpp"
#include "controllers/probes/quitter.hpp"
#include "controllers/probes/sleeper.hpp"
#include "controllers/product/product.hpp"
#include "controllers/three_phase/three_phase.hpp"

namespace starloom {

const std::vector<AlgorithmEntry>& algorithm_table() {
  static const std::vector<AlgorithmEntry> table = {
      constant_queue_entry(), deflection_entry(),       greedy_entry(),        kunde_entry(),
      mesh_sort_entry(),      multistage_entry(),       offline_worms_entry(), probe_credits_entry(),
      probe_hold_entry(),     probe_hot_potato_entry(), probe_keys_entry(),    probe_quitter_entry(),
      probe_sleeper_entry(),  product_entry(),          three_phase_entry(),
  };
  return table;
}

const AlgorithmEntry* find_algorithm(const std::string& name) {
  for (const AlgorithmEntry& entry : algorithm_table())
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace starloom
