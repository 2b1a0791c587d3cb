// SPDX-License-Identifier: Apache-2.0
/// \file Offline plans per second, with sorting: one bend, scheme `any`, `product`, `multistage-plus`; and path
/// selection alone, compared with the plain planner in one run. Repeat: `build/release/tests/bench/multistage_bench`.
/// Longest total distance first, path selection, row-major ties.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include <starloom/algorithms/multistage_plus/multistage_plus_planner.hpp>
#include <starloom/algorithms/product/product_planner.hpp>
#include <starloom/planning/links/multistage/earliest_arrival.hpp>
#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include "support/permutations.hpp"
#include "support/plain_planner.hpp"

namespace starloom::links {
namespace {

/// A few random permutations, planned in turn.
struct Problems {
  explicit Problems(std::int64_t side) : mesh(Grid::mesh({side, side})) {
    for (std::uint64_t seed = 0; seed < 8; ++seed)
      packets.push_back(permutation_packets(random_permutation(mesh.nodes(), seed)));
  }
  const std::vector<Packet>& next() { return packets[at++ % packets.size()]; }

  Grid mesh;
  std::vector<std::vector<Packet>> packets;
  std::size_t at = 0;
};

void report(benchmark::State& state) {
  state.counters["plans"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

template <class Planner>
void plan(benchmark::State& state) {
  Problems problems(state.range(0));
  Planner planner(problems.mesh, {});
  for (auto _ : state) benchmark::DoNotOptimize(planner.plan(problems.next()).length);
  report(state);
}
BENCHMARK(plan<OneBendPlanner>)->Arg(10)->Arg(50)->Arg(100)->Arg(180);
BENCHMARK(plan<MultistagePlusPlanner>)->Arg(10)->Arg(50)->Arg(100)->Arg(180);

void plan_any(benchmark::State& state) {
  Problems problems(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(plan_earliest_arrival(problems.mesh, problems.next(), {}).length());
  report(state);
}
BENCHMARK(plan_any)->Arg(10)->Arg(50);

void plan_with_product(benchmark::State& state) {
  Problems problems(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(plan_product(problems.mesh, problems.next()).length());
  report(state);
}
BENCHMARK(plan_with_product)->Arg(10)->Arg(50);

template <class Planner>
void select_paths(benchmark::State& state) {
  Problems problems(state.range(0));
  Planner planner(problems.mesh, OneBendOptions{});
  std::vector<std::vector<PacketId>> orders;
  for (const std::vector<Packet>& packets : problems.packets) orders.push_back(planner.order(packets));
  for (auto _ : state) {
    const std::size_t which = problems.at % orders.size();
    benchmark::DoNotOptimize(planner.select_paths(problems.next(), orders[which]).length);
  }
  report(state);
}
BENCHMARK(select_paths<OneBendPlanner>)->Arg(100);
BENCHMARK(select_paths<PlainPlanner>)->Arg(100);

/// `multistage-plus` and the planner that it starts from, in one run: on permutations in which no packet goes farther
/// than the second argument.
template <class Planner>
void plan_near(benchmark::State& state) {
  const Grid mesh = Grid::mesh({state.range(0), state.range(0)});
  std::vector<std::vector<Packet>> problems;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    problems.push_back(permutation_packets(near_permutation(mesh, static_cast<std::int32_t>(state.range(1)), seed)));
  Planner planner(mesh, {});
  std::size_t at = 0;
  for (auto _ : state) benchmark::DoNotOptimize(planner.plan(problems[at++ % problems.size()]).length);
  report(state);
}
BENCHMARK(plan_near<OneBendPlanner>)->ArgsProduct({{10, 20, 50}, {3, 8}});
BENCHMARK(plan_near<MultistagePlusPlanner>)->ArgsProduct({{10, 20, 50}, {3, 8}});

}  // namespace
}  // namespace starloom::links

BENCHMARK_MAIN();
