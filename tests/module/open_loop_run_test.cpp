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
#include "support/named_pattern.hpp"
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
  std::int32_t link_latency = 1;
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
  const LinkNetwork& network = network_of(grid, one.link_latency);
  const auto algorithm = named_algorithm(one.algorithm, network, one.routing);
  Rows rows;
  SimulationSetup setup;
  setup.network = &network;
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

/// A list with the packets of an open loop's sources.
class Listed final : public Traffic {
 public:
  Listed(std::vector<Packet> packets, std::optional<ReplyRules> rules, const Phases& phases = {0, 3000, 0})
      : list_(std::move(packets)), rules_(rules), phases_(phases) {}
  void generate(Step from, Step to, std::vector<Packet>& out) override { list_.generate(from, to, out); }
  Step next_creation(Step from) const override { return list_.next_creation(from); }
  std::optional<Step> end() const override { return list_.end(); }
  std::optional<Phases> phases() const override { return phases_; }
  std::optional<ReplyRules> replies() const override { return rules_; }

 private:
  PacketList list_;
  std::optional<ReplyRules> rules_;
  Phases phases_;
};

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

// Flits that entered each link in the phase, of which some left their routers before it.
TEST(OpenLoopRun, MeasuresWhatItsLinksCarry) {
  for (const auto& [algorithm, routing] : {std::pair("greedy", Keys{}), std::pair("deflection", Keys{}),
                                           std::pair("vc-wormhole", Keys{{"channels", std::int64_t{2}}})})
    for (const Step limit : {Step{2000}, Step{90}, Step{20}}) {
      OpenLoopCase one{algorithm, routing, sources(0.3, 50, 101), {}, 0, false};
      one.limits.steps = limit;
      const OpenLoopRun found = run(Grid::mesh({4, 4}), one);
      const Step end = std::clamp<Step>(found.result.record.steps_run, 50, 151);
      std::vector<std::int64_t> flits(found.result.record.link_load.size(), 0);
      for (const TraceRow& row : found.rows)
        if (row.event == TraceEvent::hop && row.step >= 50 && row.step < end)
          ++flits[static_cast<std::size_t>(row.node * 4 + row.port)];
      const LinkUse use = link_use_of(found.result);
      EXPECT_EQ(use.steps, end - 50) << algorithm;
      EXPECT_EQ(use.flits, flits) << algorithm;
    }
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
  const Keys sharing = answered;
  answered["reply.channels"] = std::int64_t{1};
  return {
      {"greedy", {}, rates},
      {"deflection", {}, rates},
      {"vc-wormhole", {{"channels", std::int64_t{2}}}, rates},
      {"vc-wormhole", {{"channels", std::int64_t{3}}}, answered},
      {"vc-wormhole", {{"channels", std::int64_t{2}}}, sharing},
      {"vc-wormhole", {{"channels", std::int64_t{4}}, {"function", std::string("valiant")}}, sources(0.1, 300, 1500)},
      {"vc-wormhole", {{"channels", std::int64_t{2}}}, sources(0.95, 300, 3000)}};
}

// Listing packets that have arrived does not change the results of a run.
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
    EXPECT_EQ(b.saturation.has_value(), a.saturation.has_value());
    EXPECT_EQ(b.explanation, a.explanation);
    expect_equal(*b.measured, *a.measured);
    EXPECT_EQ(b.sums.total, a.sums.total);
    EXPECT_EQ(b.sums.flits, a.sums.flits);
    EXPECT_EQ(pairs_of(b.sums.hops), pairs_of(a.sums.hops));
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

/// The memory allocated by the program, after a tenth of the steps and in the last one.
class MemoryObserver final : public ProgressObserver {
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
    setup.progress = &memory;
    setup.list_packets = false;
    const SimulationResult result = simulate(setup);
    ASSERT_EQ(result.outcome, Outcome::completed) << algorithm;
    ASSERT_GT(result.record.created_count(), 90'000) << algorithm;
    // Lists may double once more by then; four bytes for every packet would be more.
    EXPECT_LT(memory.at_end, memory.at_tenth + 300'000) << algorithm;
  }
}

/// A run in which very many packets have been created and have arrived.
class Latecomer final : public RunController {
 public:
  bool before_step(Step next, Engine& engine) override {
    if (next == 0) engine.remove_before(std::numeric_limits<PacketId>::max() - 3);
    return next != no_step && !engine.stopped();
  }
};

TEST(OpenLoopRun, EndsWithASentenceWhereNumbersOfPacketsEnd) {
  renew_kernel();
  const Grid mesh = Grid::mesh({1, 4});
  const auto greedy = named_algorithm("greedy", mesh);
  ListSource source({{0, 3, 1, 0}, {0, 3, 1, 0}, {0, 3, 1, 1}, {1, 2, 1, 2}, {1, 2, 1, 2}});
  Network network("network", network_of(mesh), *greedy, {});
  Latecomer run_controller;
  network.fabric.set_source(&source, no_step);
  network.fabric.set_run_controller(&run_controller);
  sc_core::sc_start();
  const Engine& engine = network.fabric.engine();
  ASSERT_TRUE(engine.stopped());
  EXPECT_EQ(engine.violation().step, 2);
  EXPECT_EQ(engine.violation().node, 1);
  EXPECT_EQ(engine.violation().text,
            "creates one packet more than 2147483647, which is the limit; shorten the run, or lower its rate");
  EXPECT_EQ(engine.created_count(), std::numeric_limits<PacketId>::max());
}

// ---- when a run is found saturated

/// The record of a run before each step if one packet is created in every step and arrives `latency(created)` steps
/// later.
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
    record_.flits_created = record_.created_count();
    record_.flits_delivered = record_.delivered_count;
    return record_;
  }

 private:
  std::function<Step(Step)> latency_;
  NodeId destination_;
  Step end_;
  RunRecord record_;
};

/// The judge of a run of `greedy` on a line of eight nodes.
class Judge {
 public:
  explicit Judge(const Phases& phases, std::optional<double> limit = 20)
      : judge(phases, limit, network_of(line_).graph, *greedy_, sources_) {}

  /// No flit passes a port unless the test says so.
  PortFlits no_flits() const {
    const NetworkGraph& graph = network_of(line_).graph;
    const std::vector<std::int64_t> of_nodes(static_cast<std::size_t>(graph.nodes()), 0);
    return {std::vector<std::int64_t>(graph.link_slots(), 0), of_nodes, of_nodes};
  }
  /// Looks at all steps up to `last`, or until the run need not go on; then the step before which it ends.
  Step end_of(MadeUpRun& run, Step last, Saturation::PortFlitsBefore ports = {}) {
    if (!ports) ports = [this](Step) { return no_flits(); };
    for (Step step = 0; step <= last && !judge.end_of_run(); ++step) judge.look(step, run.before(step), ports);
    return judge.end_of_run().value_or(no_step);
  }

 private:
  const Grid line_ = Grid::mesh({1, 8});
  const std::unique_ptr<Algorithm> greedy_ = named_algorithm("greedy", line_);
  PacketList sources_{std::vector<Packet>()};

 public:
  Saturation judge;
};

constexpr Phases short_phases{100, 160, 1000}, long_phases{100, 1600, 1000};

Step end_of(MadeUpRun& run, double limit = 20) { return Judge(short_phases, limit).end_of(run, 400); }

TEST(Saturated, NotWhileLatencyStaysBelowTheLimit) {
  MadeUpRun steady([](Step) { return 20; }), above([](Step) { return 21; }), much([](Step) { return 60; });
  EXPECT_EQ(end_of(steady), no_step);
  EXPECT_EQ(end_of(above), 270) << "once so many have arrived that those under way do not count any more";
  EXPECT_EQ(end_of(above, 21), no_step);
  EXPECT_EQ(end_of(much), 140) << "a quarter of the phase";
  MadeUpRun far([](Step) { return 60; }, 5);  // five links: five steps without contention
  EXPECT_EQ(end_of(far), no_step);
  Judge four(short_phases, 4);
  EXPECT_EQ(four.end_of(far, 400), 140);
  EXPECT_EQ(four.judge.verdict()->reason, SaturationReason::latency);
}

// Of two packets one arrives at once, the other one waits: what waits grows by half of what is created.
TEST(Saturated, IfTheBacklogGrowsByMoreThanChance) {
  MadeUpRun third([](Step created) { return created % 3 == 0 ? 100'000 : 1; });
  EXPECT_EQ(end_of(third, 1e9), no_step) << "27 of 80 packets do not rule chance out";
  const auto first = [&](const std::function<Step(Step)>& latency) {
    MadeUpRun made_up(latency);
    Judge judge(long_phases, 1e9);
    const Step end = judge.end_of(made_up, 2000);
    EXPECT_TRUE(end == no_step || judge.judge.verdict()->reason == SaturationReason::backlog);
    return end;
  };
  EXPECT_EQ(first([](Step created) { return created % 2 == 0 ? 1 : 100'000; }), 500);
  EXPECT_EQ(first([](Step created) { return created % 30 == 0 ? 100'000 : 1; }), no_step) << "3 % are no growth";
  EXPECT_EQ(first([](Step created) { return created < 720 || created % 2 == 0 ? 1 : 100'000; }), 900)
      << "from the part on in which it does";
  EXPECT_EQ(first([](Step created) { return created < 320 ? 100'000 : 1; }), no_step) << "not in the later half";
}

// A link of one flit per step carries seven flits on their path to node 7, and up to 28 are not a queue, even if they
// grow.
TEST(Saturated, NotWhileNoMoreFlitsWaitThanFourTimesWhatThePipeHolds) {
  MadeUpRun filling([](Step created) { return created < 900 ? 7 : 28; }, 7), queueing([](Step) { return 30; }, 7);
  for (MadeUpRun* run : {&filling, &queueing}) {
    const auto every_step = [](Step step) {
      PortFlits flits = Judge(long_phases).no_flits();
      flits.links[1] = step;
      return flits;
    };
    Judge judge(long_phases);
    EXPECT_EQ(judge.end_of(*run, 2000, every_step), run == &filling ? no_step : 500);
  }
}

TEST(Saturated, NamesThePortThatIsTakenInEveryMeasuredStep) {
  MadeUpRun waiting([](Step) { return 10; });
  const NetworkGraph& graph = network_of(Grid::mesh({1, 8})).graph;
  const std::size_t east_of_3 = graph.index(3, graph.out_ports(3).lowest());
  const auto verdict = [&](const std::function<void(PortFlits&, Step)>& take) {
    Judge judge(short_phases, std::nullopt);
    judge.end_of(waiting, 400, [&](Step step) {
      PortFlits flits = judge.no_flits();
      take(flits, step);
      return flits;
    });
    return judge.judge.verdict().value_or(SaturationVerdict());
  };
  const SaturationVerdict link = verdict([&](PortFlits& flits, Step step) { flits.links[east_of_3] = step; });
  EXPECT_EQ(link.reason, SaturationReason::full);
  EXPECT_EQ(link.step, 260) << "without limits.latency there is one verdict, at the end of the phase";
  EXPECT_EQ(link.link, static_cast<LinkId>(east_of_3));
  EXPECT_EQ(link.flits, 10);
  EXPECT_EQ(link.pipe, 1);
  const SaturationVerdict to = verdict([](PortFlits& flits, Step step) { flits.to_processor[5] = step; });
  EXPECT_EQ(to.reason, SaturationReason::full);
  EXPECT_EQ(to.node, 5);
  EXPECT_EQ(verdict([](PortFlits& flits, Step step) { flits.from_processor[2] = step; }).node, 2);
  const auto pauses = [](Step step) { return step - (step > 170 ? 1 : 0); };
  EXPECT_EQ(verdict([&](PortFlits& flits, Step step) { flits.links[east_of_3] = pauses(step); }).step, no_step);
  EXPECT_EQ(verdict([&](PortFlits& flits, Step step) { flits.to_processor[5] = pauses(step); }).step, no_step);
  MadeUpRun growing([](Step created) { return created % 2 == 0 ? 1 : 100'000; });
  Judge both(long_phases);
  both.end_of(growing, 2000, [&](Step step) {
    PortFlits flits = both.no_flits();
    flits.links[east_of_3] = step;
    return flits;
  });
  EXPECT_EQ(both.judge.verdict()->reason, SaturationReason::full) << "goes before backlog";
}

TEST(Saturated, DoesNotEndANetworkThatDeliversNothing) {
  MadeUpRun stuck([](Step created) { return created < 110 ? 1 : 100'000; });
  Judge judge(short_phases);
  EXPECT_EQ(judge.end_of(stuck, 400), no_step);
  EXPECT_EQ(judge.judge.verdict()->reason, SaturationReason::backlog) << "known, if it is no deadlock";
}

// Idle steps are not checked unless every node runs in every step.
TEST(Saturated, DoesNotDependOnIdleSteps) {
  const auto found = [&](const std::vector<Step>& looked_at) {
    Judge judge(short_phases, 1.2);
    MadeUpRun made_up([](Step created) -> Step { return created == 117 ? 13 : 1; }, 1, 118);
    for (const Step step : looked_at)
      if (!judge.judge.end_of_run())
        judge.judge.look(step, made_up.before(step), [&](Step) { return judge.no_flits(); });
    return judge.judge.end_of_run().value_or(no_step);
  };
  std::vector<Step> all(300), busy(119);
  std::iota(all.begin(), all.end(), 0);
  std::iota(busy.begin(), busy.end(), 0);
  for (const Step step : {130, 131, 299}) busy.push_back(step);
  EXPECT_EQ(found(all), 140);
  EXPECT_EQ(found(busy), 140);
}

// A full link, and 20 flits in flight with a P of 7; then a growing number.
TEST(Saturated, DoesNotDependOnWhatIsForgotten) {
  const auto verdict = [&](bool forgets, Step later) {
    Judge judge(long_phases);
    MadeUpRun made_up([later](Step created) { return created < 200 ? 20 : later; }, 7);
    for (Step step = 0; step <= 600 && !judge.judge.end_of_run(); ++step) {
      const RunRecord& record = made_up.before(step);
      judge.judge.look(step, record, [&](Step before) {
        PortFlits flits = judge.no_flits();
        flits.links[1] = before;
        return flits;
      });
      if (!forgets) continue;
      const auto left = std::find(record.delivered.begin(), record.delivered.end(), no_step);
      judge.judge.before_removal(static_cast<PacketId>(left - record.delivered.begin()), record);
    }
    return judge.judge.verdict();
  };
  for (const bool forgets : {false, true}) {
    EXPECT_FALSE(verdict(forgets, 20)) << forgets;
    ASSERT_TRUE(verdict(forgets, 60)) << forgets;
    EXPECT_EQ(verdict(forgets, 60)->step, 500) << forgets;
    EXPECT_EQ(verdict(forgets, 60)->pipe, 7) << forgets;
  }
}

// A filling network is not saturated: rates of 2 to 30 % of its capacity, phases that begin in an empty network.
TEST(OpenLoopRun, IsNotSaturatedWhileThePipeFills) {
  for (const char* algorithm : {"vc-wormhole", "greedy"}) {
    const Grid mesh = Grid::mesh({6, 6});
    OpenLoopCase one{algorithm, {}, sources(0.02, 0, 400)};
    one.link_latency = 32;
    if (std::string(algorithm) == "vc-wormhole") one.routing = {{"buffer", std::int64_t{80}}};
    one.limits.latency = 20;
    const OpenLoopRun found = run(mesh, one);
    EXPECT_EQ(found.result.outcome, Outcome::completed) << algorithm;
    EXPECT_FALSE(found.result.saturation) << algorithm;
  }
  OpenLoopCase one{"vc-wormhole", {{"channels", std::int64_t{4}}, {"buffer", std::int64_t{8}}}, sources(0.15, 0, 60)};
  one.limits.latency = 20;
  EXPECT_EQ(run(Grid::mesh({8, 8}), one).result.outcome, Outcome::completed);
}

// Row and column to the corner carry at most 0.1429 of transpose on 8 x 8 with west-first; everything arrived at 0.2.
TEST(OpenLoopRun, SeesAnOverloadWhosePacketsArriveInTheDrain) {
  const Grid mesh = Grid::mesh({8, 8});
  const PatternEntry& transpose = *find_pattern("transpose");
  TrafficContext context;
  context.processors = processors_of(network_of(mesh));
  Keys keys = sources(0.2, 500, 2000);
  keys["drain"] = Step{20'000};
  keys["flits"] = std::int64_t{8};
  const auto traffic = transpose.make(context, checked_values(transpose.keys, keys, "traffic"));
  OpenLoopCase one{"vc-wormhole", {{"function", std::string("west-first")}, {"channels", std::int64_t{2}}}};
  one.limits.latency = 20;
  for (const bool early : {true, false}) {
    if (!early) one.limits.latency.reset();
    const OpenLoopRun found = run(mesh, one, traffic.get());
    EXPECT_EQ(found.result.outcome, Outcome::saturated);
    ASSERT_TRUE(found.result.saturation);
    EXPECT_EQ(found.result.saturation->reason, SaturationReason::full);
    EXPECT_EQ(found.result.record.steps_run < 2500, early);
  }
}

// Two flits per step for a local in-port that takes one.
TEST(OpenLoopRun, NamesALocalPortThatIsFull) {
  std::vector<Packet> packets;
  for (Step step = 0; step < 2000; step += 2) packets.push_back({5, 5, 4, step});
  for (const std::uint64_t shuffle : {0, 7}) {
    Listed traffic(packets, std::nullopt, {100, 1600, 1000});
    OpenLoopCase one{"vc-wormhole", {}, {}, {}, shuffle, shuffle != 0};
    one.routing = {{"channels", std::int64_t{4}}, {"buffer", std::int64_t{8}}};
    const OpenLoopRun found = run(Grid::mesh({4, 4}), one, &traffic);
    ASSERT_EQ(found.result.outcome, Outcome::saturated);
    EXPECT_EQ(found.result.saturation->reason, SaturationReason::full);
    EXPECT_EQ(found.result.saturation->link, -1);
    EXPECT_EQ(found.result.saturation->node, 5);
    EXPECT_EQ(found.result.record.steps_run, 2700) << "without limits.latency the run goes on to the end of its drain";
  }
}

TEST(OpenLoopRun, StopsEarlyWithTheSameBytes) {
  OpenLoopCase one{"greedy", {}, sources(0.9, 100, 800), {}, 0, false};
  one.limits.latency = 20;
  const OpenLoopRun stopped = run(Grid::mesh({6, 6}), one);
  ASSERT_EQ(stopped.result.outcome, Outcome::saturated);
  ASSERT_TRUE(stopped.result.saturation);
  EXPECT_EQ(stopped.result.saturation->step, stopped.result.record.steps_run);
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
  EXPECT_GE(run(Grid::mesh({6, 6}), one).result.record.steps_run, 900) << "to the end of the phase at least";
}

// ---- packets that are answered

// Idle sources do not end the measurement phase.
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

TEST(ReplyGenerator, EveryPacketOnceAfterItsService) {
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

TEST(ReplyGenerator, GivesTheSameBytesInAnyOrder) {
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

// All packets of a run as a list, including replies: the network treats them in the same way.
TEST(ReplyGenerator, RepliesArePacketsLikeOthers) {
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
TEST(ReplyGenerator, WakesTheNetworkForAReply) {
  Listed list({{0, 3, 1, 5}}, ReplyRules{1, 2000, 0});
  const OpenLoopRun found = run(Grid::mesh({1, 4}), {}, &list);
  EXPECT_EQ(found.result.record.delivered, (std::vector<Step>{8, 2011}));
  EXPECT_EQ(found.result.record.packets[1].created, 2008);
  EXPECT_EQ(found.result.outcome, Outcome::completed);
  expect_equal(*found.result.measured, {3000, 2, 2});  // the whole phase, including its idle end
}

}  // namespace
}  // namespace starloom::links
