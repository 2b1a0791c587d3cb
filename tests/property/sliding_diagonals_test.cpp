// SPDX-License-Identifier: Apache-2.0
// Sliding diagonals end to end: the referee accepts, the timetable audit finds no error, failures agree with the
// event-level counter, every worm arrives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include <starloom/algorithms/sliding_diagonals/controller.hpp>
#include <starloom/algorithms/sliding_diagonals/diagonal_audit.hpp>
#include <starloom/simulation/links/simulation.hpp>
#include <starloom/traffic/packet_list.hpp>
#include "support/diagonal_events.hpp"
#include "support/named_algorithm.hpp"
#include "support/permutations.hpp"

namespace starloom::links {
namespace {

struct DiagonalCase {
  std::int32_t n, d, flits, a, b, width;
  bool registers_only = false;
  bool intermediate = false;
  std::uint64_t seed = 1;
  std::int64_t rounds = 0;  ///< 0: by the preset

  std::map<std::string, KeyValue> keys() const {
    const auto number = [](std::int64_t value) { return KeyValue(value); };
    std::map<std::string, KeyValue> keys = {{"a", number(a)},
                                            {"b", number(b)},
                                            {"w0", number(width)},
                                            {"level", registers_only ? "B" : "A"},
                                            {"intermediate", intermediate ? "on" : "off"}};
    if (rounds > 0) keys["R"] = rounds;
    return keys;
  }
  Grid torus() const { return Grid::torus(std::vector<std::int64_t>(static_cast<std::size_t>(d), n)); }
};

std::ostream& operator<<(std::ostream& out, const DiagonalCase& c) {
  return out << "n" << c.n << " d" << c.d << " L" << c.flits << " (" << c.a << ',' << c.b << ',' << c.width
             << ") level " << (c.registers_only ? 'B' : 'A') << (c.intermediate ? " twice" : "") << " seed " << c.seed;
}

std::vector<Packet> random_function(const Grid& torus, std::int32_t flits, std::uint64_t seed) {
  std::vector<Packet> packets;
  for (NodeId node = 0; node < torus.nodes(); ++node) {
    RandomStream random(seed, Purpose::destination, node, 0);
    packets.push_back({node, static_cast<NodeId>(random.bounded(static_cast<std::uint32_t>(torus.nodes()))), flits, 0});
  }
  return packets;
}

struct DiagonalRun {
  SimulationResult result;
  Schedule schedule;
  std::map<std::string, double> metrics;
};

DiagonalRun run_diagonals(const DiagonalCase& c, const std::vector<Packet>& packets, std::vector<TraceSink*> sinks,
                          std::optional<Step> limit = {}, const std::map<std::string, KeyValue>& more = {}) {
  const Grid torus = c.torus();
  std::map<std::string, KeyValue> keys = c.keys();
  for (const auto& [key, value] : more) keys[key] = value;
  const LinkNetwork& network = network_of(torus);
  const auto algorithm = named_algorithm("sliding-diagonals", network, keys, &packets);
  PacketList traffic(packets);
  SimulationSetup setup;
  setup.network = &network;
  setup.algorithm = algorithm.get();
  setup.traffic = &traffic;
  setup.seed = c.seed;
  setup.referee = !sinks.empty();
  setup.sinks = std::move(sinks);
  setup.limits.steps = limit;
  DiagonalRun run;
  run.result = simulate(setup);
  run.schedule = run.result.record.schedule.value();
  run.metrics = run.result.record.metrics;
  for (const auto& [name, value] : algorithm->metrics()) run.metrics[name] = value;
  return run;
}

DiagonalAuditRules rules_of(const DiagonalCase& c, const std::map<std::string, double>& metrics) {
  const auto metric = [&metrics](const char* name) { return static_cast<std::int32_t>(metrics.at(name)); };
  return {c.flits, c.a, c.b, c.width, metric("F"), metric("R"), metric("g"), c.registers_only, c.intermediate, c.seed};
}

/// Runs a case and audits it. The constants of the audit are those that the algorithm chose.
void expect_sound(const DiagonalCase& c, const std::vector<Packet>& packets) {
  SCOPED_TRACE(testing::PrintToString(c));
  const Grid torus = c.torus();
  const auto chosen = named_algorithm("sliding-diagonals", torus, c.keys(), &packets)->metrics();
  DiagonalAudit audit(torus, rules_of(c, chosen));
  const DiagonalRun run = run_diagonals(c, packets, {&audit});
  ASSERT_EQ(run.result.outcome, Outcome::completed) << run.result.violation.text;
  const DiagonalAuditReport report = audit.report(run.result.record.packets);
  EXPECT_THAT(report.diagnostics, testing::IsEmpty());
  EXPECT_EQ(report.steps, run.schedule.steps);
  EXPECT_EQ(report.batches, run.schedule.units);
  EXPECT_EQ(static_cast<double>(report.clean_up_batches), run.metrics.at("clean_up_batches"));
  EXPECT_EQ(static_cast<double>(report.pass_1), run.metrics.at("failures.pass_1"));
  EXPECT_EQ(static_cast<double>(report.phase_2), run.metrics.at("failures.phase_2"));
  EXPECT_EQ(static_cast<double>(report.overflow), run.metrics.at("failures.overflow"));
  EXPECT_EQ(static_cast<double>(report.no_position), run.metrics.at("failures.no_place"));
}

TEST(SlidingDiagonals, KeepTheTimetableInTwoDimensions) {
  for (const DiagonalCase& c :
       {DiagonalCase{16, 2, 1, 1, 1, 4}, DiagonalCase{16, 2, 2, 2, 1, 4}, DiagonalCase{15, 2, 3, 1, 1, 4},
        DiagonalCase{17, 2, 4, 1, 1, 3}, DiagonalCase{19, 2, 5, 1, 1, 2}, DiagonalCase{21, 2, 2, 1, 2, 5},
        DiagonalCase{11, 2, 2, 1, 1, 3}, DiagonalCase{32, 2, 3, 2, 1, 5}, DiagonalCase{16, 2, 2, 1, 1, 4, true}})
    for (const bool intermediate : {false, true}) {
      DiagonalCase one = c;
      one.intermediate = intermediate;
      expect_sound(one, random_function(one.torus(), one.flits, one.seed));
      if (HasFailure()) return;
    }
}

TEST(SlidingDiagonals, KeepTheTimetableInMoreDimensions) {
  for (const DiagonalCase& c :
       {DiagonalCase{8, 3, 1, 1, 1, 2}, DiagonalCase{8, 3, 2, 1, 1, 2}, DiagonalCase{9, 3, 3, 1, 1, 3},
        DiagonalCase{8, 3, 2, 1, 1, 2, true}, DiagonalCase{9, 3, 1, 2, 1, 3, true, true},
        DiagonalCase{6, 4, 2, 1, 1, 2}, DiagonalCase{4, 5, 1, 1, 1, 2}, DiagonalCase{5, 4, 1, 1, 1, 2, true, true}}) {
    expect_sound(c, random_function(c.torus(), c.flits, c.seed));
    if (HasFailure()) return;
  }
}

TEST(SlidingDiagonals, KeepTheTimetableOnPermutations) {
  const DiagonalCase c{16, 2, 2, 2, 1, 4, false, true};
  const Grid torus = c.torus();
  std::vector<NodeId> tornado, transpose;
  for (NodeId node = 0; node < torus.nodes(); ++node) {
    const NodeId x = node % 16, y = node / 16;
    tornado.push_back((x + 7) % 16 + 16 * ((y + 7) % 16));
    transpose.push_back(y + 16 * x);
  }
  for (const auto& destinations : {tornado, transpose, random_permutation(torus.nodes(), 3)})
    expect_sound(c, permutation_packets(destinations, 2));
}

TEST(SlidingDiagonals, TheAuditFindsWhatIsWrong) {
  const DiagonalCase c{16, 2, 2, 2, 1, 4};
  const std::vector<Packet> packets = random_function(c.torus(), 2, 1);
  const auto chosen = named_algorithm("sliding-diagonals", c.torus(), c.keys(), &packets)->metrics();
  // A run by other constants is not one by these.
  for (const auto& change : std::vector<std::function<void(DiagonalAuditRules&)>>{
           [](DiagonalAuditRules& r) { r.a = 1; }, [](DiagonalAuditRules& r) { r.width = 5; },
           [](DiagonalAuditRules& r) { ++r.forward; }, [](DiagonalAuditRules& r) { --r.rounds; },
           [](DiagonalAuditRules& r) { r.b = 2; }}) {
    DiagonalAuditRules rules = rules_of(c, chosen);
    change(rules);
    const Grid torus = c.torus();
    DiagonalAudit audit(torus, rules);
    const DiagonalRun run = run_diagonals(c, packets, {&audit});
    EXPECT_FALSE(audit.report(run.result.record.packets).diagnostics.empty());
  }
}

/// Keeps the rows of a run.
class DiagonalRows final : public TraceSink {
 public:
  void rows(const std::vector<TraceRow>& of_one_step) override { steps.push_back(of_one_step); }
  std::vector<std::vector<TraceRow>> steps;
};

// The timetable audit finds errors that the referee accepts: a worm that is one step late on its whole path, or waits
// one step longer.
TEST(SlidingDiagonals, TheAuditFindsAWormOutOfStep) {
  const DiagonalCase c{16, 2, 2, 2, 1, 4};
  const Grid torus = c.torus();
  const std::vector<Packet> packets = random_function(torus, 2, 1);
  DiagonalRows run;
  const auto metrics = run_diagonals(c, packets, {&run}).metrics;
  const auto diagnostics_with = [&](const std::function<void(TraceRow&)>& damage) {
    DiagonalAudit audit(torus, rules_of(c, metrics));
    std::vector<TraceRow> all;
    for (const auto& rows : run.steps)
      for (TraceRow row : rows) {
        damage(row);
        all.push_back(row);
      }
    std::stable_sort(all.begin(), all.end());
    for (const TraceRow& row : all) audit.rows({row});
    return audit.report(packets).diagnostics.size();
  };
  EXPECT_EQ(diagnostics_with([](TraceRow&) {}), 0u);
  const Step final_routing = 206;
  for (PacketId packet = 0; packet < 256; packet += 7) {
    if (packets[static_cast<std::size_t>(packet)].source == packets[static_cast<std::size_t>(packet)].destination)
      continue;
    EXPECT_GT(diagnostics_with([packet](TraceRow& row) { row.step += row.packet == packet ? 1 : 0; }), 0u);
    EXPECT_GT(diagnostics_with([packet](TraceRow& row) {
                if (row.packet == packet) row.step += row.step % (final_routing + 18) >= final_routing ? 1 : 0;
              }),
              0u);
    // In the other direction of its first ring.
    EXPECT_GT(diagnostics_with([packet](TraceRow& row) {
                if (row.packet == packet && row.event == TraceEvent::hop && row.port < 2) row.port ^= 1;
              }),
              0u);
  }
}

TEST(SlidingDiagonals, TimetablesDoNotDependOnDestinations) {
  for (const auto& [c, steps] :
       std::vector<std::pair<DiagonalCase, std::int64_t>>{{{64, 2, 1, 6, 1, 8}, 3794}, {{64, 2, 2, 6, 1, 8}, 10660}}) {
    const DiagonalRun run = run_diagonals(c, random_function(c.torus(), c.flits, 1), {});
    EXPECT_EQ(run.result.outcome, Outcome::completed);
    EXPECT_EQ(run.schedule.steps, steps);
    EXPECT_EQ(run.metrics.at("stored"), 0);
  }
}

// With half as many diagonals as are needed for certain, about 21 worms of 4096 find their block full.
TEST(SlidingDiagonals, AsManyFailAsTheLoadsSay) {
  double pass_1 = 0;
  const int runs = 25;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    DiagonalCase c{64, 2, 2, 2, 2, 8};
    c.seed = seed;
    // The first pass is over: what clean-up does is not counted.
    const DiagonalRun run = run_diagonals(c, random_function(c.torus(), 2, seed), {}, 8 * (754 + 66));
    pass_1 += run.metrics.at("failures.pass_1");
  }
  EXPECT_GT(pass_1 / runs, 17);
  EXPECT_LT(pass_1 / runs, 25);
}

TEST(SlidingDiagonals, WhatFailsIsDeliveredByCleanUp) {
  // One round: worms that meet in their column cannot all turn.
  DiagonalCase c{64, 2, 2, 6, 1, 8};
  c.rounds = 1;
  const DiagonalRun run = run_diagonals(c, random_function(c.torus(), 2, 1), {});
  EXPECT_EQ(run.result.outcome, Outcome::completed);
  EXPECT_GT(run.metrics.at("failures.phase_2"), 150);
  EXPECT_GT(run.metrics.at("clean_up_batches"), 0);
  EXPECT_EQ(run.schedule.steps, run.schedule.units * (run.schedule.steps_per_unit + 66));
}

TEST(SlidingDiagonals, WithoutRandomNodesATornadoFillsReservoirs) {
  const DiagonalCase c{64, 2, 2, 6, 1, 8};
  std::vector<NodeId> tornado;
  for (NodeId node = 0; node < 4096; ++node) tornado.push_back((node % 64 + 31) % 64 + 64 * ((node / 64 + 31) % 64));
  const DiagonalRun run = run_diagonals(c, permutation_packets(tornado, 2), {});
  EXPECT_EQ(run.result.outcome, Outcome::completed);
  EXPECT_GE(run.metrics.at("failures.overflow"), 1000);
}

TEST(SlidingDiagonals, FailAsTheEventsSay) {
  std::int64_t failures = 0;
  std::uint64_t seed = 0;
  for (int compared = 0; compared < 20; ++seed) {
    RandomStream random(seed, Purpose::algorithm, 0, 0);
    const auto between = [&random](std::uint32_t low, std::uint32_t high) {
      return static_cast<std::int32_t>(low + random.bounded(high - low + 1));
    };
    DiagonalCase c{between(16, 40), 2, between(1, 3), between(1, 3), between(1, 2), between(2, 8)};
    c.seed = seed;
    c.rounds = between(1, 4);
    const std::vector<Packet> packets = random_function(c.torus(), c.flits, seed);
    std::map<std::string, double> chosen;
    try {
      chosen = named_algorithm("sliding-diagonals", c.torus(), c.keys(), &packets)->metrics();
    } catch (const InputError&) {
      continue;
    }
    const auto forward = static_cast<std::int32_t>(chosen.at("F"));
    const std::int32_t row_blocks = c.n / (c.flits * c.width), highest = (c.n + row_blocks - 1) / row_blocks;
    if (forward + highest > c.n) continue;  // events are an estimate there
    ++compared;
    SCOPED_TRACE(testing::PrintToString(c));
    std::vector<std::int32_t> destinations;
    for (const Packet& packet : packets) destinations.push_back(packet.destination);
    const DiagonalEvents events = count_diagonal_events(
        {c.n, c.flits, c.a, c.b, c.width, forward, static_cast<std::int32_t>(c.rounds)}, destinations);
    const Step first_pass = run_diagonals(c, packets, {}, 1).schedule.steps;
    const auto metrics = run_diagonals(c, packets, {}, first_pass).metrics;
    EXPECT_EQ(metrics.at("failures.pass_1"), static_cast<double>(events.pass_1));
    EXPECT_EQ(metrics.at("failures.phase_2"), static_cast<double>(events.phase_2));
    EXPECT_EQ(metrics.at("failures.overflow"), static_cast<double>(events.overflow));
    EXPECT_EQ(metrics.at("fullest_reservoir"), static_cast<double>(events.fullest));
    failures += events.pass_1 + events.phase_2 + events.overflow;
  }
  EXPECT_GT(failures, 500) << "runs without failures show nothing";
}

/// The algorithm with another bound on clean-up.
class BoundedDiagonals final : public Algorithm {
 public:
  BoundedDiagonals(const Grid& torus, DiagonalProgram program)
      : Algorithm(declare()), torus_(torus), program_(std::move(program)) {}
  std::unique_ptr<ControllerArray> make_controllers() const override {
    return std::make_unique<ControllerArrayOf<SlidingDiagonalsController>>(std::vector<SlidingDiagonalsController>(
        static_cast<std::size_t>(torus_.nodes()), SlidingDiagonalsController(program_, torus_)));
  }

 private:
  static Declaration declare() {
    Declaration d;
    d.storage = StorageModel::links_only;
    d.reverse_wire = true;
    d.program_end = 1'000'000;
    return d;
  }
  const Grid& torus_;
  DiagonalProgram program_;
};

TEST(SlidingDiagonals, ABoundOnCleanUpEndsTheRunWithAList) {
  const Grid torus = Grid::torus({16, 16});
  std::vector<Packet> packets;
  for (NodeId node = 0; node < torus.nodes(); ++node) packets.push_back({node, 17, 1, 0});
  DiagonalConstants constants;
  constants.side = 16;
  DiagonalProgram program{DiagonalTimetable(constants), false, 1};
  const BoundedDiagonals algorithm(torus, program);
  PacketList traffic(packets);
  SimulationSetup setup;
  setup.network = &network_of(torus);
  setup.algorithm = &algorithm;
  setup.traffic = &traffic;
  const SimulationResult result = simulate(setup);
  EXPECT_EQ(result.outcome, Outcome::incomplete);
  EXPECT_THAT(result.explanation, testing::Contains(testing::HasSubstr("waits in the memory of")));
}

TEST(SlidingDiagonals, NothingToSendTakesNoSteps) {
  const DiagonalCase c{16, 2, 1, 1, 1, 4, false, true};
  const DiagonalRun run = run_diagonals(c, permutation_packets(identity_permutation(256)), {});
  EXPECT_EQ(run.result.outcome, Outcome::completed);
  EXPECT_EQ(run.result.record.flit_hops, 0);
}

}  // namespace
}  // namespace starloom::links
