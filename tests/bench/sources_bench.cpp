// SPDX-License-Identifier: Apache-2.0
/// \file Open-loop sources and the random words of their definition, one by one, in the same run. Repeat:
/// `build/release/tests/bench/sources_bench`.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include <starloom/traffic/open_loop.hpp>

namespace starloom {
namespace {

constexpr std::uint64_t seed = 1;

std::size_t by_definition(NodeId nodes, double rate, Step steps) {
  std::vector<Packet> packets;
  for (Step t = 0; t < steps; ++t)
    for (NodeId v = 0; v < nodes; ++v)
      if (RandomStream(seed, Purpose::injection, v, t).bernoulli(rate)) {
        RandomStream words(seed, Purpose::destination, v, t);
        packets.push_back({v, static_cast<NodeId>(words.bounded(static_cast<std::uint32_t>(nodes))), 1, t});
      }
  return packets.size();
}

std::size_t by_sources(NodeId nodes, double rate, Step steps) {
  OpenLoop sources(seed, nodes, {rate}, {}, {});
  constexpr Step chunk = 256;  // as engines ask for them
  std::vector<Packet> packets;
  std::size_t count = 0;
  for (Step t = 0; t < steps; t += chunk) {
    packets.clear();
    sources.generate(t, std::min(t + chunk, steps), packets);
    count += packets.size();
  }
  return count;
}

double seconds_of(std::size_t (*work)(NodeId, double, Step), NodeId nodes, double rate, Step steps,
                  std::size_t& count) {
  const auto begin = std::chrono::steady_clock::now();
  count = work(nodes, rate, steps);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Arguments: nodes, packets per node and step in ten-thousandths.
void sources(benchmark::State& state) {
  const auto nodes = static_cast<NodeId>(state.range(0));
  const double rate = static_cast<double>(state.range(1)) / 10000;
  const Step steps = 4'000'000 / nodes;
  double best = 1e9, plain = 1e9;
  for (auto _ : state) {
    // The best of a few interleaved repetitions, because noise only adds time.
    for (int repetition = 0; repetition < 5; ++repetition) {
      std::size_t drawn = 0, defined = 0;
      best = std::min(best, seconds_of(by_sources, nodes, rate, steps, drawn));
      plain = std::min(plain, seconds_of(by_definition, nodes, rate, steps, defined));
      if (drawn != defined) return state.SkipWithError("the sources disagree with their definition");
    }
    state.SetIterationTime(best);
  }
  const double node_steps = static_cast<double>(nodes) * static_cast<double>(steps);
  state.counters["ns_per_node_step"] = 1e9 * best / node_steps;
  state.counters["times_definition"] = plain / best;
}
BENCHMARK(sources)
    ->Args({64, 47})
    ->Args({64, 466})
    ->Args({81, 466})
    ->Args({1024, 10})
    ->Args({1024, 106})
    ->Args({1024, 3000})
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starloom

BENCHMARK_MAIN();
