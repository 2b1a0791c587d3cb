// SPDX-License-Identifier: Apache-2.0
// Offline worms: the starts of the plain rule, and the bounds of TR 490, theorem 1.
#include <starloom/algorithms/offline_worms/offline_worms_planner.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include <starloom/core/random.hpp>
#include "support/counter_examples.hpp"
#include "support/permutations.hpp"
#include "support/plain_planner.hpp"

namespace starloom::links {
namespace {

Ordering ordering(PacketOrder order, std::uint64_t seed, bool lexicographic = false) {
  return {order, TieBreak::row_major, lexicographic, seed};
}

constexpr PacketOrder orders[] = {PacketOrder::row_major, PacketOrder::random, PacketOrder::longest_horizontal,
                                  PacketOrder::longest_total, PacketOrder::shortest_total};

TEST(OfflineWorms, StartAsThePlainRuleSays) {
  for (std::uint32_t round = 0; round < 600; ++round) {
    RandomStream dice(round, Purpose::algorithm, 0, 4);
    for (const PacketOrder order : orders) {
      const Grid mesh = Grid::mesh({1 + dice.bounded(9), 1 + dice.bounded(round % 50 == 0 ? 70 : 9)});
      const auto flits = 1 + static_cast<std::int32_t>(dice.bounded(9));
      const std::vector<Packet> worms = permutation_packets(random_permutation(mesh.nodes(), dice.word()), flits);
      OneBendPlanner planner = offline_worms_planner(mesh, ordering(order, round), flits);
      PlainPlanner plain(mesh, {ordering(order, round), PathScheme::horizontal_first, flits, false});
      const OneBendPlan& plan = planner.plan(worms);
      const OneBendPlan expected = plain.plan(worms);
      ASSERT_EQ(plan.starts, expected.starts) << round;
      ASSERT_EQ(plan.length, expected.length) << round;
      ASSERT_EQ(plan_error(mesh, worms, journeys(mesh, worms, plan, flits)), "") << round;
    }
  }
}

TEST(OfflineWorms, StayWithinTheoremOne) {
  for (const NodeId n : {2, 3, 5, 8, 16}) {
    const Grid mesh = Grid::mesh({n, n});
    for (const std::int32_t flits : {1, 2, 4, 16}) {
      const std::int64_t bound = offline_worms_bound(mesh, flits);
      EXPECT_EQ(bound, (2 * n - 2) * (2 * flits - 1) + 1 + (2 * n - 2 + flits - 1));
      for (const PacketOrder order : orders) {
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
          OneBendPlanner planner = offline_worms_planner(mesh, ordering(order, seed), flits);
          const std::vector<NodeId> destinations = seed == 0 ? quarter_turn(n) : random_permutation(n * n, seed);
          const OneBendPlan& plan = planner.plan(permutation_packets(destinations, flits));
          EXPECT_LE(plan.length, bound);
          EXPECT_LE(*std::max_element(plan.starts.begin(), plan.starts.end()), (2 * n - 2) * (2 * flits - 1));
        }
      }
    }
  }
}

/// At k = 1 the paper promises 4n-4 in any order and 3n-3 with the longest horizontal distance first.
TEST(OfflineWorms, OfOneFlitStayWithinTheBoundsForPackets) {
  for (NodeId n = 2; n <= 24; ++n) {
    const Grid mesh = Grid::mesh({n, n});
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const std::vector<NodeId> destinations = seed == 0 ? quarter_turn(n) : random_permutation(n * n, seed);
      const std::vector<Packet> packets = permutation_packets(destinations);
      for (const PacketOrder order : orders)
        EXPECT_LE(offline_worms_planner(mesh, ordering(order, seed), 1).plan(packets).length, 4 * n - 4);
      for (const bool pair : {false, true}) {
        const Ordering longest = ordering(PacketOrder::longest_horizontal, seed, pair);
        EXPECT_LE(offline_worms_planner(mesh, longest, 1).plan(packets).length, 3 * n - 3);
      }
    }
  }
}

TEST(OfflineWorms, OfOneFlitNeverTakeMoreThanFourStagesOnThreeByThree) {
  const Grid mesh = Grid::mesh({3, 3});
  for (const bool pair : {false, true}) {
    OneBendPlanner planner = offline_worms_planner(mesh, ordering(PacketOrder::longest_horizontal, 0, pair), 1);
    std::vector<NodeId> destinations = identity_permutation(9);
    std::int32_t worst = 0;
    do worst = std::max(worst, planner.plan(permutation_packets(destinations)).length);
    while (std::next_permutation(destinations.begin(), destinations.end()));
    EXPECT_EQ(worst, 4);
  }
}

TEST(OfflineWorms, HoldEachLinkForAsManyStagesAsTheyHaveFlits) {
  // Three worms of 3 flits for node 2 of a line, which share its last link; LTD serves node 0 first.
  const Grid line = Grid::mesh({1, 3});
  const std::vector<Packet> worms = {{0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 3, 0}};
  OneBendPlanner planner = offline_worms_planner(line, {}, 3);
  const OneBendPlan& plan = planner.plan(worms);
  EXPECT_EQ(plan.starts, (std::vector<std::int32_t>{0, 4, 3}));
  EXPECT_EQ(plan.length, 7);
}

}  // namespace
}  // namespace starloom::links
