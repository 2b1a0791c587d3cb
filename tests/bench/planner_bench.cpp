// SPDX-License-Identifier: Apache-2.0
/// \file Planning times. Repeat: `build/release/tests/bench/planner_bench`.
#include <benchmark/benchmark.h>

#include <starloom/planning/edge_colouring.hpp>
#include "support/permutations.hpp"

namespace starloom::links {
namespace {

/// The demand graph of a random permutation: groups as vertices, packets as edges. Arguments: group size, groups.
void demand_colouring(benchmark::State& state) {
  const auto group_size = static_cast<std::int32_t>(state.range(0)), groups = static_cast<std::int32_t>(state.range(1));
  const std::vector<NodeId> permutation = random_permutation(group_size * groups, 1);
  std::vector<std::int32_t> left, right;
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    left.push_back(static_cast<std::int32_t>(i) / group_size);
    right.push_back(permutation[i] / group_size);
  }
  for (auto _ : state) benchmark::DoNotOptimize(edge_colouring(groups, left, right));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(left.size()));
}
// n = 2^20 in at most 1.5 s; then the worst kinds of degree: odd at every halving, and one above a power of two.
BENCHMARK(demand_colouring)
    ->Args({1024, 1024})
    ->Args({1023, 1025})
    ->Args({1025, 1023})
    ->Args({4096, 256})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starloom::links

BENCHMARK_MAIN();
