// SPDX-License-Identifier: Apache-2.0
/// \file Speed of POPS networks of SystemC modules, beside what does the same without SystemC; time and memory to build
/// and leave a large one. Repeat: `build/release/tests/bench/pops_netlist_bench`.
#include <benchmark/benchmark.h>

#include <algorithm>

#include <starloom/algorithms/randomized/randomized.hpp>
#include <starloom/fabric/pops/network.hpp>
#include <starloom/message/pops/randomized_model.hpp>
#include "bench/child.hpp"
#include "support/permutations.hpp"

namespace starloom::bench {
namespace {

struct Timed {
  double seconds = 0;
  std::int64_t slots = 0;
  std::uint64_t checksum = 0;
};

/// In slot t, processor (a, j) sends to group (j + t) mod g, and (b, j) hears the one of group j that sends to b: every
/// coupler carries in every slot, where d = g.
class Rotation final : public pops::Controller {
 public:
  void slot(pops::SlotView& view) override {
    if (view.heard() != nullptr) sum_ += static_cast<std::uint64_t>(view.heard()->packet);
    const std::int32_t index = view.pops().index_of(view.node()), groups = view.pops().groups();
    const std::int32_t to = index + turn_;
    turn_ = turn_ + 1 == groups ? 0 : turn_ + 1;
    view.drive(to < groups ? to : to - groups, {pops::MessageKind::data, view.node(), no_node, 0});
    view.sample(index);
  }
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
  std::int32_t turn_ = 0;  ///< slot mod g
};

Timed rotate_netlist(std::int32_t side, Step slots) {
  const Pops pops(side, side);
  const auto controllers = pops::controllers_for(pops, [](NodeId) { return Rotation(); });
  auto* network =
      new pops::Network("network", pops, *controllers, {1, 0, slots}, {});  // owned to the end of the process
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const Step before = network->fabric.slot() + 1;
  const double start = cpu_seconds();
  sc_core::sc_start();
  Timed timed{cpu_seconds() - start, slots - before};
  for (NodeId node = 0; node < pops.nodes(); ++node) timed.checksum += controllers->at(node).sum();
  return timed;
}

/// The same as two loops over arrays.
Timed rotate_loop(std::int32_t side, Step slots) {
  const auto g = static_cast<std::size_t>(side);
  std::vector<pops::Message> carried(g * g);
  std::vector<std::int32_t> drivers(g * g);
  std::vector<std::uint64_t> sum(g * g, 0);
  Timed timed;
  timed.slots = slots;
  const double start = cpu_seconds();
  for (Step slot = 0; slot < slots; ++slot) {
    const auto turn = static_cast<std::size_t>(slot) % g;
    std::fill(drivers.begin(), drivers.end(), 0);
    for (std::size_t a = 0; a < g; ++a)
      for (std::size_t j = 0; j < g; ++j) {
        const std::size_t coupler = a * g + (j + turn < g ? j + turn : j + turn - g);
        carried[coupler] = {pops::MessageKind::data, static_cast<PacketId>(a * g + j), no_node, 0};
        ++drivers[coupler];
      }
    for (std::size_t b = 0; b < g; ++b)
      for (std::size_t j = 0; j < g; ++j)
        if (drivers[j * g + b] == 1) sum[b * g + j] += static_cast<std::uint64_t>(carried[j * g + b].packet);
  }
  timed.seconds = cpu_seconds() - start;
  for (const std::uint64_t value : sum) timed.checksum += value;
  return timed;
}

Timed route_netlist(std::int32_t d, std::int32_t g, std::uint64_t seed) {
  const Pops pops(d, g);
  const pops::RandomizedRules rules(pops, pops::RandomizedOptions());
  const std::vector<NodeId> destination = random_permutation(pops.nodes(), seed);
  const auto controllers = pops::controllers_for(pops, [&](NodeId node) {
    return pops::RandomizedController(rules, node, destination[static_cast<std::size_t>(node)]);
  });
  pops::NetworkOptions options;
  options.seed = seed;
  auto* network =
      new pops::Network("network", pops, *controllers,
                        {pops::RandomizedRules::cycle_slots, rules.drain_slots(), no_step}, destination, options);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const Step before = network->fabric.slot() + 1;
  const double start = cpu_seconds();
  sc_core::sc_start();
  Timed timed{cpu_seconds() - start};
  const pops::RunRecord& record = network->fabric.engine().record();
  timed.slots = static_cast<Step>(record.slots.size()) - before;
  for (const std::int32_t at : record.delivered) timed.checksum += static_cast<std::uint64_t>(at);
  return timed;
}

Timed route_model(std::int32_t d, std::int32_t g, std::uint64_t seed) {
  const Pops pops(d, g);
  const pops::RandomizedRules rules(pops, pops::RandomizedOptions());
  const std::vector<NodeId> destination = random_permutation(pops.nodes(), seed);
  const double start = cpu_seconds();
  const pops::MessageRun run = route_randomized(pops, rules, destination, seed, 1 << 20, true);
  Timed timed{cpu_seconds() - start, static_cast<Step>(run.slots.size())};
  for (const std::int32_t at : run.delivered) timed.checksum += static_cast<std::uint64_t>(at);
  return timed;
}

/// Slots per second of the netlist and of equivalent code without SystemC: the best of a few interleaved repetitions,
/// because noise only adds time.
template <class Netlist, class Plain>
void compare(benchmark::State& state, int repetitions, const char* plain_name, Netlist netlist, Plain plain) {
  double best = 0, best_plain = 0, seconds = 0;
  for (auto _ : state) {
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      const Timed a = in_child([&] { return netlist(repetition); });
      const Timed b = in_child([&] { return plain(repetition); });
      if (a.checksum != b.checksum) return state.SkipWithError("the levels disagree");
      best = std::max(best, static_cast<double>(a.slots) / a.seconds);
      best_plain = std::max(best_plain, static_cast<double>(b.slots) / b.seconds);
      seconds += a.seconds;
    }
    state.SetIterationTime(seconds);
  }
  state.counters["slots/s"] = best;
  state.counters[plain_name] = best / best_plain;
}

void rotation(benchmark::State& state) {
  const auto side = static_cast<std::int32_t>(state.range(0));
  compare(
      state, 5, "of_loop", [&](int) { return rotate_netlist(side, state.range(1)); },
      // The last slot is heard after it; the checksums are those of the same slots.
      [&](int) { return rotate_loop(side, state.range(1)); });
}
BENCHMARK(rotation)->Args({64, 20000})->Args({256, 1000})->UseManualTime()->Iterations(1);

void randomized(benchmark::State& state) {
  const auto d = static_cast<std::int32_t>(state.range(0)), g = static_cast<std::int32_t>(state.range(1));
  compare(
      state, 10, "of_checked_model", [&](int i) { return route_netlist(d, g, static_cast<std::uint64_t>(i)); },
      [&](int i) { return route_model(d, g, static_cast<std::uint64_t>(i)); });
}
BENCHMARK(randomized)->Args({64, 64})->Args({256, 16})->UseManualTime()->Iterations(1);

/// Build, elaborate, one slot, exit.
void elaboration(benchmark::State& state) {
  const auto side = static_cast<std::int32_t>(state.range(0));
  double best = 1e9, megabytes = 0;
  for (auto _ : state) {
    for (int repetition = 0; repetition < 3; ++repetition) {
      rusage usage{};
      in_child([&] { return rotate_netlist(side, 1); }, &usage);
      best = std::min(best, cpu_seconds(usage));
      megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
    }
    state.SetIterationTime(best);
  }
  state.counters["megabytes"] = megabytes;
}
BENCHMARK(elaboration)->Arg(64)->Arg(256)->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace starloom::bench
