// SPDX-License-Identifier: Apache-2.0
// The offline planners against the plain ones, on whatever the dice bring, and what theory promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <starloom/core/random.hpp>
#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include <starloom/planning/links/schedules.hpp>
#include "support/permutations.hpp"
#include "support/plain_planner.hpp"

namespace starloom::links {
namespace {

/// A permutation of short distances: exchanges of nodes at most `reach` apart in both coordinates.
std::vector<NodeId> local_permutation(const Grid& mesh, std::int32_t reach, RandomStream& dice) {
  std::vector<NodeId> destinations = identity_permutation(mesh.nodes());
  for (NodeId node = 0; node < mesh.nodes(); ++node) {
    std::vector<std::int32_t> place;
    for (int axis = 0; axis < 2; ++axis) {
      const std::int32_t low = std::max(0, mesh.coordinate(node, axis) - reach);
      const std::int32_t high = std::min(mesh.side(axis) - 1, mesh.coordinate(node, axis) + reach);
      place.push_back(low + static_cast<std::int32_t>(dice.bounded(static_cast<std::uint32_t>(high - low + 1))));
    }
    std::swap(destinations[static_cast<std::size_t>(node)],
              destinations[static_cast<std::size_t>(mesh.node_at(place))]);
  }
  return destinations;
}

/// Uniform and local permutations, partial ones, and any number of packets from anywhere to anywhere.
std::vector<Packet> random_packets(const Grid& mesh, RandomStream& dice) {
  const auto nodes = static_cast<std::uint32_t>(mesh.nodes());
  std::vector<Packet> packets;
  switch (dice.bounded(4)) {
    case 0: return permutation_packets(random_permutation(mesh.nodes(), dice.word()));
    case 1: return permutation_packets(local_permutation(mesh, 1 + static_cast<std::int32_t>(dice.bounded(4)), dice));
    case 2: {
      for (const Packet& packet : permutation_packets(random_permutation(mesh.nodes(), dice.word())))
        if (dice.bounded(3) != 0) packets.push_back(packet);
      return packets;
    }
    default: {
      const auto hot = static_cast<NodeId>(dice.bounded(nodes));
      const bool one_target = dice.bounded(2) == 0;
      const std::uint32_t count = dice.bounded(2 * nodes);
      for (std::uint32_t i = 0; i < count; ++i) {
        const auto from = static_cast<NodeId>(dice.bounded(nodes));
        packets.push_back({from, one_target ? hot : static_cast<NodeId>(dice.bounded(nodes)), 1, 0});
      }
      return packets;
    }
  }
}

OneBendOptions random_options(RandomStream& dice) {
  OneBendOptions options;
  options.ordering.order =
      static_cast<PacketOrder>(dice.bounded(static_cast<std::uint32_t>(packet_order_names().size())));
  options.ordering.tie = static_cast<TieBreak>(dice.bounded(static_cast<std::uint32_t>(tie_break_names().size())));
  options.ordering.seed = dice.word();
  if (by_one_distance(options.ordering.order)) options.ordering.lexicographic = dice.bounded(2) == 0;
  options.scheme = static_cast<PathScheme>(dice.bounded(3));
  options.stage_limit = dice.bounded(4) == 0;
  options.one_start_per_stage = dice.bounded(2) == 0;
  return options;
}

std::string text(const Grid& mesh, const OneBendOptions& options) {
  return std::to_string(mesh.side(0)) + " x " + std::to_string(mesh.side(1)) + " " +
         packet_order_names()[static_cast<std::size_t>(options.ordering.order)] + " " +
         path_scheme_names()[static_cast<std::size_t>(options.scheme)] + " ties " +
         tie_break_names()[static_cast<std::size_t>(options.ordering.tie)] + " flits " + std::to_string(options.flits);
}

/// Compares starts and first directions; false after a difference, which it reports.
bool agrees(const Grid& mesh, const OneBendOptions& options, const std::vector<Packet>& packets) {
  OneBendPlanner planner(mesh, options);
  PlainPlanner plain(mesh, options);
  const OneBendPlan expected = plain.plan(packets);
  for (int again = 0; again < 2; ++again) {  // the second time with used memory
    const OneBendPlan& found = planner.plan(packets);
    if (found.starts != expected.starts || found.first != expected.first || found.length != expected.length ||
        found.distance != expected.distance || found.failed != expected.failed) {
      ADD_FAILURE() << "planners disagree: " << text(mesh, options) << ", call " << again + 1;
      return false;
    }
  }
  return true;
}

/// Every order with every scheme: 11 orders and 4 lexicographic readings, 3 schemes.
std::vector<OneBendOptions> all_options(RandomStream& dice) {
  std::vector<OneBendOptions> list;
  for (std::size_t order = 0; order < packet_order_names().size(); ++order) {
    for (int scheme = 0; scheme < 3; ++scheme) {
      for (const bool pair : {false, true}) {
        OneBendOptions options = random_options(dice);
        options.ordering.order = static_cast<PacketOrder>(order);
        options.ordering.lexicographic = pair;
        options.scheme = static_cast<PathScheme>(scheme);
        if (pair && !by_one_distance(options.ordering.order)) continue;
        list.push_back(options);
      }
    }
  }
  return list;
}

TEST(Multistage, AgreesWithThePlainPlannerOnMoreThanFiftyThousandCases) {
  int cases = 0;
  for (std::uint32_t round = 0; cases < 48'000; ++round) {
    RandomStream dice(round, Purpose::algorithm, 0, 1);
    for (const OneBendOptions& options : all_options(dice)) {
      const Grid mesh = Grid::mesh({1 + dice.bounded(9), 1 + dice.bounded(9)});
      ASSERT_TRUE(agrees(mesh, options, random_packets(mesh, dice))) << "round " << round;
      ++cases;
    }
  }
  // Positions fill one word, and one and a few of the next.
  for (std::uint32_t round = 0; cases < 56'000; ++round) {
    RandomStream dice(round, Purpose::algorithm, 0, 2);
    for (const OneBendOptions& options : all_options(dice)) {
      const std::int64_t widths[] = {63, 64, 65, 66, 127, 128, 129, 130, 193};
      std::vector<std::int64_t> shape = {1 + dice.bounded(4), widths[dice.bounded(9)]};
      if (dice.bounded(2) == 0) std::swap(shape[0], shape[1]);
      const Grid mesh = Grid::mesh(shape);
      ASSERT_TRUE(agrees(mesh, options, random_packets(mesh, dice))) << "wide round " << round;
      ++cases;
    }
  }
  RecordProperty("cases", cases);
}

TEST(Multistage, PlansOfAnyOrderAreFitToDrive) {
  for (std::uint32_t round = 0; round < 20; ++round) {
    RandomStream dice(round, Purpose::algorithm, 0, 3);
    for (OneBendOptions options : all_options(dice)) {
      options.stage_limit = false;
      options.flits = 1 + static_cast<std::int32_t>(dice.bounded(3));
      const Grid mesh = Grid::mesh({1 + dice.bounded(12), 1 + dice.bounded(12)});
      const std::vector<Packet> packets = random_packets(mesh, dice);
      OneBendPlanner planner(mesh, options);
      const OneBendPlan& plan = planner.plan(packets);
      const Plan moves = journeys(mesh, packets, plan, options.flits);
      ASSERT_EQ(plan_error(mesh, packets, moves), "") << text(mesh, options);
      ASSERT_EQ(moves.length(), plan.length) << text(mesh, options);
      ASSERT_EQ(greatest_distance(mesh, packets), plan.distance);
    }
  }
}

}  // namespace
}  // namespace starloom::links
