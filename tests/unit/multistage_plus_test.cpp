// SPDX-License-Identifier: Apache-2.0
// The planner that shortens plans of the multistage method: known optima, its promises, the bounds that it reaches.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include <starloom/algorithms/multistage_plus/multistage_plus_planner.hpp>
#include <starloom/planning/links/schedules.hpp>
#include <starloom/search/schedule_search.hpp>
#include "support/counter_examples.hpp"
#include "support/permutations.hpp"
#include "support/plain_planner.hpp"

namespace starloom::links {
namespace {

const ScheduleSpace one_bend_paths{PathScheme::path_selection, {0}, 1};

/// The length of the plan, found fit to drive by the judge and never longer than that of path selection.
Step length_of_plus(const Grid& mesh, const std::vector<Packet>& packets, const Ordering& ordering = {}) {
  MultistagePlusPlanner planner(mesh, ordering);
  const OneBendPlan& plan = planner.plan(packets);
  const Plan written = journeys(mesh, packets, plan);
  EXPECT_EQ(plan_error(mesh, packets, written), "");
  EXPECT_EQ(written.length(), plan.length);
  EXPECT_EQ(plan.distance, greatest_distance(mesh, packets));
  OneBendPlanner greedy(mesh, {ordering, PathScheme::path_selection, 1, false});
  EXPECT_LE(plan.length, greedy.plan(packets).length);
  return plan.length;
}

Step length_of_plus(NodeId n, const std::vector<NodeId>& destinations) {
  return length_of_plus(Grid::mesh({n, n}), permutation_packets(destinations));
}

/// Every node sends to any node.
std::vector<Packet> many_to_one(const Grid& mesh, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<NodeId> destinations;
  for (NodeId node = 0; node < mesh.nodes(); ++node)
    destinations.push_back(static_cast<NodeId>(random() % static_cast<std::uint64_t>(mesh.nodes())));
  return permutation_packets(destinations);
}

TEST(MultistagePlus, IsOptimalOnTheGallery) {
  EXPECT_EQ(length_of_plus(4, five_swaps()), 4);
  EXPECT_EQ(length_of_plus(Grid::mesh({3, 4}), permutation_packets(twelve_nodes())), 3);
  for (NodeId d = 3; d <= 10; ++d) EXPECT_EQ(length_of_plus(2 * d - 1, unbounded_family(d)), d + 1) << "D = " << d;
  for (const NodeId n : {6, 10, 24, 32, 64}) EXPECT_EQ(length_of_plus(n, quarter_turn(n)), n - 1);
  EXPECT_EQ(
      length_of_plus(5, {17, 13, 8, 15, 22, 23, 20, 24, 12, 18, 2, 19, 16, 7, 10, 3, 14, 21, 1, 6, 4, 5, 9, 0, 11}), 8);
}

// If it does not reach the distance, no plan of one-bend paths does.
TEST(MultistagePlus, MeetsTheDistanceWhereItCanBeMet) {
  for (const NodeId n : {10, 20}) {
    const Grid mesh = Grid::mesh({n, n});
    OneBendPlanner greedy(mesh, {});
    int shortened = 0;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
      const std::vector<Packet> packets = permutation_packets(near_permutation(mesh, 3, seed));
      const Step length = length_of_plus(mesh, packets);
      const Step distance = greatest_distance(mesh, packets);
      if (greedy.plan(packets).length > length) ++shortened;
      if (length > distance) {
        EXPECT_EQ(find_schedule(mesh, packets, one_bend_paths, distance).found, Answer::no);
      }
    }
    EXPECT_GT(shortened, 0);
  }
}

TEST(MultistagePlus, IsOptimalOnSmallMeshesForAnyTraffic) {
  for (const Grid& mesh : {Grid::mesh({3, 3}), Grid::mesh({4, 2}), Grid::mesh({2, 5})})
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const std::vector<Packet> packets = many_to_one(mesh, seed);
      const Step length = length_of_plus(mesh, packets);
      EXPECT_EQ(find_schedule(mesh, packets, one_bend_paths, length - 1).found, Answer::no);
    }
}

TEST(MultistagePlus, StartsFromAnyOrder) {
  const Grid mesh = Grid::mesh({5, 7});
  for (int order = 0; order < static_cast<int>(packet_order_names().size()); ++order)
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Ordering ordering;
      ordering.order = static_cast<PacketOrder>(order);
      ordering.seed = seed;
      length_of_plus(mesh, permutation_packets(near_permutation(mesh, 4, seed)), ordering);
    }
}

TEST(MultistagePlus, NothingToDoTakesNoTime) {
  EXPECT_EQ(length_of_plus(3, identity_permutation(9)), 0);
  EXPECT_EQ(length_of_plus(Grid::mesh({3, 3}), {}), 0);
}

// Complete: what the repair calls impossible, the formula does, too.
TEST(PlanRepair, IsCertainOnlyWhereItHasTriedEverything) {
  const Grid mesh = Grid::mesh({4, 4});
  const std::vector<Packet> packets = permutation_packets(five_swaps());
  OneBendPlanner greedy(mesh, {});
  OneBendPlan plan = greedy.plan(packets);
  PlanRepair repair(mesh);
  EXPECT_EQ(repair.shorten(packets, plan, 3, 1000), Answer::no);
  EXPECT_EQ(repair.shorten(packets, plan, 3, 1), Answer::unknown);
  EXPECT_EQ(plan.length, 4);
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::vector<Packet> many = many_to_one(mesh, seed);
    plan = greedy.plan(many);
    const Step length = plan.length - 1;
    const Answer answer = repair.shorten(many, plan, length, 1000);
    if (answer == Answer::unknown) continue;
    EXPECT_EQ(answer, find_schedule(mesh, many, one_bend_paths, length).found) << seed;
  }
}

}  // namespace
}  // namespace starloom::links
