// SPDX-License-Identifier: Apache-2.0
/// \file Open loop in the netlist: what is measured, when a run is found saturated, and packets that are answered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include <starloom/fabric/links/network.hpp>
#include <starloom/schema/key_check.hpp>
#include <starloom/simulation/kernel.hpp>
#include <starloom/simulation/links/saturation.hpp>
#include <starloom/simulation/links/simulation.hpp>
#include <starloom/traffic/packet_list.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/networks.hpp"

namespace starloom::links {
namespace {

using Keys = std::map<std::string, KeyValue>;

/// The rows of all steps.
class Rows final : public TraceSink {
 public:
  void rows(const std::vector<TraceRow>& together) override { all.insert(all.end(), together.begin(), together.end()); }
  std::vector<TraceRow> all;
};

struct OpenLoopCase {
  const char* algorithm = "greedy";
  Keys routing{};
  Keys traffic{};
  Limits limits{};
  std::uint64_t shuffle = 0;
  bool wake_all = false;
  bool list_packets = true;
};

struct OpenLoopRun {
  SimulationResult result;
  std::vector<TraceRow> rows;
};

OpenLoopRun run(const Grid& grid, const OpenLoopCase& one, Traffic* traffic = nullptr) {
  const PatternEntry& uniform = *find_pattern("uniform");
  TrafficContext context;
  context.processors = processors_of(network_of(grid));
  context.seed = 3;
  std::unique_ptr<Traffic> own;
  if (traffic == nullptr) {
    own = uniform.make(context, checked_values(uniform.keys, one.traffic, "traffic"));
    traffic = own.get();
  }
  const auto algorithm = named_algorithm(one.algorithm, grid, one.routing);
  Rows rows;
  SimulationSetup setup;
  setup.network = &network_of(grid);
  setup.algorithm = algorithm.get();
  setup.traffic = traffic;
  setup.limits = one.limits;
  setup.shuffle = one.shuffle;
  setup.wake_all = one.wake_all;
  setup.list_packets = one.list_packets;
  setup.sinks = {&rows};
  SimulationResult result = simulate(setup);
  return {std::move(result), std::move(rows.all)};
}

Keys sources(double rate, Step warmup, Step measure) {
  return {{"rate", rate}, {"warmup", warmup}, {"measure", measure}, {"drain", Step{2000}}};
}

// ---- what is measured

/// Flits created, and rows of arrivals, in steps [from, to).
Measured counted(const OpenLoopRun& run, Step from, Step to) {
  Measured counted{to - from, 0, 0};
  for (const Packet& packet : run.result.record.packets)
    if (packet.created >= from && packet.created < to) counted.offered += packet.flits;
  for (const TraceRow& row : run.rows)
    if (row.event == TraceEvent::eject && row.step >= from && row.step < to) ++counted.accepted;
  return counted;
}

void expect_equal(const Measured& a, const Measured& b) {
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.offered, b.offered);
  EXPECT_EQ(a.accepted, b.accepted);
}

// Worms arrive flit by flit, also across the ends of the phase.
TEST(OpenLoopRun, MeasuresFlitsOfTheMeasurementPhase) {
  Keys keys = sources(0.3, 50, 101);
  keys["flits.uniform"] = std::vector<std::int64_t>{3, 8};
  OpenLoopCase one{"vc-wormhole", {{"channels", std::int64_t{2}}}, keys, {}, 0, false};
  OpenLoopRun found = run(Grid::mesh({4, 4}), one);
  ASSERT_EQ(found.result.outcome, Outcome::completed);
  ASSERT_TRUE(found.result.measured);
  const Measured expected = counted(found, 50, 151);
  expect_equal(*found.result.measured, expected);
  EXPECT_GT(expected.accepted, 300);
}

TEST(OpenLoopRun, MeasuresTheStepsThatThereWere) {
  OpenLoopCase one{"greedy", {}, sources(0.3, 50, 100), {}, 0, false};
  one.limits.steps = 90;
  const OpenLoopRun stopped = run(Grid::mesh({4, 4}), one);
  ASSERT_EQ(stopped.result.outcome, Outcome::step_limit);
  EXPECT_EQ(stopped.result.measured->steps, 40);
  EXPECT_EQ(stopped.result.measured->offered, counted(stopped, 50, 90).offered);
  one.limits.steps = 20;
  const OpenLoopRun early = run(Grid::mesh({4, 4}), one);
  expect_equal(*early.result.measured, {0, 0, 0});
}

// ---- packets that are not kept

std::vector<std::pair<std::int64_t, std::int64_t>> pairs_of(const Histogram& histogram) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  histogram.for_each([&](std::int64_t value, std::int64_t times) { pairs.emplace_back(value, times); });
  return pairs;
}

std::vector<OpenLoopCase> long_cases() {
  Keys rates = sources(0.25, 300, 1500), answered = sources(0.1, 300, 1500);
  answered["flits.uniform"] = std::vector<std::int64_t>{1, 4};
  answered["reply.flits"] = std::int64_t{2};
  answered["reply.service"] = Step{5};
  answered["reply.channels"] = std::int64_t{1};
  return {
      {"greedy", {}, rates},
      {"deflection", {}, rates},
      {"vc-wormhole", {{"channels", std::int64_t{2}}}, rates},
      {"vc-wormhole", {{"channels", std::int64_t{3}}}, answered},
      {"vc-wormhole", {{"channels", std::int64_t{4}}, {"function", std::string("valiant")}}, sources(0.1, 300, 1500)},
      {"vc-wormhole", {{"channels", std::int64_t{2}}}, sources(0.95, 300, 3000)}};
}

// Whether packets that have arrived are listed changes nothing that is told of a run.
TEST(OpenLoopRun, TellsTheSameOfPacketsThatItForgets) {
  for (OpenLoopCase one : long_cases()) {
    const OpenLoopRun listed = run(Grid::torus({8, 8}), one);
    one.list_packets = false;
    const OpenLoopRun summed = run(Grid::torus({8, 8}), one);
    EXPECT_EQ(summed.rows, listed.rows) << one.algorithm;
    const SimulationResult &a = listed.result, &b = summed.result;
    EXPECT_EQ(a.record.first, 0);
    EXPECT_GT(b.record.first, 4000) << one.algorithm;
    EXPECT_EQ(b.record.created_count(), a.record.created_count());
    EXPECT_EQ(b.outcome, a.outcome);
    EXPECT_EQ(b.stopped_early, a.stopped_early);
    EXPECT_EQ(b.explanation, a.explanation);
    expect_equal(*b.measured, *a.measured);
    EXPECT_EQ(b.sums.total, a.sums.total);
    EXPECT_EQ(b.sums.flits, a.sums.flits);
    EXPECT_EQ(b.sums.links, a.sums.links);
    EXPECT_EQ(b.sums.network, a.sums.network);
    EXPECT_EQ(b.sums.last_delivered, a.sums.last_delivered);
    EXPECT_EQ(b.sums.flits_delivered, a.sums.flits_delivered);
    EXPECT_EQ(pairs_of(b.sums.distance), pairs_of(a.sums.distance));
    EXPECT_EQ(pairs_of(b.sums.latency), pairs_of(a.sums.latency));
    EXPECT_EQ(pairs_of(b.sums.network_latency), pairs_of(a.sums.network_latency));
    for (std::size_t p = 0; p < b.record.packets.size(); ++p)
      ASSERT_EQ(b.record.delivered[p], a.record.delivered[p + static_cast<std::size_t>(b.record.first)]);
  }
}

/// What the program has allocated, after a tenth of the steps and in the last one.
class MemoryObserver final : public StepObserver {
 public:
  explicit MemoryObserver(Step steps) : tenth_(steps / 10) {}
  void after_step(const RunProgress& progress) override {
    if (progress.step == tenth_) at_tenth = now();
    at_end = now();
  }
  std::size_t at_tenth = 0, at_end = 0;

 private:
  static std::size_t now() {
    const struct mallinfo2 info = ::mallinfo2();
    return info.uordblks + info.hblkhd;
  }
  const Step tenth_;
};

TEST(OpenLoopRun, NeedsNoMoreMemoryTheLongerItRuns) {
  constexpr Step steps = 30'000;
  for (const char* algorithm : {"greedy", "deflection", "vc-wormhole"}) {
    const Grid torus = Grid::torus({4, 4});
    const PatternEntry& uniform = *find_pattern("uniform");
    TrafficContext context;
    context.processors = processors_of(network_of(torus));
    const auto traffic = uniform.make(context, checked_values(uniform.keys, sources(0.2, 0, steps), "traffic"));
    const bool channels = std::string(algorithm) == "vc-wormhole";
    const auto router = named_algorithm(algorithm, torus, channels ? Keys{{"channels", std::int64_t{2}}} : Keys{});
    MemoryObserver memory(steps);
    SimulationSetup setup;
    setup.network = &network_of(torus);
    setup.algorithm = router.get();
    setup.traffic = traffic.get();
    setup.observer = &memory;
    setup.list_packets = false;
    const SimulationResult result = simulate(setup);
    ASSERT_EQ(result.outcome, Outcome::completed) << algorithm;
    ASSERT_GT(result.record.created_count(), 90'000) << algorithm;
    // Lists may double once more by then; four bytes for every packet would be more.
    EXPECT_LT(memory.at_end, memory.at_tenth + 300'000) << algorithm;
  }
}

/// A run in which very many packets have been created and have arrived.
class Latecomer final : public StepMonitor {
 public:
  bool before_step(Step next, Engine& engine) override {
    if (next == 0) engine.forget_before(std::numeric_limits<PacketId>::max() - 3);
    return next != no_step && !engine.stopped();
  }
};

TEST(OpenLoopRun, EndsWithASentenceWhereNumbersOfPacketsEnd) {
  renew_kernel();
  const Grid mesh = Grid::mesh({1, 4});
  const auto greedy = named_algorithm("greedy", mesh);
  ListSource source({{0, 3, 1, 0}, {0, 3, 1, 0}, {0, 3, 1, 1}, {1, 2, 1, 2}, {1, 2, 1, 2}});
  Network network("network", network_of(mesh), *greedy, {});
  Latecomer monitor;
  network.fabric.set_source(&source, no_step);
  network.fabric.set_monitor(&monitor);
  sc_core::sc_start();
  const Engine& engine = network.fabric.engine();
  ASSERT_TRUE(engine.stopped());
  EXPECT_EQ(engine.violation().step, 2);
  EXPECT_EQ(engine.violation().node, 1);
  EXPECT_EQ(engine.violation().text,
            "creates one packet more than 2147483647, which is all that can be numbered; shorten the run, or lower its "
            "rate");
  EXPECT_EQ(engine.created_count(), std::numeric_limits<PacketId>::max());
}

// ---- when a run is found saturated

/// What a run leaves before each step if one packet is created in every step and arrives `latency(created)` steps later.
class MadeUpRun {
 public:
  /// `end`: no packet is created in or after this step.
  explicit MadeUpRun(std::function<Step(Step created)> latency, NodeId destination = 1, Step end = 1'000'000)
      : latency_(std::move(latency)), destination_(destination), end_(end) {}
  const RunRecord& before(Step step) {
    record_ = {};
    for (Step created = 0; created < std::min(step, end_); ++created) {
      record_.packets.push_back({0, destination_, 1, created});
      const Step arrives = created + latency_(created);
      record_.delivered.push_back(arrives < step ? arrives : no_step);
      if (arrives < step) ++record_.delivered_count;
    }
    return record_;
  }

 private:
  std::function<Step(Step)> latency_;
  NodeId destination_;
  Step end_;
  RunRecord record_;
};

/// The step before which the run is found saturated.
Step found_at(MadeUpRun& run, double limit = 20) {
  const auto greedy = named_algorithm("greedy", Grid::mesh({1, 8}));
  Saturation saturation({100, 160, 1000}, limit, network_of(Grid::mesh({1, 8})).graph, *greedy);
  for (Step step = 0; step <= 400; ++step)
    if (saturation.found(step, run.before(step))) return saturation.step();
  return no_step;
}

TEST(Saturated, NotWhileLatencyStaysBelowTheLimit) {
  MadeUpRun steady([](Step) { return 20; }), above([](Step) { return 21; }), much([](Step) { return 60; });
  EXPECT_EQ(found_at(steady), no_step);
  EXPECT_EQ(found_at(above), 270) << "once so many have arrived that those under way do not count any more";
  EXPECT_EQ(found_at(above, 21), no_step);
  EXPECT_EQ(found_at(much), 140) << "a quarter of the phase";
  MadeUpRun far([](Step) { return 60; }, 5);  // five links: five steps without contention
  EXPECT_EQ(found_at(far), no_step);
  EXPECT_EQ(found_at(far, 4), 140);
}

// Of two packets one arrives at once, the other one waits: every look sees half of what was created more than before.
TEST(Saturated, IfTheBacklogGrowsInEveryPart) {
  MadeUpRun third([](Step created) { return created % 3 == 0 ? 100'000 : 1; });
  EXPECT_EQ(found_at(third, 1e9), no_step) << "27 of 80 packets do not rule chance out";
  const auto greedy = named_algorithm("greedy", Grid::mesh({1, 8}));
  const NetworkGraph& graph = network_of(Grid::mesh({1, 8})).graph;
  const Phases phases{100, 1600, 1000};
  const auto first = [&](const std::function<Step(Step)>& latency) {
    Saturation saturation(phases, 1e9, graph, *greedy);
    MadeUpRun made_up(latency);
    for (Step step = 0; step <= 2000; step += 100)
      if (saturation.found(step, made_up.before(step))) return saturation.step();
    return no_step;
  };
  EXPECT_EQ(first([](Step created) { return created % 2 == 0 ? 1 : 100'000; }), 500);
  EXPECT_EQ(first([](Step created) { return created % 30 == 0 ? 100'000 : 1; }), no_step) << "3 % are no growth";
  EXPECT_EQ(first([](Step created) { return created < 220 || created % 2 == 0 ? 1 : 100'000; }), no_step)
      << "not in the first part";
  EXPECT_EQ(first([](Step created) { return created < 320 ? 100'000 : 1; }), no_step) << "not in the later half";
}

TEST(Saturated, IsNotSaidOfANetworkThatDeliversNothing) {
  MadeUpRun stuck([](Step created) { return created < 110 ? 1 : 100'000; });
  EXPECT_EQ(found_at(stuck), no_step);
}

// Steps in which nothing happens are not looked at unless every node runs in every step.
TEST(Saturated, DoesNotDependOnIdleSteps) {
  const auto greedy = named_algorithm("greedy", Grid::mesh({1, 8}));
  const auto found = [&](const std::vector<Step>& looked_at) {
    Saturation saturation({100, 160, 1000}, 1.2, network_of(Grid::mesh({1, 8})).graph, *greedy);
    MadeUpRun made_up([](Step created) -> Step { return created == 117 ? 13 : 1; }, 1, 118);
    for (const Step step : looked_at)
      if (saturation.found(step, made_up.before(step))) return saturation.step();
    return no_step;
  };
  std::vector<Step> all(300), busy(119);
  std::iota(all.begin(), all.end(), 0);
  std::iota(busy.begin(), busy.end(), 0);
  for (const Step step : {130, 131, 299}) busy.push_back(step);
  EXPECT_EQ(found(all), 140);
  EXPECT_EQ(found(busy), 140);
}

TEST(Saturated, DoesNotDependOnWhatIsForgotten) {
  const auto greedy = named_algorithm("greedy", Grid::mesh({1, 8}));
  const auto found = [&](bool forgets) {
    Saturation saturation({100, 160, 1000}, 20, network_of(Grid::mesh({1, 8})).graph, *greedy);
    MadeUpRun made_up([](Step created) -> Step { return created < 200 ? 1 : 60; });
    for (Step step = 0; step <= 400; ++step) {
      const RunRecord& record = made_up.before(step);
      if (saturation.found(step, record)) return saturation.step();
      if (!forgets) continue;
      const auto left = std::find(record.delivered.begin(), record.delivered.end(), no_step);
      saturation.before_forgetting(static_cast<PacketId>(left - record.delivered.begin()), record);
    }
    return no_step;
  };
  EXPECT_EQ(found(false), 290);
  EXPECT_EQ(found(true), 290);
}

TEST(OpenLoopRun, StopsEarlyWithTheSameBytes) {
  OpenLoopCase one{"greedy", {}, sources(0.9, 100, 800), {}, 0, false};
  one.limits.latency = 20;
  const OpenLoopRun stopped = run(Grid::mesh({6, 6}), one);
  ASSERT_EQ(stopped.result.outcome, Outcome::saturated);
  EXPECT_NE(stopped.result.stopped_early, "");
  EXPECT_GE(stopped.result.measured->steps, 200);
  EXPECT_LT(stopped.result.measured->steps, 400);
  const Step end = 100 + stopped.result.measured->steps;
  EXPECT_EQ(stopped.result.measured->offered, counted(stopped, 100, end).offered);
  one.shuffle = 4;
  one.wake_all = true;
  const OpenLoopRun again = run(Grid::mesh({6, 6}), one);
  EXPECT_EQ(again.rows, stopped.rows);
  expect_equal(*again.result.measured, *stopped.result.measured);
  one.limits.latency.reset();
  EXPECT_EQ(run(Grid::mesh({6, 6}), one).result.stopped_early, "");
}

// ---- packets that are answered

/// A list whose packets are the sources' of an open loop.
class Listed final : public Traffic {
 public:
  Listed(std::vector<Packet> packets, std::optional<ReplyRules> rules) : list_(std::move(packets)), rules_(rules) {}
  void generate(Step from, Step to, std::vector<Packet>& out) override { list_.generate(from, to, out); }
  Step next_creation(Step from) const override { return list_.next_creation(from); }
  std::optional<Step> end() const override { return list_.end(); }
  std::optional<Phases> phases() const override { return Phases{0, 3000, 0}; }
  std::optional<ReplyRules> replies() const override { return rules_; }

 private:
  PacketList list_;
  std::optional<ReplyRules> rules_;
};

// Idle sources are no end of the measurement phase.
TEST(OpenLoopRun, IsStoppedWithinThePhaseWhereNothingIsUnderWay) {
  Listed traffic({{0, 1, 1, 0}, {0, 1, 1, 2900}}, std::nullopt);
  OpenLoopCase one;
  one.limits.steps = 1000;
  EXPECT_EQ(run(Grid::mesh({2, 2}), one, &traffic).result.outcome, Outcome::step_limit);
  one.limits.steps = 3000;
  EXPECT_EQ(run(Grid::mesh({2, 2}), one, &traffic).result.outcome, Outcome::completed);
}

using Facts = std::tuple<NodeId, NodeId, std::int32_t, Step>;

void expect_answered(const OpenLoopRun& run, const ReplyRules& rules) {
  const RunRecord& record = run.result.record;
  std::vector<Facts> expected, found;
  std::int64_t own = 0;
  for (std::size_t p = 0; p < record.packets.size(); ++p) {
    const Packet& packet = record.packets[p];
    if (packet.reply) found.emplace_back(packet.source, packet.destination, packet.flits, packet.created);
    else if (record.delivered[p] != no_step && record.delivered[p] + rules.service < record.steps_run)
      expected.emplace_back(packet.destination, packet.source, rules.flits, record.delivered[p] + rules.service);
    own += packet.source == packet.destination ? 1 : 0;
  }
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected);
  EXPECT_GT(found.size(), 50u);
  EXPECT_GT(own, 0);
}

TEST(Answering, EveryPacketOnceAfterItsService) {
  for (const char* algorithm : {"greedy", "vc-wormhole", "probe-hold"})
    for (const Step service : {1, 2, 40}) {
      const bool worms = std::string(algorithm) != "greedy";
      Keys keys = sources(0.05, 20, 300);
      if (worms) keys["flits"] = std::int64_t{2};
      keys["reply.flits"] = std::int64_t{worms ? 5 : 1};
      keys["reply.service"] = service;
      const OpenLoopRun found = run(Grid::mesh({4, 4}), {algorithm, {}, keys, {}, 0, false});
      EXPECT_EQ(found.result.outcome, Outcome::completed) << algorithm;
      expect_answered(found, {worms ? 5 : 1, service, 0});
    }
}

TEST(Answering, GivesTheSameBytesInAnyOrder) {
  Keys keys = sources(0.1, 20, 300);
  keys["reply.flits"] = std::int64_t{1};
  keys["reply.service"] = std::int64_t{7};
  OpenLoopCase one{"greedy", {}, keys, {}, 0, false};
  const OpenLoopRun found = run(Grid::mesh({5, 5}), one);
  for (const bool wake_all : {false, true}) {
    one.shuffle = 9;
    one.wake_all = wake_all;
    EXPECT_EQ(run(Grid::mesh({5, 5}), one).rows, found.rows);
  }
}

// All packets of a run as a list, replies included: the network does the same with them.
TEST(Answering, RepliesArePacketsLikeOthers) {
  Keys keys = sources(0.05, 20, 300);
  keys["flits"] = std::int64_t{2};
  keys["reply.flits"] = std::int64_t{3};
  keys["reply.service"] = std::int64_t{11};
  const OpenLoopCase one{"vc-wormhole", {}, keys, {}, 0, false};
  const OpenLoopRun found = run(Grid::mesh({4, 4}), one);
  Listed list(found.result.record.packets, std::nullopt);
  const OpenLoopRun again = run(Grid::mesh({4, 4}), one, &list);
  std::vector<TraceRow> until_then;
  for (const TraceRow& row : again.rows)
    if (row.step < found.result.record.steps_run) until_then.push_back(row);
  EXPECT_EQ(until_then, found.rows);
}

// Long after the network has come to rest: the step of a reply is not skipped.
TEST(Answering, WakesTheNetworkForAReply) {
  Listed list({{0, 3, 1, 5}}, ReplyRules{1, 2000, 0});
  const OpenLoopRun found = run(Grid::mesh({1, 4}), {}, &list);
  EXPECT_EQ(found.result.record.delivered, (std::vector<Step>{8, 2011}));
  EXPECT_EQ(found.result.record.packets[1].created, 2008);
  EXPECT_EQ(found.result.outcome, Outcome::completed);
  expect_equal(*found.result.measured, {3000, 2, 2});  // the whole phase, though nothing happens at its end
}

}  // namespace
}  // namespace starloom::links
