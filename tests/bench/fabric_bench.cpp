/// \file Speed of the fabric as ratios within one run: against the classic style of a SystemC model, and against a
/// hand-written loop without SystemC. Repeat: `build/release/tests/bench/fabric_bench`.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <systemc>

#include "bench/workload.hpp"

namespace starloom::bench {

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

namespace {

/// Each run in a process of its own: one elaboration each, and no style inherits another's heap.
Timed in_child(Timed (*style)(const Workload&), const Workload& workload) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    const Timed timed = style(workload);
    const auto written = write(ends[1], &timed, sizeof timed);
    _exit(written == sizeof timed ? 0 : 1);
  }
  close(ends[1]);
  Timed timed;
  const auto got = read(ends[0], &timed, sizeof timed);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (got != sizeof timed || status != 0) throw std::runtime_error("a style failed");
  return timed;
}

/// Arguments: side, steps, hops per node and step in hundredths.
void mesh(benchmark::State& state) {
  const Workload workload(static_cast<std::int32_t>(state.range(0)), state.range(1),
                          static_cast<double>(state.range(2)) / 100);
  double fabric = 1e9, classic = 1e9, classic_valid = 1e9, loop = 1e9;
  for (auto _ : state) {
    // The best of a few interleaved repetitions: noise only ever adds time.
    for (int repetition = 0; repetition < 3; ++repetition) {
      const Timed a = in_child(run_fabric, workload);
      const Timed b = in_child(run_classic, workload);
      const Timed c = in_child(run_loop, workload);
      const Timed d = in_child(run_classic_valid, workload);
      if (!(a.tally == b.tally && a.tally == c.tally && a.tally == d.tally)) {
        state.SkipWithError("the styles disagree");
        return;
      }
      fabric = std::min(fabric, a.seconds);
      classic = std::min(classic, b.seconds);
      classic_valid = std::min(classic_valid, d.seconds);
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
    ->Args({64, 1000, 240})
    ->Args({180, 400, 240})
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starloom::bench

int sc_main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
