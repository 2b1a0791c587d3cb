// SPDX-License-Identifier: Apache-2.0
// The timetable of constant-queue, its classes and blocks, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include <starloom/algorithms/constant_queue/levels.hpp>
#include <starloom/algorithms/constant_queue/packet_class.hpp>
#include <starloom/support/error.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/permutations.hpp"
#include "support/stepper.hpp"

namespace starloom::links {
namespace {

using testing::HasSubstr;

TEST(ConstantQueueLevels, HaveTheSidesAndTimesOfTheTable) {
  struct Row {
    std::int32_t n, m, s;
    Step T;
    std::int32_t near, bound;
  };
  // Bounds are 18 2/3 m/s, made of whole subsquares.
  for (const Row& row : std::vector<Row>{{24, 3, 1, 0, 2, 56},
                                         {48, 6, 2, 6, 4, 56},
                                         {64, 8, 2, 6, 6, 75},
                                         {128, 16, 2, 6, 10, 150},
                                         {192, 24, 4, 23, 16, 112},
                                         {256, 32, 4, 23, 20, 150},
                                         {448, 56, 8, 53, 40, 131},
                                         {512, 64, 8, 53, 40, 150}}) {
    const Level level = constant_queue_levels(row.n, 16, 0).front();
    EXPECT_EQ(level.m, row.m) << row.n;
    EXPECT_EQ(level.s, row.s) << row.n;
    EXPECT_EQ(level.sort.steps(), row.T) << row.n;
    EXPECT_EQ(level.near, row.near) << row.n;
    EXPECT_EQ(level.column_bound(), row.bound) << row.n;
  }
}

TEST(ConstantQueueLevels, NestUntilTheBase) {
  const std::vector<Level> levels = constant_queue_levels(512, 16, 0);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[1].side, 64);
  EXPECT_EQ(levels[1].start, 11 * 64);
  EXPECT_EQ(levels[2].side, 8);
  EXPECT_EQ(levels[2].start, 11 * 64 + 11 * 8);
  EXPECT_TRUE(levels[2].is_base());
  EXPECT_EQ(constant_queue_levels(512, 64, 0).size(), 2u);
  for (const std::int32_t n : {1, 7, 16, 20, 23, 25, 100})
    EXPECT_TRUE(constant_queue_levels(n, 1, 0).front().is_base());
  EXPECT_TRUE(constant_queue_levels(64, 64, 0).front().is_base());
}

TEST(ConstantQueueLevels, SharesTheStepsOfTheSortWithCriticalPackets) {
  // A critical packet makes m moves in them, one at least along its column and at most 4m along its row.
  for (std::int32_t n = 24; n <= 1024; n += 8) {
    const Level level = constant_queue_levels(n, 1, 0).front();
    std::int32_t vertical = 0;
    for (Step tau = 0; tau < level.m; ++tau) vertical += level.vertical_first(tau) ? 1 : 0;
    EXPECT_GE(vertical, 1) << n;
    EXPECT_EQ(level.m % level.s, 0) << n;
    EXPECT_LE(level.sort.steps(), level.m) << n;
    EXPECT_GT(level.near, 0) << n;
    EXPECT_LT(level.near, level.m) << n;
  }
}

std::string refusal(std::int32_t n, std::int32_t base, std::int32_t s) {
  try {
    constant_queue_levels(n, base, s);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ConstantQueueLevels, RefuseSubsquaresThatDoNotFit) {
  EXPECT_THAT(refusal(100, 16, 2), HasSubstr("side is not a multiple of 8; leave s out"));
  EXPECT_THAT(refusal(16, 8, 1), HasSubstr("below 24"));
  EXPECT_THAT(refusal(64, 64, 2), HasSubstr("at most base, 64"));
  EXPECT_THAT(refusal(64, 16, 3), HasSubstr("3 does not divide a supersquare of m = 8 nodes; choose 2"));
  EXPECT_THAT(refusal(64, 16, 4), HasSubstr("needs 23 steps, more than m = 8; choose 2"));
  EXPECT_EQ(refusal(64, 16, 1), "accepted");
}

// Every supersquare of the first and last block row whose packets go to the middle sends them to the position of the
// paper's figures 4a and 4b; block rows 4, 5 and 6 (1, 2 and 3) get 2 2/3 supersquares each.
TEST(ConstantQueueBlocks, LandWhereTheFiguresSay) {
  const Level level = constant_queue_levels(48, 16, 0).front();  // m = 6, near = 4
  const std::int32_t m = level.m;
  std::map<std::pair<std::int32_t, std::int32_t>, int> columns_in;  ///< [landing supersquare]
  std::set<std::pair<std::int32_t, std::int32_t>> taken;
  for (const std::int32_t R : {0, 7})
    for (std::int32_t C = 0; C < 8; ++C)
      for (std::int32_t i = 0; i < m; ++i) {
        const Local move = block_move(level, {R * m, C * m + i});
        const std::int32_t row = R * m + move.row, column = C * m + i + move.column;
        EXPECT_EQ(column / m, C <= 3 ? 3 : 4);
        ++columns_in[{row / m, column / m}];
      }
  using testing::Pair;
  EXPECT_THAT(columns_in, testing::ElementsAre(Pair(Pair(1, 3), 10), Pair(Pair(1, 4), 6), Pair(Pair(2, 3), 8),
                                               Pair(Pair(2, 4), 8), Pair(Pair(3, 3), 6), Pair(Pair(3, 4), 10),
                                               Pair(Pair(4, 3), 6), Pair(Pair(4, 4), 10), Pair(Pair(5, 3), 8),
                                               Pair(Pair(5, 4), 8), Pair(Pair(6, 3), 10), Pair(Pair(6, 4), 6)));
}

TEST(ConstantQueueClasses, FollowSourceAndDestination) {
  const Level level = constant_queue_levels(64, 16, 0).front();  // m = 8
  const auto at = [](std::int32_t R, std::int32_t C) { return Local{R * 8 + 3, C * 8 + 5}; };
  EXPECT_EQ(classify(level, at(0, 0), at(7, 7)), PacketClass::critical);
  EXPECT_EQ(classify(level, at(7, 0), at(0, 7)), PacketClass::critical);
  EXPECT_EQ(classify(level, at(0, 0), at(7, 0)), PacketClass::type_two);
  EXPECT_EQ(classify(level, at(4, 0), at(7, 7)), PacketClass::type_two);
  EXPECT_EQ(classify(level, at(1, 0), at(2, 3)), PacketClass::type_one_b);
  EXPECT_EQ(classify(level, at(7, 3), at(2, 4)), PacketClass::near_block);
  EXPECT_EQ(classify(level, at(0, 5), at(7, 3)), PacketClass::far_block);
}

std::unique_ptr<Algorithm> router(const std::vector<std::int64_t>& shape, const std::vector<Packet>& packets) {
  const Grid mesh = Grid::mesh(shape);
  return named_algorithm("constant-queue", mesh, {}, &packets);
}

TEST(ConstantQueue, RefusesWhatItCannotServe) {
  const auto refusal_of = [](const std::vector<std::int64_t>& shape,
                             const std::vector<Packet>& packets) -> std::string {
    try {
      router(shape, packets);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal_of({24, 32}, {}), HasSubstr("square mesh"));
  EXPECT_THAT(refusal_of({8, 8, 8}, {}), HasSubstr("square mesh"));
  EXPECT_THAT(refusal_of({4, 4}, {{1, 2, 1, 0}, {1, 3, 1, 0}}), HasSubstr("packet 1 has the source of packet 0"));
  EXPECT_THAT(refusal_of({4, 4}, {{1, 2, 1, 0}, {3, 2, 1, 0}}), HasSubstr("packet 1 has the destination of packet 0"));
  EXPECT_THAT(refusal_of({4, 4}, {{1, 2, 1, 3}}), HasSubstr("step 3"));
  EXPECT_EQ(refusal_of({24, 24}, {}), "accepted");
}

StepperResult run_constant_queue(std::int32_t n, const std::vector<Packet>& packets) {
  const Grid mesh = Grid::mesh({n, n});
  ListSource source(packets);
  return run_stepper(mesh, *named_algorithm("constant-queue", mesh, {}, &packets), source);
}

TEST(ConstantQueue, ServesNothingOnePacketAndTheIdentity) {
  EXPECT_EQ(run_constant_queue(24, {}).end, StepperEnd::all_delivered);
  // Alone from corner to corner it is critical: exactly 2n - 2 steps, all levels through.
  EXPECT_EQ(run_constant_queue(24, {{0, 575, 1, 0}}).record.delivered, std::vector<Step>{46});
  // Above the base level a packet for its own node is sorted like all others, and consumed when rows begin or later.
  const StepperResult identity = run_constant_queue(24, permutation_packets(identity_permutation(576)));
  EXPECT_EQ(identity.end, StepperEnd::all_delivered);
  EXPECT_GE(*std::min_element(identity.record.delivered.begin(), identity.record.delivered.end()), 3);
  // In the base level it never leaves its processor.
  EXPECT_EQ(run_constant_queue(8, permutation_packets(identity_permutation(64))).record.flit_hops, 0);
}

// For a single packet from corner to corner: at its start, and beside its destination, where no packet ever arrives.
TEST(ConstantQueue, ShowsThePhaseOfTheOutermostLevel) {
  std::vector<std::pair<Step, std::uint32_t>> phases;
  for (const StateChange& change : run_constant_queue(48, {{0, 48 * 48 - 1, 1, 0}}).state) {
    if (change.field != 1 || change.step < 0) continue;
    if (change.node == 0) phases.emplace_back(change.step, change.value);
    EXPECT_NE(change.node, 48 * 47 - 1);
  }
  const Step m = 6;
  EXPECT_THAT(phases, testing::ElementsAre(testing::Pair(0, 1), testing::Pair(m, 2), testing::Pair(5 * m, 3),
                                           testing::Pair(8 * m - 1, 4), testing::Pair(11 * m, 5),
                                           testing::Pair(13 * m - 2, 6), testing::Pair(14 * m - 2, 7)));
}

TEST(ConstantQueue, IsGreedyInTheBaseLevel) {
  const Grid mesh = Grid::mesh({20, 20});
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const std::vector<Packet> packets = permutation_packets(random_permutation(400, seed));
    ListSource source(packets);
    EXPECT_EQ(run_constant_queue(20, packets).rows, run_stepper(mesh, *named_algorithm("greedy", mesh), source).rows);
  }
}

}  // namespace
}  // namespace starloom::links
