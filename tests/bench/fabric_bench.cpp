// SPDX-License-Identifier: Apache-2.0
/// \file Speed of the fabric as ratios within one run: to the classic style of a SystemC model, and to a hand-written
/// loop without SystemC. Repeat: `build/release/tests/bench/fabric_bench`.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "bench/child.hpp"
#include "bench/workload.hpp"

namespace starloom::bench {

namespace {

/// Arguments: side, steps, hops per node and step in hundredths.
void mesh(benchmark::State& state) {
  const Workload workload(static_cast<std::int32_t>(state.range(0)), state.range(1),
                          static_cast<double>(state.range(2)) / 100);
  double fabric = 1e9, classic = 1e9, classic_valid = 1e9, loop = 1e9;
  for (auto _ : state) {
    // The best of a few interleaved repetitions, because noise only adds time. The classic styles take long enough
    // for one.
    const Timed b = in_child([&] { return run_classic(workload); });
    const Timed d = in_child([&] { return run_classic_valid(workload); });
    classic = b.seconds;
    classic_valid = d.seconds;
    for (int repetition = 0; repetition < 5; ++repetition) {
      const Timed a = in_child([&] { return run_fabric(workload); });
      const Timed c = in_child([&] { return run_loop(workload); });
      if (!(a.tally == b.tally && a.tally == c.tally && a.tally == d.tally)) {
        state.SkipWithError("the styles disagree");
        return;
      }
      fabric = std::min(fabric, a.seconds);
      loop = std::min(loop, c.seconds);
    }
    state.SetIterationTime(fabric);
  }
  const double node_steps = static_cast<double>(state.range(0) * state.range(0) * state.range(1));
  state.counters["node_steps/s"] = node_steps / fabric;
  state.counters["times_classic"] = classic / fabric;
  state.counters["times_classic_valid"] = classic_valid / fabric;
  state.counters["of_loop"] = loop / fabric;
}

BENCHMARK(mesh)
    ->Name("mesh/activity_5_percent")
    ->Args({64, 4000, 5})
    ->Args({180, 1000, 5})
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(mesh)
    ->Name("mesh/near_saturation")
    ->Args({64, 500, 240})
    ->Args({180, 400, 240})
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starloom::bench
