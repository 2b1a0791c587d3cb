// SPDX-License-Identifier: Apache-2.0
/// \file Routing on fat trees over the nearest common ancestor, and dimension order on meshes with express links.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include <starloom/topology/express_mesh.hpp>
#include <starloom/topology/fat_tree.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/permutations.hpp"
#include "support/stepper.hpp"

namespace starloom::links {
namespace {

using testing::ElementsAre;

LinkNetwork fat_tree(std::int64_t arity, std::int64_t levels) {
  const FatTree tree(arity, levels);
  return {"fat tree", make_fat_tree(tree), tree, "fat-tree"};
}

LinkNetwork express_mesh(std::int64_t rows, std::int64_t columns, std::int64_t skip) {
  const ExpressMesh mesh(rows, columns, skip);
  return {"express mesh", make_express_mesh(mesh), mesh, "express-mesh"};
}

/// The nodes on the path of a packet, by the routing function.
std::vector<NodeId> path_of(const LinkNetwork& network, const Algorithm& algorithm, NodeId from, NodeId to) {
  Flit head;
  head.destination = to;
  std::vector<NodeId> path = {from};
  while (path.back() != to && path.size() < 100) {
    const Port port = algorithm.next_port(path.back(), head);
    if (port == no_port) break;
    path.push_back(network.graph.far_end(path.back(), port).node);
  }
  return path;
}

StepperResult run(const LinkNetwork& network, const Algorithm& algorithm, std::vector<Packet> packets) {
  ListSource source(std::move(packets));
  return run_stepper(network, algorithm, source);
}

TEST(NearestAncestor, ClimbsByTheDigitsOfTheDestination) {
  // Processors 0..7, four switches a level: 8..11, 12..15, 16..19.
  const LinkNetwork network = fat_tree(2, 3);
  const auto algorithm = named_algorithm("nearest-ancestor", network);
  EXPECT_THAT(path_of(network, *algorithm, 0, 1), ElementsAre(0, 8, 1));
  EXPECT_THAT(path_of(network, *algorithm, 0, 3), ElementsAre(0, 8, 13, 9, 3));
  EXPECT_THAT(path_of(network, *algorithm, 0, 2), ElementsAre(0, 8, 12, 9, 2));
  EXPECT_THAT(path_of(network, *algorithm, 1, 6), ElementsAre(1, 8, 12, 18, 14, 11, 6));
  EXPECT_THAT(path_of(network, *algorithm, 7, 0), ElementsAre(7, 11, 14, 16, 12, 8, 0));
}

TEST(NearestAncestor, WaysAreShortestAndMeetOnTheirWayToOneDestination) {
  for (const auto& [arity, levels] : {std::pair(2, 1), std::pair(2, 4), std::pair(3, 3), std::pair(4, 2)}) {
    const LinkNetwork network = fat_tree(arity, levels);
    const FatTree& tree = *network.as<FatTree>();
    const auto algorithm = named_algorithm("nearest-ancestor", network);
    for (NodeId to = 0; to < tree.processors(); ++to) {
      std::map<int, std::set<NodeId>> above;  // the switches of each level that lead down to the destination
      for (NodeId from = 0; from < tree.processors(); ++from) {
        const std::vector<NodeId> path = path_of(network, *algorithm, from, to);
        ASSERT_EQ(path.back(), to);
        ASSERT_EQ(static_cast<std::int32_t>(path.size()) - 1, tree.distance(from, to));
        for (const NodeId node : path)
          if (tree.level(node) >= 0 && tree.above(node, to)) above[tree.level(node)].insert(node);
      }
      for (const auto& [level, switches] : above) EXPECT_EQ(switches.size(), 1u) << "level " << level;
    }
  }
}

TEST(NearestAncestor, FirstComeFirstServedAndTiesToTheLowerPacket) {
  const LinkNetwork network = fat_tree(2, 2);
  const auto algorithm = named_algorithm("nearest-ancestor", network);
  // 0, 1 and 2 send to 3: 0 and 1 meet in their first switch, 2 is nearer.
  const StepperResult result = run(network, *algorithm, {{0, 3, 1, 0}, {1, 3, 1, 0}, {2, 3, 1, 0}});
  EXPECT_THAT(result.record.delivered, ElementsAre(4, 5, 2));
  EXPECT_EQ(result.record.queue.max, 2);
  EXPECT_EQ(result.record.queue.node, 4);
  EXPECT_EQ(result.record.queue.step, 0);
}

TEST(NearestAncestor, TheBoundHoldsPacketsBackAndMayBeBroken) {
  const LinkNetwork network = fat_tree(2, 2);
  const std::vector<Packet> burst = {{0, 3, 1, 0}, {0, 2, 1, 0}, {0, 1, 1, 0}};
  const auto bounded = named_algorithm("nearest-ancestor", network, {{"bound", std::int64_t{1}}});
  const StepperResult held = run(network, *bounded, burst);
  EXPECT_FALSE(held.violation);
  EXPECT_THAT(held.record.delivered, ElementsAre(4, 5, 4));
  // Arrivals cannot be refused: three packets for processor 7 meet.
  const LinkNetwork tall = fat_tree(4, 1);
  const auto one = named_algorithm("nearest-ancestor", tall, {{"bound", std::int64_t{1}}});
  EXPECT_TRUE(run(tall, *one, {{0, 3, 1, 0}, {1, 3, 1, 0}, {2, 3, 1, 0}}).violation);
}

TEST(NearestAncestor, EveryPermutationArrives) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const LinkNetwork network = fat_tree(4, 3);
    const auto algorithm = named_algorithm("nearest-ancestor", network);
    const StepperResult result = run(network, *algorithm, permutation_packets(random_permutation(64, seed)));
    EXPECT_EQ(result.end, StepperEnd::all_delivered);
    EXPECT_FALSE(result.violation);
  }
}

// ---- greedy on express meshes

TEST(GreedyOnExpressMesh, TakesTheExpressLinkWhereItDoesNotOvershoot) {
  const LinkNetwork network = express_mesh(3, 10, 4);
  const auto greedy = named_algorithm("greedy", network);
  EXPECT_THAT(path_of(network, *greedy, 0, 9), ElementsAre(0, 4, 8, 9));
  EXPECT_THAT(path_of(network, *greedy, 0, 7), ElementsAre(0, 4, 5, 6, 7)) << "4, 8, 7 would be shorter";
  EXPECT_THAT(path_of(network, *greedy, 9, 22), ElementsAre(9, 5, 4, 3, 2, 12, 22)) << "the row first";
  EXPECT_THAT(run(network, *greedy, {{0, 9, 1, 3}, {9, 22, 1, 0}}).record.delivered, ElementsAre(6, 6));
}

TEST(GreedyOnExpressMesh, ColumnsHaveExpressLinksToo) {
  const LinkNetwork network = express_mesh(6, 2, 2);
  const auto greedy = named_algorithm("greedy", network);
  EXPECT_THAT(path_of(network, *greedy, 0, 11), ElementsAre(0, 1, 5, 9, 11));
  EXPECT_THAT(path_of(network, *greedy, 10, 0), ElementsAre(10, 6, 2, 0));
}

TEST(GreedyOnExpressMesh, FurthestDestinationCountsTheHopsOfTheWay) {
  // Both wait in node 0 for its express link: node 8 is two hops away, node 7 is nearer and four.
  const LinkNetwork network = express_mesh(3, 10, 4);
  const auto farthest = named_algorithm("greedy", network);
  EXPECT_THAT(run(network, *farthest, {{0, 8, 1, 0}, {0, 7, 1, 0}}).record.delivered, ElementsAre(3, 4));
  const auto fifo = named_algorithm("greedy", network, {{"discipline", "fifo"}});
  EXPECT_THAT(run(network, *fifo, {{0, 8, 1, 0}, {0, 7, 1, 0}}).record.delivered, ElementsAre(2, 5));
}

TEST(GreedyOnExpressMesh, EveryPermutationArrivesOverItsOwnWay) {
  const LinkNetwork network = express_mesh(5, 7, 3);
  for (const char* discipline : {"furthest-destination", "furthest-origin", "fifo"})
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const auto greedy = named_algorithm("greedy", network, {{"discipline", discipline}});
      const std::vector<NodeId> to = random_permutation(35, seed);
      const StepperResult result = run(network, *greedy, permutation_packets(to));
      EXPECT_EQ(result.end, StepperEnd::all_delivered);
      std::int64_t hops = 0;
      for (NodeId node = 0; node < 35; ++node)
        hops +=
            static_cast<std::int64_t>(path_of(network, *greedy, node, to[static_cast<std::size_t>(node)]).size()) - 1;
      EXPECT_EQ(result.record.flit_hops, hops);
      EXPECT_TRUE(greedy->bounds(result.record.packets).empty());
    }
}

}  // namespace
}  // namespace starloom::links
