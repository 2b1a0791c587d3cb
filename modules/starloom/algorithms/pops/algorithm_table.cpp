// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/pops/algorithm_table.hpp>

#include <starloom/algorithms/broadcast/broadcast_algorithm.hpp>
#include <starloom/algorithms/comparator_sort/comparator_sort_algorithm.hpp>
#include <starloom/algorithms/data_sum/data_sum_algorithm.hpp>
#include <starloom/algorithms/direct/direct_algorithm.hpp>
#include <starloom/algorithms/offline/offline_algorithm.hpp>
#include <starloom/algorithms/randomized/randomized_algorithm.hpp>

namespace starloom::pops {

const std::vector<AlgorithmEntry>& algorithm_table() {
  static const std::vector<AlgorithmEntry> table = {
      randomized_entry(), comparator_sort_entry(), offline_entry(), direct_entry(), broadcast_entry(), data_sum_entry(),
  };
  return table;
}

}  // namespace starloom::pops
