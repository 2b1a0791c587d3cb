#include <starloom/controllers/pops/broadcast/broadcast_algorithm.hpp>
#include <starloom/controllers/pops/comparator_sort/comparator_sort_algorithm.hpp>
#include <starloom/controllers/pops/data_sum/data_sum_algorithm.hpp>
#include <starloom/controllers/pops/direct/direct_algorithm.hpp>
#include <starloom/controllers/pops/offline/offline_algorithm.hpp>
#include <starloom/controllers/pops/randomized/randomized_algorithm.hpp>

namespace starloom::pops {

const std::vector<AlgorithmEntry>& algorithm_table() {
  static const std::vector<AlgorithmEntry> table = {
      broadcast_entry(), comparator_sort_entry(), data_sum_entry(), direct_entry(), offline_entry(), randomized_entry(),
  };
  return table;
}

}  // namespace starloom::pops
