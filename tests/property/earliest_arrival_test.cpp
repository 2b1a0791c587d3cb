// SPDX-License-Identifier: Apache-2.0
// Scheme any: each packet arrives as early as what is left of the time-expanded graph allows, on any grid.
#include <starloom/planning/links/multistage/earliest_arrival.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <starloom/core/random.hpp>
#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include <starloom/support/error.hpp>
#include "support/counter_examples.hpp"
#include "support/permutations.hpp"
#include "support/plain_planner.hpp"

namespace starloom::links {
namespace {

using testing::HasSubstr;

/// The resources taken by the packets served so far, and the earliest arrival left for the next: all nodes that it
/// can be in, stage by stage.
class Leftover {
 public:
  Leftover(Grid grid, std::vector<std::int64_t> residents) : grid_(std::move(grid)), residents_(std::move(residents)) {}

  Step earliest_arrival(const Packet& packet) const {
    std::set<NodeId> in = {packet.source};
    for (Step stage = 0;; ++stage) {
      if (in.count(packet.destination) != 0) return stage;
      std::set<NodeId> next = {packet.source};
      for (const NodeId node : in) {
        const auto used = staying_.find({node, stage});
        if ((used == staying_.end() ? 0 : used->second) < room(node)) next.insert(node);
        for (Port port = 0; port < grid_.ports(); ++port)
          if (grid_.neighbour(node, port) != no_node && crossed_.count({node, port, stage}) == 0)
            next.insert(grid_.neighbour(node, port));
      }
      in.swap(next);
    }
  }

  void take(const Packet& packet, const Journey& journey) {
    NodeId node = packet.source;
    Step stage = journey.start;
    for (const Port port : journey.moves) {
      if (port == no_port) {
        ++staying_[{node, stage}];
      } else {
        crossed_.insert({node, port, stage});
        node = grid_.neighbour(node, port);
      }
      ++stage;
    }
  }

 private:
  std::int64_t room(NodeId node) const {
    return residents_.size() == 1 ? residents_[0] : residents_[static_cast<std::size_t>(node)];
  }

  Grid grid_;
  std::vector<std::int64_t> residents_;
  std::set<std::tuple<NodeId, Port, Step>> crossed_;
  std::map<std::pair<NodeId, Step>, std::int64_t> staying_;
};

std::vector<Grid> grids() {
  return {Grid::mesh({4, 4}),    Grid::mesh({3, 5}),       Grid::mesh({1, 6}),  Grid::mesh({7}),
          Grid::torus({4, 4}),   Grid::torus({2, 5}),      Grid::torus({2, 2}), Grid::torus({3, 3, 3}),
          Grid::mesh({2, 3, 4}), Grid::mesh({2, 2, 2, 2}), Grid::torus({1, 5}), Grid::torus({8})};
}

TEST(EarliestArrival, IsEarliestForEveryPacketInItsTurn) {
  for (const Grid& grid : grids()) {
    for (std::uint32_t round = 0; round < 24; ++round) {
      RandomStream dice(round, Purpose::algorithm, 0, 5);
      std::vector<Packet> packets = permutation_packets(random_permutation(grid.nodes(), dice.word()));
      if (round % 3 == 1)
        for (Packet& packet : packets) packet.destination = static_cast<NodeId>(dice.bounded(2));
      if (round % 3 == 2) packets.insert(packets.end(), packets.begin(), packets.end());
      EarliestArrivalOptions options;
      constexpr PacketOrder orders[] = {PacketOrder::longest_total, PacketOrder::shortest_total, PacketOrder::row_major,
                                        PacketOrder::random};
      options.ordering = {orders[dice.bounded(4)], TieBreak::random, false, round};
      options.residents = {static_cast<std::int64_t>(dice.bounded(3))};
      if (round % 4 == 3) {
        options.residents.assign(static_cast<std::size_t>(grid.nodes()), 0);
        for (std::int64_t& residents : options.residents) residents = dice.bounded(3);
      }
      const Plan plan = plan_earliest_arrival(grid, packets, options);
      ASSERT_EQ(plan_error(grid, packets, plan, options.residents), "") << grid.kind_name() << " round " << round;
      Leftover leftover(grid, options.residents);
      PacketSorter sorter(grid, options.ordering);
      for (const PacketId packet : sorter.sorted(packets)) {
        const auto p = static_cast<std::size_t>(packet);
        ASSERT_EQ(plan.journeys[p].arrival(), leftover.earliest_arrival(packets[p]))
            << grid.kind_name() << " round " << round << " packet " << p;
        leftover.take(packets[p], plan.journeys[p]);
      }
    }
  }
}

EarliestArrivalOptions with_residents(std::vector<std::int64_t> residents) {
  EarliestArrivalOptions options;
  options.residents = std::move(residents);
  return options;
}

TEST(EarliestArrival, OneWaitingPlaceRoutesTheFiveSwapsInThree) {
  const Grid mesh = Grid::mesh({4, 4});
  const std::vector<Packet> packets = permutation_packets(five_swaps());
  EXPECT_EQ(plan_earliest_arrival(mesh, packets, with_residents({0})).length(), 4);
  const Plan plan = plan_earliest_arrival(mesh, packets, with_residents({1}));
  EXPECT_EQ(plan.length(), 3);
  EXPECT_EQ(plan_error(mesh, packets, plan, {1}), "");
  EXPECT_NE(plan_error(mesh, packets, plan, {0}), "");  // it does wait
}

TEST(EarliestArrival, NeedsOneStageMoreThanTheDistanceForTheFamilyAndNoneWithAPlace) {
  for (NodeId d = 3; d <= 10; ++d) {
    const Grid mesh = Grid::mesh({2 * d - 1, 2 * d - 1});
    const std::vector<Packet> packets = permutation_packets(unbounded_family(d));
    EXPECT_EQ(plan_earliest_arrival(mesh, packets, with_residents({0})).length(), d + 1);
    EXPECT_EQ(plan_earliest_arrival(mesh, packets, with_residents({1})).length(), d);
  }
}

TEST(EarliestArrival, WaitsOnlyWhereThereIsRoom) {
  // One resident each in nodes 6 and 9, on the path of the exchange of 5 and 10.
  const Grid mesh = Grid::mesh({4, 4});
  const std::vector<Packet> packets = permutation_packets(five_swaps());
  std::vector<std::int64_t> residents(16, 0);
  for (const std::size_t node : {6u, 9u}) residents[node] = 1;
  EXPECT_EQ(plan_earliest_arrival(mesh, packets, with_residents(residents)).length(), 3);
}

TEST(EarliestArrival, GoesRoundWhatIsTaken) {
  // Two packets from 0 to 1 on a ring of 3: the second goes in the other direction only if it saves time, because
  // waiting takes as long with fewer links...
  const Grid ring = Grid::torus({3});
  const Plan two = plan_earliest_arrival(ring, {{0, 1, 1, 0}, {0, 1, 1, 0}}, with_residents({0}));
  EXPECT_EQ(two.journeys[1].start, 1);
  EXPECT_EQ(two.journeys[1].moves, (std::vector<Port>{0}));
  // ... and of three, the third saves a stage in this way.
  const Plan three = plan_earliest_arrival(ring, std::vector<Packet>(3, {0, 1, 1, 0}), with_residents({0}));
  EXPECT_EQ(three.journeys[2].start, 0);
  EXPECT_EQ(three.journeys[2].moves, (std::vector<Port>{1, 1}));
  EXPECT_EQ(three.length(), 2);
}

TEST(EarliestArrival, RefusesWrongPlaces) {
  const Grid mesh = Grid::mesh({2, 2});
  const auto refusal = [&](std::vector<std::int64_t> residents) -> std::string {
    try {
      plan_earliest_arrival(mesh, {}, with_residents(std::move(residents)));
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refusal({0, 0, 0}), HasSubstr("3 numbers for 4 nodes"));
  EXPECT_THAT(refusal({}), HasSubstr("0 numbers for 4 nodes"));
  EXPECT_THAT(refusal({0, 0, -1, 0}), HasSubstr("node 2 has -1"));
  EXPECT_EQ(refusal({0, 1, 2, 3}), "accepted");
  EXPECT_THROW(plan_earliest_arrival(mesh, {{0, 4, 1, 0}}, {}), InputError);
}

}  // namespace
}  // namespace starloom::links
