// SPDX-License-Identifier: Apache-2.0
/// \file The cost of waves, as ratios within one run. Repeat: `build/release/tests/bench/waves_bench`.
///
/// `window_cost_percent`: a run of a 64 x 64 mesh that shows a window of 8 x 8 nodes in its middle, against one without
/// waves. `ns_per_change`: what a run that shows everything takes longer, divided by the values written. The same of a
/// POPS network, where the window is a row of couplers and every tenth processor of a group.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <systemc>

#include <starloom/algorithms/randomized/randomized.hpp>
#include <starloom/fabric/pops/network.hpp>
#include <starloom/waveforms/links/link_waves.hpp>
#include <starloom/waveforms/pops/coupler_waves.hpp>
#include "bench/child.hpp"
#include "bench/workload.hpp"
#include "support/named_algorithm.hpp"
#include "support/permutations.hpp"
#include "unit/scratch_folder.hpp"

namespace starloom::bench {
namespace {

constexpr std::int32_t side = 64;

struct Cost {
  double seconds = 0;
  std::int64_t changes = 0;
};

Cost without_waves(const Workload& workload) { return {run_fabric(workload).seconds, 0}; }

Cost with_waves(const Workload& workload, const std::vector<std::string>& scope) {
  const ScratchFolder scratch;
  const Grid mesh = Grid::mesh({side, side});
  const auto greedy = links::named_algorithm("greedy", mesh, {{"discipline", std::string("fifo")}});
  const links::Declaration& declaration = greedy->declaration();
  links::LinkWaves waves(scratch.file("waves.vcd"), network_of(mesh).graph, declaration,
                         links::choose_instances(network_of(mesh).graph, declaration, scope), {}, 1);
  Cost cost;
  cost.seconds = run_fabric(workload, &waves).seconds;
  const double close = cpu_seconds();
  waves.file().close(workload.steps);
  cost.seconds += cpu_seconds() - close;
  cost.changes = waves.file().changes();
  return cost;
}

/// Arguments: steps, hops per node and step in hundredths, steps of the run that shows everything.
void waves(benchmark::State& state) {
  const double hops = static_cast<double>(state.range(1)) / 100;
  const Workload workload(side, state.range(0), hops);
  const Workload short_workload(side, state.range(2), hops);
  std::vector<std::string> nodes;
  for (int row = 28; row < 36; ++row)
    for (int column = 28; column < 36; ++column)
      nodes.push_back("node_r" + std::to_string(row) + "_c" + std::to_string(column));
  double plain = std::numeric_limits<double>::max(), shown = plain, short_plain = plain, all = plain;
  std::int64_t changes = 0, window_changes = 0;
  for (auto _ : state) {
    // The best of a few interleaved repetitions, because noise only adds time.
    for (int repetition = 0; repetition < 5; ++repetition) {
      plain = std::min(plain, in_child([&] { return without_waves(workload); }).seconds);
      const Cost of_window = in_child([&] { return with_waves(workload, nodes); });
      shown = std::min(shown, of_window.seconds);
      window_changes = of_window.changes;
      short_plain = std::min(short_plain, in_child([&] { return without_waves(short_workload); }).seconds);
      const Cost of_all = in_child([&] { return with_waves(short_workload, {"*"}); });
      all = std::min(all, of_all.seconds);
      changes = of_all.changes;
    }
    state.SetIterationTime(shown);
  }
  state.counters["window_cost_percent"] = 100 * (shown / plain - 1);
  state.counters["window_changes/step"] = static_cast<double>(window_changes) / static_cast<double>(state.range(0));
  state.counters["ns_per_change"] = 1e9 * (all - short_plain) / static_cast<double>(changes);
}

/// `randomized` on POPS(d,g) with waves of what `scope` matches; an empty one: without waves.
Cost star_run(std::int32_t d, std::int32_t g, const std::vector<std::string>& scope) {
  const Pops pops(d, g);
  const pops::RandomizedRules rules(pops, pops::RandomizedOptions());
  const std::vector<NodeId> destination = random_permutation(pops.nodes(), 1);
  const auto controllers = pops::controllers_for(pops, [&rules, &destination](NodeId node) {
    return pops::RandomizedController(rules, node, destination[static_cast<std::size_t>(node)]);
  });
  auto* network = new pops::Network("network", pops, *controllers,  // owned to the end of the process
                                    {pops::RandomizedRules::cycle_slots, rules.drain_slots(), no_step}, destination);
  const ScratchFolder scratch;
  std::optional<pops::CouplerWaves> waves;
  if (!scope.empty()) {
    waves.emplace(scratch.file("waves.vcd"), pops, pops::choose_instances(pops, scope), WaveWindow(), 1);
    network->fabric.set_observer(&*waves);
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  Cost cost;
  const double start = cpu_seconds();
  sc_core::sc_start();
  if (waves) {
    waves->file().close(static_cast<Step>(network->fabric.engine().record().slots.size()));
    cost.changes = waves->file().changes();
  }
  cost.seconds = cpu_seconds() - start;
  return cost;
}

/// Arguments: d, g.
void star_waves(benchmark::State& state) {
  const auto d = static_cast<std::int32_t>(state.range(0)), g = static_cast<std::int32_t>(state.range(1));
  double plain = std::numeric_limits<double>::max(), shown = plain, all = plain;
  std::int64_t changes = 0;
  for (auto _ : state) {
    for (int repetition = 0; repetition < 20; ++repetition) {
      plain = std::min(plain, in_child([&] { return star_run(d, g, {}); }).seconds);
      shown = std::min(shown, in_child([&] { return star_run(d, g, {"row_from05", "proc_g05_p??0"}); }).seconds);
      const Cost of_all = in_child([&] { return star_run(d, g, {"*"}); });
      all = std::min(all, of_all.seconds);
      changes = of_all.changes;
    }
    state.SetIterationTime(shown);
  }
  state.counters["window_cost_percent"] = 100 * (shown / plain - 1);
  state.counters["ns_per_change"] = 1e9 * (all - plain) / static_cast<double>(changes);
}
BENCHMARK(star_waves)
    ->Name("waves/pops")
    ->Args({256, 16})
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

BENCHMARK(waves)
    ->Name("waves/activity_5_percent")
    ->Args({8000, 5, 2000})
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(waves)
    ->Name("waves/near_saturation")
    ->Args({1000, 240, 150})
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starloom::bench
