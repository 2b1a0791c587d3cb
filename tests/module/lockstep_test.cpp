/// \file The netlist of SystemC modules and the plain stepper agree on every row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/netlist_run.hpp"
#include "support/permutations.hpp"
#include "support/stepper.hpp"
#include "unit/traffic_support.hpp"

namespace starloom::links {
namespace {

struct Case {
  std::string name;
  std::string algorithm;
  bool torus;
  std::vector<std::int64_t> shape;
  std::map<std::string, KeyValue> keys;
  std::int32_t flits;
  std::int32_t latency;
  Step max_steps;
  int runs;                                    ///< packet lists
  StepperEnd end = StepperEnd::all_delivered;  ///< how at least one of the runs ends
  bool permutations = false;                   ///< nothing else: what the algorithm is for
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class Lockstep : public testing::TestWithParam<Case> {};

/// A random permutation for even seeds; for odd ones a random function in bursts, which queues up.
std::vector<Packet> traffic_of(const Grid& grid, std::int32_t flits, std::uint64_t seed) {
  if (seed % 2 == 0) return permutation_packets(random_permutation(grid.nodes(), seed), flits);
  std::vector<Packet> packets;
  for (NodeId node = 0; node < grid.nodes(); ++node)
    for (Step burst = 0; burst < 3; ++burst) {
      RandomStream random(seed, Purpose::destination, node, burst);
      packets.push_back({node, static_cast<NodeId>(random.bounded(static_cast<std::uint32_t>(grid.nodes()))), flits,
                         burst * static_cast<Step>(random.bounded(9))});
    }
  return packets;
}

/// The rows before the step of a violation: within that step the two may stop at different places.
std::vector<TraceRow> before(std::vector<TraceRow> rows, const std::optional<Violation>& violation) {
  while (violation && !rows.empty() && rows.back().step >= violation->step) rows.pop_back();
  return rows;
}

void expect_same(NetlistRun netlist, StepperResult plain) {
  netlist.rows = before(std::move(netlist.rows), plain.violation);
  plain.rows = before(std::move(plain.rows), plain.violation);
  const std::size_t rows = std::min(netlist.rows.size(), plain.rows.size());
  for (std::size_t i = 0; i < rows; ++i)
    ASSERT_EQ(netlist.rows[i], plain.rows[i]) << "row " << i << " in step " << plain.rows[i].step;
  EXPECT_EQ(netlist.rows.size(), plain.rows.size());
  EXPECT_EQ(netlist.violation.step, plain.violation ? plain.violation->step : no_step) << netlist.violation.text;
  if (plain.violation) {
    EXPECT_EQ(netlist.violation.node, plain.violation->node);
    return;
  }
  EXPECT_EQ(netlist.end, plain.end);
  EXPECT_EQ(netlist.record.steps_run, plain.record.steps_run);
  const std::size_t changes = std::min(netlist.state.size(), plain.state.size());
  for (std::size_t i = 0; i < changes; ++i)
    ASSERT_EQ(netlist.state[i], plain.state[i])
        << "state " << plain.state[i].field << " of node " << plain.state[i].node << " in step " << plain.state[i].step;
  EXPECT_EQ(netlist.state.size(), plain.state.size());
  EXPECT_EQ(netlist.record.delivered, plain.record.delivered);
  EXPECT_EQ(netlist.record.link_load, plain.record.link_load);
  EXPECT_EQ(netlist.record.queue.max, plain.record.queue.max);
  EXPECT_EQ(netlist.record.queue.node, plain.record.queue.node);
  EXPECT_EQ(netlist.record.queue.step, plain.record.queue.step);
  EXPECT_EQ(netlist.record.flit_hops, plain.record.flit_hops);
  EXPECT_EQ(netlist.record.control_hops, plain.record.control_hops);
}

/// Algorithms that plan, or count steps together, serve at most one packet a node, all there at once: a random permutation for even seeds, for
/// odd ones a random function of a part of the nodes.
std::vector<Packet> traffic_to_plan(const Grid& grid, std::int32_t flits, std::uint64_t seed) {
  if (seed % 2 == 0) return permutation_packets(random_permutation(grid.nodes(), seed), flits);
  std::vector<Packet> packets;
  for (NodeId node = 0; node < grid.nodes(); ++node) {
    RandomStream random(seed, Purpose::destination, node, 0);
    const auto destination = static_cast<NodeId>(random.bounded(static_cast<std::uint32_t>(grid.nodes())));
    if (!random.bernoulli(0.2)) packets.push_back({node, destination, flits, 0});
  }
  return packets;
}

TEST_P(Lockstep, NetlistAndStepperAgree) {
  const Case& c = GetParam();
  const Grid grid = c.torus ? Grid::torus(c.shape) : Grid::mesh(c.shape);
  const LinkNetwork& network = network_of(grid, c.latency);
  const bool all_at_once = find_algorithm(c.algorithm)->off_line || find_algorithm(c.algorithm)->in_lockstep;
  auto algorithm = all_at_once ? nullptr : named_algorithm(c.algorithm, grid, c.keys);
  std::set<StepperEnd> ends;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(c.runs); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<Packet> packets = all_at_once ? traffic_to_plan(grid, c.flits, c.permutations ? 2 * seed : seed)
                                                    : traffic_of(grid, c.flits, seed);
    if (all_at_once) algorithm = named_algorithm(c.algorithm, grid, c.keys, &packets);
    ListSource for_stepper(packets);
    StepperOptions plain_options;
    plain_options.seed = seed;
    plain_options.max_steps = c.max_steps;
    const StepperResult plain = run_stepper(network, *algorithm, for_stepper, plain_options);
    ends.insert(plain.end);

    // Plain order, permuted order, every node in every step.
    for (int variant = 0; variant < 3; ++variant) {
      SCOPED_TRACE("variant " + std::to_string(variant));
      ListSource for_netlist(packets);
      NetlistRunOptions options;
      options.network.seed = seed;
      options.network.shuffle = variant == 1 ? seed + 17 : 0;
      options.network.wake_all = variant == 2;
      options.max_steps = c.max_steps;
      expect_same(run_netlist(network, *algorithm, for_netlist, options), plain);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_THAT(ends, testing::Contains(c.end));
}

std::string name_of(const testing::TestParamInfo<Case>& instance) { return instance.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Greedy, Lockstep,
    testing::Values(
        Case{"mesh4x4", "greedy", false, {4, 4}, {}, 1, 1, 1000, 100},
        Case{"mesh3x7", "greedy", false, {3, 7}, {{"discipline", std::string("fifo")}}, 1, 1, 1000, 100},
        Case{"line", "greedy", false, {1, 9}, {{"discipline", std::string("furthest-origin")}}, 1, 1, 1000, 60},
        Case{"torus5x4", "greedy", true, {5, 4}, {}, 1, 1, 1000, 100},
        Case{"torus223", "greedy", true, {2, 2, 3}, {{"discipline", std::string("fifo")}}, 1, 1, 1000, 60},
        Case{"mesh234", "greedy", false, {2, 3, 4}, {}, 1, 3, 1000, 60},
        Case{"torus1x6_latency5", "greedy", true, {1, 6}, {}, 1, 5, 1000, 60},
        Case{"bounded", "greedy", false, {5, 5}, {{"bound", std::int64_t{1}}}, 1, 1, 1000, 80, StepperEnd::violation}),
    name_of);

KeyValue number(std::int64_t value) { return value; }
KeyValue word(const char* text) { return std::string(text); }

INSTANTIATE_TEST_SUITE_P(
    Deflection, Lockstep,
    testing::Values(
        Case{"mesh5x4", "deflection", false, {5, 4}, {}, 1, 1, 1000, 80},
        Case{"mesh4x4_restricted", "deflection", false, {4, 4}, {{"priority", word("restricted")}}, 1, 1, 1000, 80},
        Case{"mesh232", "deflection", false, {2, 3, 2}, {}, 1, 1, 1000, 60},
        Case{"line", "deflection", false, {1, 7}, {}, 1, 1, 1000, 60},
        Case{"torus4x3", "deflection", true, {4, 3}, {{"priority", word("restricted")}}, 1, 1, 1000, 80},
        Case{"torus2x5", "deflection", true, {2, 5}, {}, 1, 1, 1000, 60}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    ThreePhase, Lockstep,
    testing::Values(Case{"mesh5x6", "three-phase", false, {5, 6}, {}, 1, 1, 1000, 80},
                    Case{"mesh7x4_slices", "three-phase", false, {7, 4}, {{"slice", number(3)}}, 1, 1, 1000, 80},
                    Case{"mesh4x4_latency3", "three-phase", false, {4, 4}, {}, 1, 3, 1000, 60},
                    Case{"torus5x4", "three-phase", true, {5, 4}, {{"slice", number(2)}}, 1, 1, 1000, 80}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Credits, Lockstep,
    testing::Values(
        Case{"mesh4x4", "probe-credits", false, {4, 4}, {}, 5, 1, 5000, 120},
        Case{"mesh223", "probe-credits", false, {2, 2, 3}, {{"buffer", number(1)}}, 4, 1, 5000, 80},
        Case{"torus43",
             "probe-credits",
             true,
             {4, 3},
             {{"channels", number(2)}, {"buffer", number(2)}},
             3,
             2,
             5000,
             120},
        Case{"ring_deadlocks", "probe-credits", true, {6}, {}, 16, 1, 5000, 120, StepperEnd::nothing_pending}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Hold, Lockstep,
    testing::Values(Case{"mesh4x4", "probe-hold", false, {4, 4}, {}, 4, 1, 5000, 120},
                    Case{"mesh223", "probe-hold", false, {2, 2, 3}, {}, 7, 1, 5000, 120},
                    Case{"single_flits", "probe-hold", false, {3, 5}, {}, 1, 1, 5000, 80},
                    Case{"torus2x4", "probe-hold", true, {2, 4}, {}, 3, 1, 5000, 120},
                    Case{"ring_deadlocks", "probe-hold", true, {6}, {}, 8, 1, 5000, 120, StepperEnd::nothing_pending}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    HotPotato, Lockstep,
    testing::Values(
        Case{"laps", "probe-hot-potato", true, {12}, {{"flits", number(3)}, {"laps", number(1)}}, 3, 1, 5000, 120},
        Case{"whole_ring", "probe-hot-potato", true, {5}, {{"flits", number(5)}}, 5, 1, 5000, 80},
        Case{"for_ever", "probe-hot-potato", true, {7}, {{"absorb", false}}, 1, 1, 200, 80, StepperEnd::step_limit}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Keys, Lockstep,
    testing::Values(Case{"mesh3x4", "probe-keys", false, {3, 4}, {}, 1, 1, 1000, 80},
                    Case{"torus3x4", "probe-keys", true, {3, 4}, {{"rounds", number(7)}}, 1, 2, 1000, 80}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Plans, Lockstep,
    testing::Values(Case{"one_bend", "multistage", false, {5, 7}, {}, 1, 1, 1000, 80},
                    Case{"vertical_first",
                         "multistage",
                         false,
                         {6, 4},
                         {{"scheme", word("VF")}, {"order", word("RND")}},
                         1,
                         1,
                         1000,
                         80},
                    Case{"any_path", "multistage", false, {4, 4}, {{"scheme", word("any")}}, 1, 1, 1000, 80},
                    Case{"any_path_torus", "multistage", true, {3, 4, 2}, {{"scheme", word("any")}}, 1, 1, 1000, 60},
                    Case{"places",
                         "multistage",
                         false,
                         {4, 4},
                         {{"scheme", word("any")}, {"places", std::vector<std::int64_t>{1}}},
                         1,
                         1,
                         1000,
                         80},
                    Case{"worms", "offline-worms", false, {5, 4}, {}, 4, 1, 1000, 80},
                    Case{"product", "product", false, {5, 4}, {}, 1, 1, 1000, 60, StepperEnd::all_delivered, true}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    MeshSort, Lockstep,
    testing::Values(
        Case{"mesh8x4", "mesh-sort", false, {8, 4}, {}, 1, 1, 1000, 60, StepperEnd::program_end},
        Case{"mesh6x9", "mesh-sort", false, {6, 9}, {{"s", number(3)}}, 1, 1, 1000, 60, StepperEnd::program_end},
        Case{"mesh5x5", "mesh-sort", false, {5, 5}, {}, 1, 1, 1000, 60, StepperEnd::program_end},
        Case{"pairs", "mesh-sort", false, {4, 4}, {{"s", number(2)}}, 1, 1, 1000, 60, StepperEnd::program_end},
        Case{"merge", "mesh-sort", false, {16, 8}, {{"sort", word("merge")}}, 1, 1, 1000, 20, StepperEnd::program_end}),
    name_of);

INSTANTIATE_TEST_SUITE_P(Kunde, Lockstep,
                         testing::Values(Case{"mesh8x4", "kunde", false, {8, 4}, {{"s", number(4)}}, 1, 1, 1000, 60},
                                         Case{"mesh6x9", "kunde", false, {6, 9}, {{"s", number(3)}}, 1, 1, 1000, 60},
                                         Case{"permutations",
                                              "kunde",
                                              false,
                                              {8, 8},
                                              {{"s", number(2)}},
                                              1,
                                              1,
                                              1000,
                                              40,
                                              StepperEnd::all_delivered,
                                              true}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(
    ConstantQueue, Lockstep,
    testing::Values(
        Case{"mesh24", "constant-queue", false, {24, 24}, {}, 1, 1, 1000, 4, StepperEnd::all_delivered, true},
        Case{"mesh48_frozen",
             "constant-queue",
             false,
             {48, 48},
             {{"column", word("frozen")}},
             1,
             1,
             1000,
             2,
             StepperEnd::all_delivered,
             true},
        Case{"mesh48_snake",
             "constant-queue",
             false,
             {48, 48},
             {{"order", word("snake")}},
             1,
             1,
             1000,
             2,
             StepperEnd::all_delivered,
             true},
        Case{"base", "constant-queue", false, {9, 9}, {}, 1, 1, 1000, 20, StepperEnd::all_delivered, true}),
    name_of);

/// What constant-queue is tested with, on a mesh where subsquares are sorted and a level is nested.
TEST(LockstepOfConstantQueue, OnAdversaries) {
  const Grid mesh = Grid::mesh({64, 64});
  for (const char* pattern : {"transpose", "cross2", "advI", "advRow", "structured"}) {
    SCOPED_TRACE(pattern);
    std::vector<Packet> packets;
    const std::vector<NodeId> to = destinations_of(pattern, mesh);
    for (NodeId node = 0; node < mesh.nodes(); ++node)
      if (to[static_cast<std::size_t>(node)] != no_node)
        packets.push_back({node, to[static_cast<std::size_t>(node)], 1, 0});
    const auto algorithm = named_algorithm("constant-queue", mesh, {}, &packets);
    ListSource for_stepper(packets), for_netlist(packets);
    NetlistRunOptions options;
    options.network.shuffle = 5;
    expect_same(run_netlist(mesh, *algorithm, for_netlist, options), run_stepper(mesh, *algorithm, for_stepper));
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Times, Lockstep,
    testing::Values(Case{"sleeper", "probe-sleeper", false, {3, 3}, {{"delay", number(700)}}, 1, 1, 5000, 60},
                    Case{"sleeper_latency3", "probe-sleeper", true, {4, 2}, {{"delay", number(700)}}, 1, 3, 5000, 60},
                    Case{"quitter", "probe-quitter", false, {4, 4}, {}, 1, 1, 1000, 80, StepperEnd::program_end}),
    name_of);

TEST(OfflineWorms, CrossEachLinkInAsManyStepsInARowAsTheyHaveFlits) {
  const Grid mesh = Grid::mesh({6, 5});
  const std::int32_t flits = 4;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<Packet> worms = permutation_packets(random_permutation(mesh.nodes(), seed), flits);
    const auto algorithm = named_algorithm("offline-worms", mesh, {}, &worms);
    ListSource source(worms);
    const NetlistRun run = run_netlist(mesh, *algorithm, source);
    ASSERT_EQ(run.end, StepperEnd::all_delivered);
    std::map<std::tuple<PacketId, NodeId, Port>, std::vector<Step>> crossings;
    for (const TraceRow& row : run.rows)
      if (row.event == TraceEvent::hop) crossings[{row.packet, row.node, row.port}].push_back(row.step);
    ASSERT_FALSE(crossings.empty());
    for (const auto& [crossing, steps] : crossings) {
      ASSERT_EQ(steps.size(), static_cast<std::size_t>(flits)) << "packet " << std::get<0>(crossing);
      ASSERT_EQ(steps.back() - steps.front(), flits - 1) << "packet " << std::get<0>(crossing);
    }
  }
}

}  // namespace
}  // namespace starloom::links
