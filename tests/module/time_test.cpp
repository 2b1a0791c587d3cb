// SPDX-License-Identifier: Apache-2.0
/// \file Time: steps are clock periods or rising edges, a write becomes readable one latency later, and time in which
/// no node is awake has no cost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <memory>
#include <vector>

#include <starloom/topology/link_changes.hpp>
#include "support/fresh_context.hpp"
#include "support/function_algorithm.hpp"
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/netlist_run.hpp"
#include "support/permutations.hpp"
#include "support/trace_text.hpp"

namespace starloom::links {
namespace {

using sc_core::SC_NS;
using sc_core::SC_PS;
using sc_core::sc_time;
using testing::ElementsAre;

/// Random packets in three bursts with idle time between them.
std::vector<Packet> bursts(const Grid& grid) {
  std::vector<Packet> packets;
  for (const Step created : {0, 60, 1000})
    for (Packet packet : permutation_packets(random_permutation(grid.nodes(), static_cast<std::uint64_t>(created)))) {
      packet.created = created;
      packets.push_back(packet);
    }
  return packets;
}

// ---- clock and period

class ClockOfPeriod : public testing::TestWithParam<double> {};

TEST_P(ClockOfPeriod, GivesTheSameRun) {
  const Grid grid = Grid::mesh({3, 4});
  const auto algorithm = named_algorithm("greedy", grid);
  for (const bool wake_all : {false, true}) {
    NetlistRunOptions options;
    options.network.wake_all = wake_all;
    ListSource with_period(bursts(grid));
    const NetlistRun expected = run_netlist(grid, *algorithm, with_period, options);

    std::unique_ptr<sc_core::sc_clock> clock;
    options.prepare = [&](Network& network) {
      clock = std::make_unique<sc_core::sc_clock>("clock", sc_time(GetParam(), SC_NS));
      network.fabric.clock.bind(*clock);
    };
    ListSource with_clock(bursts(grid));
    const NetlistRun run = run_netlist(grid, *algorithm, with_clock, options);
    EXPECT_EQ(run.end, StepperEnd::all_delivered);
    EXPECT_EQ(run.rows, expected.rows);
    EXPECT_EQ(run.state, expected.state);
    EXPECT_EQ(run.record.delivered, expected.record.delivered);
    EXPECT_EQ(run.record.activations, expected.record.activations);
    EXPECT_EQ(run.record.steps_run, expected.record.steps_run);
    // The run ends in its last step; the clock started at 0.
    const sc_time period(GetParam(), SC_NS);
    EXPECT_EQ(sc_core::sc_time_stamp(), static_cast<double>(run.record.steps_run - 1) * period);
  }
}

INSTANTIATE_TEST_SUITE_P(Time, ClockOfPeriod, testing::Values(1.0, 7.0, 0.003));

TEST(Clock, AStepIsARisingEdgeWhateverItsTime) {
  fresh_context();
  const Grid grid = Grid::mesh({1, 4});
  const auto algorithm = named_algorithm("greedy", grid);
  ListSource source({{0, 3, 1, 2}});
  RowCollector collector;
  sc_core::sc_signal<bool> clock("clock");
  Network network("network", network_of(grid), *algorithm);
  network.fabric.clock.bind(clock);
  network.fabric.set_source(&source, no_step);
  network.fabric.set_sinks({&collector});
  sc_core::sc_start(5, SC_NS);
  EXPECT_EQ(network.fabric.step(), -1);
  for (Step step = 0; step < 9; ++step) {
    clock = true;
    sc_core::sc_start(static_cast<double>(1 + step % 3), SC_NS);
    EXPECT_EQ(network.fabric.step(), step);
    clock = false;
    sc_core::sc_start(static_cast<double>(1 + step % 4), SC_NS);
    EXPECT_EQ(network.fabric.step(), step);
  }
  EXPECT_THAT(row_texts(collector.all), ElementsAre("2,inject,0,0,0,,", "2,hop,0,0,0,1,1", "3,hop,0,0,1,1,2",
                                                    "4,hop,0,0,2,1,3", "5,eject,0,0,3,,"));
}

TEST(Clock, TheEndIsAnnouncedAlthoughTheClockGoesOn) {
  fresh_context();
  const Grid grid = Grid::mesh({1, 2});
  const auto algorithm = named_algorithm("greedy", grid);
  ListSource source({{0, 1, 1, 0}});
  sc_core::sc_clock clock("clock", sc_time(2, SC_NS));
  Network network("network", network_of(grid), *algorithm);
  network.fabric.clock.bind(clock);
  network.fabric.set_source(&source, no_step);
  const PauseAtEnd pause("pause", network.fabric);
  sc_core::sc_start();
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_time(2, SC_NS));
}

/// Notes in what time the rows of a step are made.
class StampSink final : public TraceSink {
 public:
  void rows(const std::vector<TraceRow>& of_one_step) override {
    for (const TraceRow& row : of_one_step) EXPECT_EQ(sc_core::sc_time_stamp(), row.step * period);
    ++batches;
  }
  sc_time period;
  int batches = 0;
};

TEST(Period, StepTBeginsAtTPeriods) {
  const Grid grid = Grid::torus({5, 3});
  const auto algorithm = named_algorithm("greedy", grid);
  for (const sc_time& period : {sc_time(2.5, SC_NS), sc_time(1, SC_PS), sc_time(3, sc_core::SC_US)}) {
    fresh_context();
    ListSource source(bursts(grid));
    StampSink sink;
    sink.period = period;
    NetworkOptions options;
    options.period = period;
    Network network("network", network_of(grid), *algorithm, options);
    network.fabric.set_source(&source, no_step);
    network.fabric.set_sinks({&sink});
    sc_core::sc_start();
    EXPECT_GT(sink.batches, 10);
    EXPECT_EQ(network.fabric.period(), period);
    EXPECT_EQ(network.fabric.step(), network.fabric.engine().record().steps_run - 1);
  }
}

// ---- latency

TEST(Latency, DistanceDWithoutWaitingTakesDLatencies) {
  for (const std::int32_t latency : {1, 2, 5, 17}) {
    const Grid grid = Grid::mesh({4, 5});
    const auto algorithm = named_algorithm("greedy", grid);
    ListSource source({{0, 19, 1, 3}});
    const NetlistRun run = run_netlist(network_of(grid, latency), *algorithm, source);
    EXPECT_THAT(run.record.delivered, ElementsAre(3 + grid.distance(0, 19) * latency));
  }
}

/// Node 0 writes a key and both side words in each of the first three steps; every node notes all that it can read.
std::vector<std::string> what_is_seen(std::int32_t latency, std::uint64_t shuffle, bool plain, std::int32_t phits = 1) {
  const Grid grid = Grid::mesh({1, 2});
  const LinkNetwork network = with_link_changes(link_network(grid), {{"*", latency, phits, {}}});
  std::vector<std::string> seen;
  Declaration declaration;
  declaration.reverse_wire = declaration.forward_wire = true;
  const Port east = 1, west = 3;
  const FlitFunction algorithm(grid, declaration, [&seen](FlitView& view) {
    const std::string when = std::to_string(view.step()) + ": ";
    if (view.node() == 0 && view.step() < 3) {
      const auto now = static_cast<std::uint32_t>(view.step());
      Flit key;
      key.kind = FlitKind::key;
      key.header[0] = 100 + now;
      if ((view.out_ports() >> east & 1) != 0) view.send(east, key);
      view.write_forward(east, 200 + now);
      view.write_reverse(east, 300 + now);
    }
    if (view.node() == 1) {
      if (view.arrived() >> west & 1) seen.push_back(when + std::to_string(view.arrival(west).header[0]));
      if (view.forward_words() >> west & 1) seen.push_back(when + std::to_string(view.forward_word(west)));
      if (view.reverse_words() >> west & 1) seen.push_back(when + std::to_string(view.reverse_word(west)));
    } else if (view.arrived() != 0 || view.forward_words() != 0 || view.reverse_words() != 0) {
      seen.push_back(when + "node 0 reads what it has written");
    }
    view.wake_at(view.step() + 1);
  });
  // A packet for each node starts them off; it stays in its memory.
  ListSource source({{0, 1, 1, 0}, {1, 0, 1, 0}});
  if (plain) {
    StepperOptions options;
    options.max_steps = 30;
    run_stepper(network, algorithm, source, options);
  } else {
    NetlistRunOptions options;
    options.network.shuffle = shuffle;
    options.max_steps = 30;
    run_netlist(network, algorithm, source, options);
  }
  return seen;
}

TEST(Latency, FlitsAndSideWordsOfStepTAreReadInStepTPlusLatencyOnly) {
  for (const std::uint64_t shuffle : {0, 1, 2, 3}) {
    EXPECT_THAT(what_is_seen(1, shuffle, false),
                ElementsAre("1: 100", "1: 200", "1: 300", "2: 101", "2: 201", "2: 301", "3: 102", "3: 202", "3: 302"));
    EXPECT_THAT(what_is_seen(6, shuffle, false),
                ElementsAre("6: 100", "6: 200", "6: 300", "7: 101", "7: 201", "7: 301", "8: 102", "8: 202", "8: 302"));
  }
  EXPECT_EQ(what_is_seen(3, 0, false), what_is_seen(3, 0, true));
}

TEST(Latency, SideWordsDoNotWaitForThePhitsOfAFlit) {
  for (const bool plain : {false, true})
    EXPECT_THAT(what_is_seen(2, 0, plain, 3),
                ElementsAre("2: 200", "2: 300", "3: 201", "3: 301", "4: 100", "4: 202", "4: 302"));
}

TEST(Latency, ASideWordWakesItsReader) {
  const Grid grid = Grid::mesh({1, 2});
  for (const bool forward : {false, true}) {
    std::vector<Step> read;
    Declaration declaration;
    declaration.reverse_wire = declaration.forward_wire = true;
    const FlitFunction algorithm(grid, declaration, [&](FlitView& view) {
      if (view.node() == 1) read.push_back(view.step());
      else if (forward) view.write_forward(1, 7);
      else view.write_reverse(1, 7);
    });
    ListSource source({{0, 1, 1, 40}});
    const NetlistRun run = run_netlist(network_of(grid, 9), algorithm, source);
    EXPECT_THAT(read, ElementsAre(49));
    EXPECT_EQ(run.end, StepperEnd::nothing_pending);
  }
}

// ---- wake-ups

TEST(WakeUp, ASleeperCostsNothingWhileItSleeps) {
  const Grid grid = Grid::mesh({3, 3});
  // A loop over the steps of the second delay would not end within the time of a test.
  for (const std::int64_t delay : {std::int64_t{100'000'000}, std::int64_t{1'000'000'000'000}}) {
    const auto algorithm = named_algorithm("probe-sleeper", grid, {{"delay", delay}});
    ListSource source({{0, 8, 1, 0}, {4, 4, 1, 0}, {7, 6, 1, 2}});
    NetlistRunOptions options;
    options.max_steps = 2 * delay;
    const NetlistRun run = run_netlist(grid, *algorithm, source, options);
    EXPECT_THAT(run.record.delivered, ElementsAre(delay + 4, 0, delay + 3));
    EXPECT_EQ(run.record.steps_run, delay + 5);
    // Two creations, two wake-ups, five hops: no other activations, and the kernel has one delta cycle per step.
    EXPECT_EQ(run.record.activations, 9);
    EXPECT_LT(sc_core::sc_delta_count(), 20u);
    EXPECT_EQ(sc_core::sc_time_stamp(), static_cast<double>(delay + 4) * sc_time(1, SC_NS));
  }
}

/// The most memory that this process has had so far, in MB.
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// A node that is run in every step asks in every step to be woken at the end of its sleep.
TEST(WakeUp, AskingAgainAndAgainTakesNoMemory) {
  const Grid grid = Grid::mesh({4, 4});
  const Step delay = 300'000;
  const auto algorithm = named_algorithm("probe-sleeper", grid, {{"delay", delay}});
  const std::vector<Packet> packets = permutation_packets(random_permutation(grid.nodes(), 3));
  NetlistRunOptions options;
  options.max_steps = 2 * delay;
  ListSource asleep(packets), awake(packets);
  const NetlistRun expected = run_netlist(grid, *algorithm, asleep, options);
  const double before = peak_memory();
  options.network.wake_all = true;
  const NetlistRun run = run_netlist(grid, *algorithm, awake, options);
  EXPECT_LT(peak_memory() - before, 20);  // an entry for each node and step would take 77 MB
  EXPECT_EQ(run.rows, expected.rows);
  EXPECT_EQ(run.record.delivered, expected.record.delivered);
  EXPECT_GE(run.record.activations, delay * 16);
}

TEST(WakeUp, IdleTimeBeforeACreationIsSkipped) {
  const Grid grid = Grid::mesh({3, 3});
  const auto algorithm = named_algorithm("greedy", grid);
  ListSource source({{0, 2, 1, 50'000'000'000}, {0, 2, 1, 70'000'000'000}});
  NetlistRunOptions options;
  options.max_steps = 80'000'000'000;
  const NetlistRun run = run_netlist(grid, *algorithm, source, options);
  EXPECT_THAT(run.record.delivered, ElementsAre(50'000'000'002, 70'000'000'002));
  EXPECT_EQ(run.record.activations, 6);
}

/// The steps in which node 1 of two runs, if it asks in its k-th run for the k-th list of steps; it starts in step 5.
std::vector<Step> runs_of(const std::vector<std::vector<Step>>& asked, std::int32_t latency,
                          NetlistRun* result = nullptr) {
  const Grid grid = Grid::mesh({1, 2});
  std::vector<Step> runs;
  const FlitFunction algorithm(grid, {}, [&](FlitView& view) {
    if (runs.size() < asked.size())
      for (const Step step : asked[runs.size()]) view.wake_at(step);
    runs.push_back(view.step());
  });
  ListSource source({{1, 0, 1, 5}});
  NetlistRunOptions options;
  options.max_steps = std::int64_t{1} << 50;
  NetlistRun run = run_netlist(network_of(grid, latency), algorithm, source, options);
  if (result != nullptr) *result = std::move(run);
  return runs;
}

TEST(WakeUp, ANodeRunsInTheStepItAskedForAtAnyDistance) {
  for (const std::int32_t latency : {1, 4, 7}) {
    EXPECT_THAT(runs_of({{6}, {8}, {11}, {15}, {23}, {39}, {100}, {100'000}, {std::int64_t{1} << 40}}, latency),
                ElementsAre(5, 6, 8, 11, 15, 23, 39, 100, 100'000, std::int64_t{1} << 40));
  }
}

TEST(WakeUp, TheEarliestOfSeveralRequestsCounts) {
  EXPECT_THAT(runs_of({{900, 7, 30}, {40, 41}}, 1), ElementsAre(5, 7, 40));
}

TEST(WakeUp, AskingForThePastOrThePresentIsAViolation) {
  for (const Step step : {5, 4, 0, -1}) {
    NetlistRun run;
    EXPECT_THAT(runs_of({{step}}, 1, &run), ElementsAre(5));
    EXPECT_EQ(run.violation.step, 5);
    EXPECT_EQ(run.violation.node, 1);
    EXPECT_EQ(run.violation.text, "asked to be woken in the past");
  }
}

}  // namespace
}  // namespace starloom::links
