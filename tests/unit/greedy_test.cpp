// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/permutations.hpp"
#include "support/stepper.hpp"

namespace starloom::links {
namespace {

using testing::ElementsAre;

StepperResult run_greedy(const Grid& topology, std::vector<Packet> packets, const std::string& discipline,
                         std::int64_t bound = 0) {
  ListSource source(std::move(packets));
  const auto algorithm = named_algorithm("greedy", topology, {{"discipline", discipline}, {"bound", bound}});
  return run_stepper(topology, *algorithm, source);
}

Step last(const StepperResult& result) {
  return *std::max_element(result.record.delivered.begin(), result.record.delivered.end());
}

TEST(Greedy, TakesTheDistanceWithoutWaiting) {
  for (const Grid& grid :
       {Grid::mesh({3, 4}), Grid::mesh({2, 3, 2}), Grid::torus({5, 4}), Grid::torus({2, 3}), Grid::torus({1, 4})})
    for (NodeId from = 0; from < grid.nodes(); ++from)
      for (NodeId to = 0; to < grid.nodes(); ++to)
        EXPECT_THAT(run_greedy(grid, {{from, to, 1, 3}}, "fifo").record.delivered,
                    ElementsAre(3 + grid.distance(from, to)));
}

TEST(Greedy, GoesAlongTheRowFirst) {
  const Grid mesh = Grid::mesh({2, 2});
  const auto result = run_greedy(mesh, {{0, 3, 1, 0}}, "fifo");
  EXPECT_EQ(result.rows[1].to, 1);
}

// Rajasekaran and Overholt 1990, section 2 with lemma 4.1.
TEST(Greedy, NeedsAtMostRowsPlusColumnsMinusTwoStepsExhaustive) {
  for (const Grid& mesh :
       {Grid::mesh({2, 2}), Grid::mesh({2, 3}), Grid::mesh({3, 2}), Grid::mesh({1, 5}), Grid::mesh({5, 1})}) {
    std::vector<NodeId> destinations = identity_permutation(mesh.nodes());
    do {
      const auto result = run_greedy(mesh, permutation_packets(destinations), "furthest-destination");
      ASSERT_EQ(result.end, StepperEnd::all_delivered);
      ASSERT_LE(last(result), mesh.diameter());
    } while (std::next_permutation(destinations.begin(), destinations.end()));
  }
}

TEST(Greedy, NeedsAtMostRowsPlusColumnsMinusTwoStepsRandom) {
  for (const auto& shape : {std::vector<std::int64_t>{3, 3}, {4, 4}, {5, 7}, {8, 8}, {16, 3}, {16, 16}})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Grid mesh = Grid::mesh(shape);
      const auto packets = permutation_packets(random_permutation(mesh.nodes(), seed));
      const auto result = run_greedy(mesh, packets, "furthest-destination");
      ASSERT_EQ(result.end, StepperEnd::all_delivered);
      ASSERT_LE(last(result), mesh.diameter());
      ASSERT_EQ(named_algorithm("greedy", mesh)->bounds(result.record.packets).at("steps"), mesh.diameter());
    }
}

// It is one of permutations: no node sends or gets two packets, and all are there in step 0.
TEST(Greedy, PromisesNothingOfOtherPackets) {
  const auto greedy = named_algorithm("greedy", Grid::mesh({4, 4}));
  EXPECT_EQ(greedy->bounds({{0, 5, 1, 0}, {1, 7, 1, 0}}).count("steps"), 1u);
  EXPECT_TRUE(greedy->bounds({{0, 5, 1, 0}, {0, 7, 1, 0}}).empty());
  EXPECT_TRUE(greedy->bounds({{0, 5, 1, 0}, {1, 5, 1, 0}}).empty());
  EXPECT_TRUE(greedy->bounds({{0, 5, 1, 0}, {1, 7, 1, 1}}).empty());
}

/// The packets of row 0 all turn into column 2: the adversary of dimension order.
TEST(Greedy, KeepsItsBoundWhenAWholeRowTurnsIntoOneColumn) {
  const Grid mesh = Grid::mesh({8, 8});
  std::vector<Packet> packets;
  for (NodeId column = 0; column < 8; ++column) packets.push_back({column, ((column + 3) % 8) * 8 + 2, 1, 0});
  for (const std::string discipline : {"furthest-destination", "furthest-origin", "fifo"}) {
    const auto result = run_greedy(mesh, packets, discipline);
    EXPECT_EQ(result.end, StepperEnd::all_delivered);
  }
  EXPECT_LE(last(run_greedy(mesh, packets, "furthest-destination")), mesh.diameter());
  EXPECT_GT(run_greedy(mesh, packets, "fifo").record.queue.max, 2);
}

// Node 0 of a line has two packets at once, the higher number for the farther node.
TEST(Greedy, FurthestDestinationGoesFirst) {
  const Grid line = Grid::mesh({1, 4});
  const std::vector<Packet> packets = {{0, 1, 1, 0}, {0, 3, 1, 0}};
  EXPECT_THAT(run_greedy(line, packets, "furthest-destination").record.delivered, ElementsAre(2, 3));
  EXPECT_THAT(run_greedy(line, packets, "fifo").record.delivered, ElementsAre(1, 4));
  EXPECT_THAT(run_greedy(line, packets, "furthest-origin").record.delivered, ElementsAre(1, 4));
}

// In step 1 packet 2 comes from node 3 and meets packet 1, which has waited at its own node 2 since step 0.
TEST(Greedy, FurthestOriginGoesFirst) {
  const Grid line = Grid::mesh({1, 4});
  const std::vector<Packet> packets = {{2, 0, 1, 0}, {2, 0, 1, 0}, {3, 0, 1, 0}};
  EXPECT_THAT(run_greedy(line, packets, "furthest-origin").record.delivered, ElementsAre(2, 4, 3));
  EXPECT_THAT(run_greedy(line, packets, "fifo").record.delivered, ElementsAre(2, 3, 4));
  EXPECT_THAT(run_greedy(line, packets, "furthest-destination").record.delivered, ElementsAre(2, 3, 4));
}

// Packet 0 arrives at node 1 in step 1, when packet 1 is created there; they do not differ otherwise.
TEST(Greedy, TiesGoToTheLowerPacketNumber) {
  const Grid line = Grid::mesh({1, 4});
  const std::vector<Packet> packets = {{1, 3, 1, 1}, {0, 3, 1, 0}};
  EXPECT_THAT(run_greedy(line, packets, "fifo").record.delivered, ElementsAre(3, 4));
  EXPECT_THAT(run_greedy(line, packets, "furthest-destination").record.delivered, ElementsAre(3, 4));
}

/// In steps 1 and 2 a pair of packets arrives at the middle of row 0 and turns south; a link takes one a step.
std::vector<Packet> two_pairs() { return {{0, 12, 1, 0}, {1, 7, 1, 0}, {3, 17, 1, 0}, {4, 22, 1, 0}}; }

TEST(Greedy, BoundEndsARunThatKeepsTooMany) {
  const Grid mesh = Grid::mesh({5, 5});
  EXPECT_EQ(run_greedy(mesh, two_pairs(), "fifo").end, StepperEnd::all_delivered);
  EXPECT_EQ(run_greedy(mesh, two_pairs(), "fifo", 2).end, StepperEnd::all_delivered);
  const auto result = run_greedy(mesh, two_pairs(), "fifo", 1);
  ASSERT_EQ(result.end, StepperEnd::violation);
  EXPECT_EQ(result.violation->step, 2);
  EXPECT_EQ(result.violation->node, 2);
}

TEST(Greedy, BoundKeepsPacketsInTheirProcessor) {
  const Grid line = Grid::mesh({1, 3});
  const std::vector<Packet> packets(6, Packet{0, 2, 1, 0});
  for (const std::int64_t bound : {1, 2, 0}) {
    const auto result = run_greedy(line, packets, "fifo", bound);
    EXPECT_EQ(result.end, StepperEnd::all_delivered);
    EXPECT_THAT(result.record.delivered, ElementsAre(2, 3, 4, 5, 6, 7));
    std::int64_t accepted_first = 0;
    for (const TraceRow& row : result.rows) accepted_first += row.event == TraceEvent::inject && row.step == 0;
    EXPECT_EQ(accepted_first, bound == 0 ? 6 : bound + 1);
  }
}

// Node 1 may keep one packet that waits for its west link; a packet that goes east immediately does not stay.
TEST(Greedy, BoundDoesNotStopWhatCanLeaveAtOnce) {
  const Grid line = Grid::mesh({1, 3});
  const auto result = run_greedy(line, {{1, 0, 1, 0}, {1, 0, 1, 0}, {1, 2, 1, 0}, {1, 0, 1, 0}}, "fifo", 1);
  EXPECT_THAT(result.record.delivered, ElementsAre(1, 2, 1, 3));
}

// From the west comes packet 0, which turns south; packet 1 comes from the north, whose port is served earlier.
TEST(Greedy, TheLowerPacketNumberGoesFirstWhateverItsPort) {
  const Grid mesh = Grid::mesh({3, 3});
  EXPECT_THAT(run_greedy(mesh, {{3, 8, 1, 0}, {2, 8, 1, 1}}, "fifo").record.delivered, ElementsAre(3, 4));
}

// Both links of node 1 are taken by packets that pass: of its own two, one may wait for its link in the node.
TEST(Greedy, BoundHoldsBesideWhatPasses) {
  const Grid line = Grid::mesh({1, 3});
  const auto result = run_greedy(line, {{0, 2, 1, 0}, {2, 0, 1, 0}, {1, 2, 1, 1}, {1, 0, 1, 1}}, "fifo", 1);
  EXPECT_EQ(result.end, StepperEnd::all_delivered);
  EXPECT_THAT(result.record.delivered, ElementsAre(2, 2, 3, 3));
  std::int64_t started = 0;
  for (const TraceRow& row : result.rows) started += row.event == TraceEvent::inject && row.step == 1;
  EXPECT_EQ(started, 1);
}

// Five packets wait at the end of step 0, memory included; one has just arrived next door.
TEST(Greedy, QueueCountsTheMemoryOfAClosedLoopOnly) {
  const Grid line = Grid::mesh({1, 3});
  const auto algorithm = named_algorithm("greedy", line, {{"bound", std::int64_t{1}}});
  StepperOptions options;
  ListSource closed(std::vector<Packet>(6, Packet{0, 2, 1, 0}));
  EXPECT_EQ(run_stepper(line, *algorithm, closed, options).record.queue.max, 5);
  options.count_memory = false;
  ListSource open(std::vector<Packet>(6, Packet{0, 2, 1, 0}));
  EXPECT_EQ(run_stepper(line, *algorithm, open, options).record.queue.max, 1);
}

TEST(Greedy, PromisesNothingWhereTheTheoremSaysNothing) {
  const Grid mesh = Grid::mesh({3, 3});
  const Grid torus = Grid::torus({3, 3});
  const std::vector<Packet> permutation = permutation_packets(identity_permutation(9));
  EXPECT_FALSE(named_algorithm("greedy", mesh)->bounds(permutation).empty());
  EXPECT_TRUE(named_algorithm("greedy", torus)->bounds(permutation).empty());
  EXPECT_TRUE(named_algorithm("greedy", mesh, {{"discipline", "fifo"}})->bounds(permutation).empty());
  EXPECT_TRUE(named_algorithm("greedy", mesh)->bounds({{0, 1, 1, 0}, {2, 1, 1, 0}}).empty());
  EXPECT_TRUE(named_algorithm("greedy", mesh)->bounds({{0, 1, 1, 1}}).empty());
}

}  // namespace
}  // namespace starloom::links
