// SPDX-License-Identifier: Apache-2.0
/// \file Message-level POPS: one permutation, its generation apart. Repeat: `build/release/tests/bench/pops_bench`.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <starloom/message/pops/randomized_model.hpp>
#include "bench/child.hpp"
#include "support/permutations.hpp"

namespace starloom::pops {
namespace {

using bench::cpu_seconds;

/// Arguments: group size, groups.
void randomized(benchmark::State& state) {
  const Pops pops(state.range(0), state.range(1));
  const RandomizedRules rules(pops, RandomizedOptions());
  const std::vector<NodeId> permutation = random_permutation(pops.nodes(), 1);
  std::uint64_t seed = 0;
  std::int64_t messages = 0;
  const double start = cpu_seconds();
  for (auto _ : state) {
    const MessageRun run = route_randomized(pops, rules, permutation, ++seed, 1 << 20, false);
    if (run.undelivered != 0) state.SkipWithError("packets were not delivered");
    messages += run.data_drives + run.ack_drives;
    state.counters["cycles"] = static_cast<double>(run.units);
  }
  state.counters["ns_per_message"] = 1e9 * (cpu_seconds() - start) / static_cast<double>(messages);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["bytes_per_processor"] = static_cast<double>(usage.ru_maxrss) * 1024 / pops.nodes();
  state.SetItemsProcessed(state.iterations() * pops.nodes());
}
BENCHMARK(randomized)->Args({1024, 1024})->Args({4096, 4096})->Args({16384, 1024})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starloom::pops

BENCHMARK_MAIN();
