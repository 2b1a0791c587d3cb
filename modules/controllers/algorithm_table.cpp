#include "controllers/algorithm.hpp"
#include "controllers/greedy/greedy.hpp"

namespace starloom {

const std::vector<AlgorithmEntry>& algorithm_table() {
  static const std::vector<AlgorithmEntry> table = {
      greedy_entry(),
  };
  return table;
}

const AlgorithmEntry* find_algorithm(const std::string& name) {
  for (const AlgorithmEntry& entry : algorithm_table())
    if (entry.name == name) return &entry;
  return nullptr;
}

}  // namespace starloom
