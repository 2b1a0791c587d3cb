// SPDX-License-Identifier: Apache-2.0
// The multistage planner on inputs with known answers: counterexamples, all permutations of small meshes, proved
// properties, and errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <starloom/algorithms/multistage/permutation_ranks.hpp>
#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include <starloom/planning/links/schedules.hpp>
#include <starloom/support/error.hpp>
#include "support/counter_examples.hpp"
#include "support/exhaustive_search.hpp"
#include "support/permutations.hpp"
#include "support/plain_planner.hpp"

namespace starloom::links {
namespace {

using testing::Each;
using testing::HasSubstr;

constexpr TieBreak all_ties[] = {TieBreak::row_major,    TieBreak::column_major, TieBreak::snake_row,
                                 TieBreak::snake_column, TieBreak::reverse_row,  TieBreak::random};
constexpr PathScheme all_schemes[] = {PathScheme::path_selection, PathScheme::horizontal_first,
                                      PathScheme::vertical_first};

OneBendOptions with(PacketOrder order, PathScheme scheme = PathScheme::path_selection,
                    TieBreak tie = TieBreak::row_major, bool lexicographic = false) {
  OneBendOptions options;
  options.ordering = {order, tie, lexicographic, 7};
  options.scheme = scheme;
  return options;
}

/// The length of the plan of a permutation, found fit to drive by the judge.
std::int32_t length(const Grid& mesh, const std::vector<NodeId>& destinations, const OneBendOptions& options = {}) {
  const std::vector<Packet> packets = permutation_packets(destinations);
  OneBendPlanner planner(mesh, options);
  const OneBendPlan& plan = planner.plan(packets);
  EXPECT_EQ(plan_error(mesh, packets, journeys(mesh, packets, plan)), "");
  return plan.length;
}

Grid square(NodeId n) { return Grid::mesh({n, n}); }

std::int32_t distance(const Grid& mesh, const std::vector<NodeId>& destinations) {
  return greatest_distance(mesh, permutation_packets(destinations));
}

std::vector<Packet> longest_first(const Grid& mesh, const std::vector<NodeId>& destinations) {
  std::vector<Packet> packets = permutation_packets(destinations);
  std::stable_sort(packets.begin(), packets.end(), [&mesh](const Packet& a, const Packet& b) {
    return mesh.distance(a.source, a.destination) > mesh.distance(b.source, b.destination);
  });
  return packets;
}

TEST(MultistageSources, StartOnePacketAStageIfAskedTo) {
  // The middle node of a line sends in both directions, without conflicts.
  const std::vector<Packet> packets = {{1, 0, 1, 0}, {1, 2, 1, 0}, {1, 1, 1, 0}};
  OneBendOptions options;
  EXPECT_EQ(OneBendPlanner(Grid::mesh({1, 3}), options).plan(packets).starts, (std::vector<std::int32_t>{0, 0, 0}));
  options.one_start_per_stage = true;
  OneBendPlanner planner(Grid::mesh({1, 3}), options);
  for (int again = 0; again < 2; ++again) EXPECT_EQ(planner.plan(packets).starts, (std::vector<std::int32_t>{0, 1, 0}));
}

TEST(MultistageSources, AreSortedByTheShortestDistances) {
  // From (0,0) by (h, v): (2,0), (1,2), (1,1), (0,2).
  const Grid mesh = square(3);
  const std::vector<Packet> packets = {{0, 2, 1, 0}, {0, 7, 1, 0}, {0, 4, 1, 0}, {0, 6, 1, 0}};
  const auto order = [&](PacketOrder by, bool pair) {
    return PacketSorter(mesh, {by, TieBreak::row_major, pair, {}}).sorted(packets);
  };
  using Order = std::vector<PacketId>;
  EXPECT_EQ(order(PacketOrder::shortest_horizontal, false), (Order{3, 1, 2, 0}));
  EXPECT_EQ(order(PacketOrder::shortest_horizontal, true), (Order{3, 2, 1, 0}));
  EXPECT_EQ(order(PacketOrder::shortest_vertical, false), (Order{0, 2, 1, 3}));
  EXPECT_EQ(order(PacketOrder::shortest_vertical, true), (Order{0, 2, 3, 1}));
}

TEST(MultistageCounterExamples, FiveSwapsOnFourByFourTakeFour) {
  EXPECT_EQ(distance(square(4), five_swaps()), 3);
  for (const TieBreak tie : all_ties)
    for (const PathScheme scheme : all_schemes)
      EXPECT_EQ(length(square(4), five_swaps(), with(PacketOrder::longest_total, scheme, tie)), 4);
  // Nor is there any other schedule of length 3.
  const std::vector<Packet> packets = longest_first(square(4), five_swaps());
  EXPECT_FALSE(ExhaustiveSearch(square(4), packets, 3).finds_schedule());
  ExhaustiveSearch longer(square(4), packets, 4);
  EXPECT_TRUE(longer.finds_schedule());
  EXPECT_EQ(plan_error(square(4), packets, longer.plan()), "");
}

TEST(MultistageCounterExamples, TwelveNodesAreTooManyForTheoremThree) {
  const Grid mesh = Grid::mesh({3, 4});
  EXPECT_EQ(distance(mesh, twelve_nodes()), 3);
  for (const TieBreak tie : all_ties)
    EXPECT_EQ(length(mesh, twelve_nodes(), with(PacketOrder::longest_total, PathScheme::path_selection, tie)), 4);
  const std::vector<Packet> packets = longest_first(mesh, twelve_nodes());
  ExhaustiveSearch shorter(mesh, packets, 3);
  EXPECT_TRUE(shorter.finds_schedule());
  EXPECT_EQ(shorter.plan().length(), 3);
  EXPECT_EQ(plan_error(mesh, packets, shorter.plan()), "");
}

TEST(MultistageCounterExamples, TheGapIsUnbounded) {
  for (NodeId d = 3; d <= 10; ++d) {
    const Grid mesh = square(2 * d - 1);
    EXPECT_EQ(distance(mesh, unbounded_family(d)), d);
    for (const TieBreak tie : all_ties)
      for (const PathScheme scheme : all_schemes)
        EXPECT_EQ(length(mesh, unbounded_family(d), with(PacketOrder::longest_total, scheme, tie)), 2 * d - 1)
            << "D = " << d;
  }
}

TEST(MultistageCounterExamples, QuarterTurns) {
  const std::vector<std::vector<NodeId>> sizes = {{6, 5, 6}, {10, 9, 10}, {24, 23, 26}, {32, 31, 34}, {64, 63, 70}};
  for (const std::vector<NodeId>& size : sizes) {
    EXPECT_EQ(distance(square(size[0]), quarter_turn(size[0])), size[1]);
    EXPECT_EQ(length(square(size[0]), quarter_turn(size[0])), size[2]) << "n = " << size[0];
  }
}

TEST(MultistageCounterExamples, PlansLongerThanTheDiameter) {
  const std::vector<NodeId> horizontal = {15, 9, 10, 1, 2, 14, 7, 8, 6, 11, 5, 4, 3, 13, 0, 12};
  const std::vector<NodeId> vertical = {15, 14, 6, 10, 13, 8, 9, 11, 12, 7, 3, 4, 1, 2, 5, 0};
  // The order of which the paper says that it always takes the greatest distance.
  const std::vector<NodeId> total = {17, 13, 8, 15, 22, 23, 20, 24, 12, 18, 2, 19, 16,
                                     7,  10, 3, 14, 21, 1,  6,  4,  5,  9,  0, 11};
  EXPECT_EQ(square(5).diameter(), 8);
  EXPECT_EQ(length(square(5), total), 9);
  EXPECT_EQ(square(4).diameter(), 6);
  EXPECT_EQ(length(square(4), horizontal, with(PacketOrder::longest_horizontal)), 7);
  EXPECT_EQ(length(square(4), vertical, with(PacketOrder::longest_vertical)), 7);
}

/// All permutations of a mesh: the number of plans longer than the greatest distance.
std::uint64_t failures(std::int64_t rows, std::int64_t columns) {
  const Grid mesh = Grid::mesh({rows, columns});
  const RankCounts counts = count_ranks(mesh, {}, 0, permutations_of(mesh.nodes()));
  EXPECT_EQ(counts.planned, permutations_of(mesh.nodes()));
  EXPECT_EQ(counts.worst_gap > 0, counts.above_distance > 0);
  return counts.above_distance;
}

TEST(MultistageExhaustive, AllMeshesOfUpToNineNodesInBothOrientations) {
  for (std::int64_t rows = 1; rows <= 9; ++rows)
    for (std::int64_t columns = 1; rows * columns <= 9; ++columns)
      EXPECT_EQ(failures(rows, columns), rows == 4 && columns == 2 ? 156u : 0u) << rows << " x " << columns;
}

TEST(MultistageExhaustive, TwoByFive) { EXPECT_EQ(failures(2, 5), 0u); }

TEST(MultistageExhaustive, ListsTheFailuresOfARangeOfRanks) {
  const Grid mesh = Grid::mesh({4, 2});
  std::vector<std::vector<NodeId>> listed;
  const RankCounts low =
      count_ranks(mesh, {}, 0, 20'000, [&](const std::vector<NodeId>& permutation) { listed.push_back(permutation); });
  RankCounts sum = count_ranks(mesh, {}, 20'000, 20'320);
  sum.add(low);
  EXPECT_EQ(sum.planned, 40'320u);
  EXPECT_EQ(sum.above_distance, 156u);
  EXPECT_EQ(sum.worst_gap, 1);
  ASSERT_EQ(listed.size(), low.above_distance);
  for (std::uint64_t rank = 0; rank < 20'000; ++rank) {  // each rank counts once
    if (permutation_of_rank(8, rank) != listed.front()) continue;
    EXPECT_EQ(count_ranks(mesh, {}, 0, rank).above_distance, 0u);
    EXPECT_EQ(count_ranks(mesh, {}, rank, 1).above_distance, 1u);
    EXPECT_EQ(count_ranks(mesh, {}, rank + 1, 20'000 - rank - 1).above_distance, listed.size() - 1);
    break;
  }
  for (const std::vector<NodeId>& permutation : listed)
    EXPECT_EQ(length(mesh, permutation), distance(mesh, permutation) + 1);
}

TEST(PermutationRanks, CountsInLexicographicOrder) {
  std::vector<NodeId> permutation = identity_permutation(5);
  for (std::uint64_t rank = 0; rank < 120; ++rank) {
    EXPECT_EQ(permutation_of_rank(5, rank), permutation) << rank;
    std::next_permutation(permutation.begin(), permutation.end());
  }
  EXPECT_EQ(permutation_of_rank(20, permutations_of(20) - 1).front(), 19);
  EXPECT_THROW(permutation_of_rank(5, 120), InputError);
  EXPECT_THROW(permutations_of(21), InputError);
  EXPECT_THROW(count_ranks(Grid::mesh({1, 5}), {}, 100, 21), InputError);
  EXPECT_THROW(count_ranks(Grid::mesh({1, 5}), {}, 121, 0), InputError);
  EXPECT_EQ(count_ranks(Grid::mesh({1, 5}), {}, 120, 0).planned, 0u);
}

/// Permutations of one mesh: uniform ones, and a shift, with short distances only.
std::vector<std::vector<NodeId>> sample(const Grid& mesh, std::uint64_t count) {
  std::vector<std::vector<NodeId>> permutations;
  for (std::uint64_t seed = 0; seed < count; ++seed) permutations.push_back(random_permutation(mesh.nodes(), seed));
  std::vector<NodeId> shift = identity_permutation(mesh.nodes());
  std::rotate(shift.begin(), shift.begin() + (mesh.side(1) + 1) % mesh.nodes(), shift.end());
  permutations.push_back(shift);
  return permutations;
}

TEST(MultistageLaws, NeighboursLeaveAtOnceInEveryOrder) {
  const Grid mesh = square(6);
  for (std::size_t order = 0; order < packet_order_names().size(); ++order) {
    for (const std::vector<NodeId>& destinations : sample(mesh, 200)) {
      OneBendPlanner planner(mesh, with(static_cast<PacketOrder>(order)));
      const OneBendPlan& plan = planner.plan(permutation_packets(destinations));
      for (NodeId node = 0; node < mesh.nodes(); ++node) {
        const auto p = static_cast<std::size_t>(node);
        if (mesh.distance(node, destinations[p]) == 1) {
          EXPECT_EQ(plan.starts[p], 0);
        }
      }
    }
  }
}

TEST(MultistageLaws, ThoseFarthestAwayLeaveAtOnceOnTheFirstPathTried) {
  for (const Grid& mesh : {square(5), Grid::mesh({3, 9}), Grid::mesh({9, 3})}) {
    for (const TieBreak tie : all_ties) {
      for (const PathScheme scheme : all_schemes) {
        OneBendPlanner planner(mesh, with(PacketOrder::longest_total, scheme, tie));
        for (const std::vector<NodeId>& destinations : sample(mesh, 50)) {
          const OneBendPlan& plan = planner.plan(permutation_packets(destinations));
          for (NodeId node = 0; node < mesh.nodes(); ++node) {
            const auto p = static_cast<std::size_t>(node);
            if (mesh.distance(node, destinations[p]) != plan.distance) continue;
            EXPECT_EQ(plan.starts[p], 0);
            const bool bends = mesh.offset(node, destinations[p], 0) != 0 && mesh.offset(node, destinations[p], 1) != 0;
            EXPECT_EQ(plan.first[p] == FirstSegment::vertical, bends && scheme == PathScheme::vertical_first);
          }
        }
      }
    }
  }
}

TEST(MultistageLaws, LinesAlwaysTakeTheGreatestDistance) {
  for (const Grid& line : {Grid::mesh({1, 7}), Grid::mesh({7, 1})}) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const std::vector<NodeId> destinations = random_permutation(7, seed);
      OneBendPlanner planner(line, {});
      EXPECT_THAT(planner.plan(permutation_packets(destinations)).starts, Each(0));
      EXPECT_EQ(length(line, destinations), distance(line, destinations));
    }
  }
}

TEST(MultistageLaws, HorizontalFirstStaysWithinTheoremsFourAndFive) {
  for (const Grid& mesh : {square(8), Grid::mesh({4, 16}), Grid::mesh({16, 4})}) {
    const std::int32_t rows = mesh.side(0);
    const std::int32_t columns = mesh.side(1);
    std::vector<std::vector<NodeId>> permutations = sample(mesh, 200);
    if (rows == columns) permutations.push_back(quarter_turn(rows));
    for (const std::vector<NodeId>& destinations : permutations) {
      for (std::size_t order = 0; order < packet_order_names().size(); ++order)
        EXPECT_LE(length(mesh, destinations, with(static_cast<PacketOrder>(order), PathScheme::horizontal_first)),
                  2 * (rows + columns) - 4);
      for (const bool pair : {false, true})
        EXPECT_LE(
            length(mesh, destinations,
                   with(PacketOrder::longest_horizontal, PathScheme::horizontal_first, TieBreak::row_major, pair)),
            columns + 2 * rows - 3);
    }
  }
}

TEST(Multistage, CanFailBelowThePaperStageLimit) {
  // 24 packets for the corner of a 5 x 5 mesh, 20 of them through one link; the limit is 5 + 2*5 stages.
  std::vector<Packet> packets;
  for (NodeId node = 1; node < 25; ++node) packets.push_back({node, 0, 1, 0});
  OneBendOptions options = with(PacketOrder::longest_total, PathScheme::horizontal_first);
  options.stage_limit = true;
  const OneBendPlan limited = OneBendPlanner(square(5), options).plan(packets);
  EXPECT_FALSE(limited.complete());
  ASSERT_GE(limited.failed, 0);
  EXPECT_EQ(limited.starts[static_cast<std::size_t>(limited.failed)], -1);
  EXPECT_LT(limited.length, 15);
  const Plan written = journeys(square(5), packets, limited);
  EXPECT_FALSE(written.journeys[static_cast<std::size_t>(limited.failed)].planned());
  EXPECT_EQ(written.length(), limited.length);

  options.stage_limit = false;
  const OneBendPlan unlimited = OneBendPlanner(square(5), options).plan(packets);
  EXPECT_TRUE(unlimited.complete());
  EXPECT_GE(unlimited.length, 20);
}

TEST(Multistage, TriesHorizontalThenVerticalThenTheNextStage) {
  // Packets 0 -> 3 and 0 -> 3 on 2 x 2: the second takes the other path in the same stage, the third waits.
  const std::vector<Packet> packets(4, Packet{0, 3, 1, 0});
  const OneBendPlan plan = OneBendPlanner(square(2), {}).plan(packets);
  EXPECT_EQ(plan.starts, (std::vector<std::int32_t>{0, 0, 1, 1}));
  EXPECT_EQ(plan.first, (std::vector<FirstSegment>{FirstSegment::horizontal, FirstSegment::vertical,
                                                   FirstSegment::horizontal, FirstSegment::vertical}));
}

TEST(Multistage, NothingToDoTakesNoTime) {
  const OneBendPlan none = OneBendPlanner(square(3), {}).plan({});
  EXPECT_EQ(none.length, 0);
  EXPECT_EQ(length(square(3), identity_permutation(9)), 0);
  EXPECT_EQ(length(Grid::mesh({1, 1}), {0}), 0);
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Multistage, RefusesWhatItCannotPlan) {
  const Grid torus = Grid::torus({4, 4});
  EXPECT_THAT(refusal([&] { OneBendPlanner(torus, {}); }), HasSubstr("scheme any"));
  EXPECT_THAT(refusal([] { OneBendPlanner(Grid::mesh({4096, 4096}), {}); }), HasSubstr("use a smaller mesh"));
  OneBendOptions options;
  options.flits = 0;
  EXPECT_THAT(refusal([&] { OneBendPlanner(square(4), options); }), HasSubstr("at least 1 flit"));
  options = with(PacketOrder::random);
  options.ordering.seed.reset();
  EXPECT_THAT(refusal([&] { OneBendPlanner(square(4), options); }), HasSubstr("needs a seed"));
  options = with(PacketOrder::longest_total, PathScheme::path_selection, TieBreak::row_major, true);
  EXPECT_THAT(refusal([&] { OneBendPlanner(square(4), options); }), HasSubstr("LLH, LLV, SLH and SLV have one"));
  EXPECT_THAT(refusal([&] { PacketSorter(torus, {PacketOrder::longest_horizontal}); }),
              HasSubstr("needs a two-dimensional mesh"));
  EXPECT_THAT(refusal([&] {
                PacketSorter(torus, {PacketOrder::longest_total, TieBreak::snake_row});
              }),
              HasSubstr("needs a two-dimensional mesh"));
  EXPECT_THAT(refusal([] { packet_order_named("LDT"); }), HasSubstr("did you mean LTD?"));
  EXPECT_THAT(refusal([] { tie_break_named("rowmajor"); }), HasSubstr("did you mean row-major?"));
  EXPECT_THAT(refusal([] { path_scheme_named("XX"); }), HasSubstr("known: PS, HF, VF"));
  EXPECT_THAT(refusal([] {
                OneBendPlanner(square(2), {}).plan({{0, 4, 1, 0}});
              }),
              HasSubstr("destination 4 is not a node"));
  EXPECT_THAT(refusal([] { check_packets(square(2), {{-1, 0, 1, 0}}); }), HasSubstr("source -1 is not a node"));
}

TEST(Multistage, NamesMatchTheEnumerators) {
  EXPECT_EQ(packet_order_named("RM"), PacketOrder::row_major);
  EXPECT_EQ(packet_order_named("SCM"), PacketOrder::snake_column);
  EXPECT_EQ(packet_order_named("RND"), PacketOrder::random);
  EXPECT_EQ(packet_order_named("LLV"), PacketOrder::longest_vertical);
  EXPECT_EQ(packet_order_named("STD"), PacketOrder::shortest_total);
  EXPECT_EQ(packet_order_named("SLV"), PacketOrder::shortest_vertical);
  EXPECT_EQ(tie_break_named("snake-column"), TieBreak::snake_column);
  EXPECT_EQ(tie_break_named("random"), TieBreak::random);
  EXPECT_EQ(path_scheme_named("VF"), PathScheme::vertical_first);
}

}  // namespace
}  // namespace starloom::links
