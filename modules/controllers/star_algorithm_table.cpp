#include "controllers/broadcast/broadcast_algorithm.hpp"
#include "controllers/comparator_sort/comparator_sort_algorithm.hpp"
#include "controllers/data_sum/data_sum_algorithm.hpp"
#include "controllers/direct/direct_algorithm.hpp"
#include "controllers/offline/offline_algorithm.hpp"
#include "controllers/randomized/randomized_algorithm.hpp"

namespace starloom {

const std::vector<AlgorithmEntry>& star_algorithm_table() {
  static const std::vector<AlgorithmEntry> table = {
      broadcast_entry(), comparator_sort_entry(), data_sum_entry(), direct_entry(), offline_entry(), randomized_entry(),
  };
  return table;
}

}  // namespace starloom
