// SPDX-License-Identifier: Apache-2.0
/// \file The loads that `check` computes for packets that choose at random or adaptively, or depend on their in-port.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <starloom/analysis/links/path_demand.hpp>
#include <starloom/control/links/paths.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/permutations.hpp"
#include "support/routed_networks.hpp"
#include "support/stepper.hpp"

namespace starloom::links {
namespace {

std::unique_ptr<Algorithm> routed_by(const LinkNetwork& network, const std::string& function, int channels) {
  return named_algorithm("vc-wormhole", network,
                         {{"function", function}, {"channels", std::int64_t{channels}}, {"buffer", std::int64_t{4}}});
}
const LinkNetwork& square(std::int64_t side) { return network_of(Grid::mesh({side, side})); }

std::vector<Flow> all_pairs(const NetworkGraph& graph, double rate) {
  std::vector<Flow> flows;
  for (NodeId from = 0; from < graph.processors(); ++from)
    for (NodeId to = 0; to < graph.processors(); ++to) flows.push_back({from, to, rate / graph.processors()});
  return flows;
}
std::vector<Flow> transpose_flows(NodeId side) {
  std::vector<Flow> flows;
  for (NodeId node = 0; node < side * side; ++node) flows.push_back({node, node % side * side + node / side, 1});
  return flows;
}
LinkDemand demand(const LinkNetwork& network, const std::string& function, int channels, std::vector<Flow> flows) {
  const auto algorithm = routed_by(network, function, channels);
  return *demand_by_paths(network.graph, *algorithm->routing_function(0), std::move(flows));
}
LinkDemand uniform(const LinkNetwork& network, const std::string& function, int channels) {
  const auto algorithm = routed_by(network, function, channels);
  return *uniform_demand_by_paths(network.graph, *algorithm->routing_function(0), 1);
}
void expect_same_loads(const LinkDemand& a, const LinkDemand& b) {
  ASSERT_EQ(a.load.size(), b.load.size());
  for (std::size_t link = 0; link < a.load.size(); ++link) EXPECT_NEAR(a.load[link], b.load[link], 1e-9) << link;
}

// Up-down looks at the in-port; its loads are those of a run.
TEST(PathDemand, OfFixedWaysIsWhatCrossesTheLinks) {
  const Grid grid = Grid::mesh({4, 5});
  const LinkNetwork& network = network_of(grid);
  const auto packets = permutation_packets(random_permutation(grid.nodes(), 4), 1);
  const auto algorithm = routed_by(network, "up-down", 1);
  ListSource source(packets);
  StepperOptions options;
  options.max_steps = 100'000;
  const StepperResult run = run_stepper(grid, *algorithm, source, options);
  ASSERT_EQ(run.end, StepperEnd::all_delivered);
  std::vector<Flow> flows;
  for (const Packet& packet : packets) flows.push_back({packet.source, packet.destination, 1});
  const LinkDemand found = demand(network, "up-down", 1, flows);
  EXPECT_EQ(found.meaning, LinkDemand::Meaning::certain);
  EXPECT_EQ(found.load, std::vector<double>(run.record.link_load.begin(), run.record.link_load.end()));
  EXPECT_EQ(found.hops, std::accumulate(found.load.begin(), found.load.end(), 0.0));
  const auto fixed = routed_by(network, "dimension-order", 1);
  expect_same_loads(demand(network, "dimension-order", 1, flows), *demand_of(network.graph, *fixed, flows));
}

// Packets of terminals for themselves cross links, as in a run.
TEST(PathDemand, CountsPacketsOfTerminalsToThemselves) {
  for (const auto& [network, function, channels, links] :
       {std::tuple(&butterfly(2, 4), "destination-tag", 1, 5), std::tuple(&fat_tree(2, 3), "up-down", 1, 2),
        std::tuple(&concentrated_mesh({2, 3}, 2), "dimension-order", 1, 2),
        std::tuple(&flattened_butterfly({2, 3}, 2), "dimension-order", 1, 2),
        std::tuple(&dragonfly(3, 2, 1), "dragonfly-minimal", 2, 2), std::tuple(&square(3), "dimension-order", 1, 0)}) {
    SCOPED_TRACE(network->topology);
    const NetworkGraph& graph = network->graph;
    const auto algorithm = routed_by(*network, function, channels);
    std::vector<Packet> packets;
    std::vector<Flow> flows;
    for (NodeId node = 0; node < graph.processors(); ++node) {
      packets.push_back({node, node, 3, 0});
      flows.push_back({node, node, 3});
      EXPECT_EQ(graph.distance_over_routers(node, node), links);
    }
    ListSource source(packets);
    const StepperResult run = run_stepper(*network, *algorithm, source, {});
    ASSERT_EQ(run.end, StepperEnd::all_delivered);
    const std::vector<double> crossed(run.record.link_load.begin(), run.record.link_load.end());
    EXPECT_EQ(demand(*network, function, channels, flows).load, crossed);
    EXPECT_EQ(demand_of_paths(graph, *algorithm, flows)->load, crossed);
    EXPECT_EQ(run.record.hops, std::vector<std::int32_t>(packets.size(), links));
    const auto uniform = uniform_demand(graph, *algorithm, 1);
    if (uniform) expect_same_loads(*uniform, *demand_of(graph, *algorithm, all_pairs(graph, 1)));
  }
}

// Without packets of processors to themselves: all other pairs, on fixed, random and adaptive paths, in two phases, and
// with terminals, whose own packets cross links.
TEST(PathDemand, OfUniformTrafficLeavesOwnPacketsOut) {
  for (const auto& [network, function, channels] :
       {std::tuple(&square(3), "dimension-order", 1), std::tuple(&square(4), "o1turn", 2),
        std::tuple(&square(3), "valiant", 2), std::tuple(&square(3), "min-adaptive", 2),
        std::tuple(&fat_tree(2, 2), "up-down", 1), std::tuple(&fat_tree(2, 3), "nearest-ancestor", 1),
        std::tuple(&concentrated_mesh({2, 3}, 2), "valiant", 2), std::tuple(&dragonfly(3, 2, 1), "ugal", 3)}) {
    SCOPED_TRACE(std::string(function) + " on " + network->topology);
    const NetworkGraph& graph = network->graph;
    const auto algorithm = routed_by(*network, function, channels);
    std::vector<Flow> flows;
    for (const Flow& flow : all_pairs(graph, 1))
      if (flow.source != flow.destination)
        flows.push_back({flow.source, flow.destination, 2.0 / (graph.processors() - 1)});
    const auto expected = demand_by_paths(graph, *algorithm->routing_function(0), flows);
    const auto found = uniform_demand_by_paths(graph, *algorithm->routing_function(0), 2, false);
    ASSERT_TRUE(expected && found);
    EXPECT_EQ(found->meaning, expected->meaning);
    EXPECT_NEAR(found->hops, expected->hops, 1e-9);
    expect_same_loads(*found, *expected);
    EXPECT_NEAR(found->least, expected->least, 1e-9);
    if (const auto fixed = uniform_demand(graph, *algorithm, 2, false)) expect_same_loads(*fixed, *expected);
  }
}

// A quarter of the packets goes one way round a square, and three quarters the other way.
TEST(PathDemand, OfATableFollowsItsWeights) {
  const auto folder = std::filesystem::path(testing::TempDir());
  std::ofstream(folder / "weights.csv")
      << "node,destination,port,channels,weight\n0,1,1,*,7\n0,2,2,*,1\n0,3,1,*,1\n0,3,2,0 2,3\n1,0,3,*,1\n1,2,3,*,1\n"
         "1,3,2,*,1\n2,0,0,*,1\n2,1,0,*,1\n2,3,1,*,1\n3,0,3,*,1\n3,1,0,*,1\n3,2,3,*,1\n";
  const LinkNetwork& network = square(2);
  const auto function = made_function("table", network, 3, {{"table", std::string("weights.csv")}}, folder);
  const auto found = demand_by_paths(network.graph, *function, {{0, 3, 2}, {0, 1, 1}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->meaning, LinkDemand::Meaning::expected);
  EXPECT_DOUBLE_EQ(found->load[network.graph.index(0, 1)], 1.5);
  EXPECT_DOUBLE_EQ(found->load[network.graph.index(0, 2)], 1.5);
  EXPECT_DOUBLE_EQ(found->load[network.graph.index(1, 2)], 0.5);
  EXPECT_DOUBLE_EQ(found->load[network.graph.index(2, 1)], 1.5);
}

// One order or the other: half of what either puts on a link.
TEST(PathDemand, OfO1turnIsTheMeanOfBothOrders) {
  const auto load = [](const char* function, int channels) {
    return demand(square(5), function, channels, transpose_flows(5));
  };
  const LinkDemand drawn = load("o1turn", 2), xy = load("dimension-order", 1), yx = load("yx", 1);
  EXPECT_EQ(drawn.meaning, LinkDemand::Meaning::expected);
  for (std::size_t link = 0; link < drawn.load.size(); ++link)
    EXPECT_NEAR(drawn.load[link], (xy.load[link] + yx.load[link]) / 2, 1e-12);
}

// Routers choose the order: the mean of both is one of many possible loads, and the bound is below all of them.
TEST(PathDemand, OfTwoOrdersByLoadIsShared) {
  const LinkDemand found = demand(square(5), "xy-yx-adaptive", 2, transpose_flows(5));
  EXPECT_EQ(found.meaning, LinkDemand::Meaning::shared);
  expect_same_loads(found, demand(square(5), "o1turn", 2, transpose_flows(5)));
  for (const char* order : {"dimension-order", "yx"})
    EXPECT_LE(found.least, demand(square(5), order, 1, transpose_flows(5)).most() + 1e-9);
  // Two packets to the opposite corner: the least is one packet for each order.
  const LinkDemand corner = demand(square(3), "xy-yx-adaptive", 2, {{0, 8, 2}});
  EXPECT_LE(corner.least, 1 + 1e-9);
  EXPECT_GE(corner.least, 0.97);
  EXPECT_EQ(demand(square(3), "xy-yx-adaptive", 2, {{0, 2, 2}}).least, 2) << "along a row there is one path";
}

// The paths over every node between source and destination, with equal shares.
TEST(PathDemand, OfRommIsTheMeanOfAllPathsBetween) {
  for (const LinkNetwork* network : {&network_of(Grid::mesh({4, 5})), &concentrated_mesh({3, 3}, 2)}) {
    const NetworkGraph& graph = network->graph;
    const auto algorithm = routed_by(*network, "romm", 2);
    const routing::RoutingFunction& function = *algorithm->routing_function(0);
    LinkDemand expected;
    expected.load.assign(graph.link_slots(), 0);
    for (NodeId from = 0; from < graph.processors(); ++from)
      for (NodeId to = 0; to < graph.processors(); ++to) {
        const Packet packet{graph.processor(from), graph.processor(to), 1};
        const std::uint32_t count = function.random_choices_between(packet.source, packet.destination);
        for (std::uint32_t number = 0; number < count; ++number) {
          PacketPath path;
          ASSERT_TRUE(offered_path(graph, *algorithm, packet,
                                   function.random_choice_between(packet.source, packet.destination, number), path));
          for (const std::size_t link : path.links) expected.load[link] += 1.0 / count / graph.processors();
        }
      }
    const LinkDemand found = uniform(*network, "romm", 2);
    EXPECT_EQ(found.meaning, LinkDemand::Meaning::expected);
    expect_same_loads(found, expected);
    EXPECT_NEAR(found.hops, uniform(*network, "dimension-order", 1).hops, 1e-9) << "on shortest paths";
  }
}

// Half of the packets with a distance of half a ring turn in each direction: an 8 x 8 torus is full at 1.
TEST(PathDemand, OfRandomTiesIsBalanced) {
  const LinkNetwork& torus = network_of(Grid::torus({8, 8}));
  const auto algorithm =
      named_algorithm("vc-wormhole", torus, {{"channels", std::int64_t{2}}, {"ties", std::string("random")}});
  const auto found = uniform_demand_by_paths(torus.graph, *algorithm->routing_function(0), 1);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->most(), 1, 1e-9);
}

// Each phase is uniform traffic, for any pattern.
TEST(PathDemand, OfValiantIsTwiceUniform) {
  const LinkDemand once = uniform(square(4), "dimension-order", 1);
  LinkDemand phases = uniform(square(4), "valiant", 2);
  EXPECT_EQ(phases.meaning, LinkDemand::Meaning::expected);
  for (double& load : phases.load) load /= 2;
  expect_same_loads(phases, once);
  LinkDemand of_pattern = demand(square(4), "valiant", 2, transpose_flows(4));
  for (double& load : of_pattern.load) load /= 2;
  expect_same_loads(of_pattern, once);
}

// D. Seo et al., ISCA 2005, on a mesh of 8 x 8, mean of 10^6 random patterns: O1TURN carries 18.8 % more than
// dimension order, and 13.6 % more than Valiant's algorithm, which carries half of the capacity for any pattern.
TEST(PathDemand, CarriesAsMuchMoreAsPublished) {
  const auto carried = [](const char* function, int channels) {
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      std::vector<Flow> flows;
      for (const Packet& packet : permutation_packets(random_permutation(64, seed), 1))
        flows.push_back({packet.source, packet.destination, 1});
      sum += 1 / demand(square(8), function, channels, flows).most() / 200;
    }
    return sum;
  };
  const double o1turn = carried("o1turn", 2);
  EXPECT_NEAR(o1turn / carried("dimension-order", 1), 1.188, 0.02);
  EXPECT_NEAR(o1turn / 0.25, 1.136, 0.02);
}

// Routers choose between the minimal path and that of Valiant: the bound is below the loads of both.
TEST(PathDemand, OfUgalIsShared) {
  const LinkNetwork& groups = dragonfly(5, 2, 2);
  std::vector<Flow> shift;
  for (NodeId node = 0; node < 20; ++node) shift.push_back({node, (node + 4) % 20, 1});
  const LinkDemand found = demand(groups, "ugal", 3, shift);
  EXPECT_EQ(found.meaning, LinkDemand::Meaning::shared);
  const double minimal = demand(groups, "dragonfly-minimal", 2, shift).most();
  EXPECT_EQ(minimal, 4) << "all four packets of a group cross the same global link";
  EXPECT_LT(found.least, demand(groups, "dragonfly-valiant", 3, shift).most());
  const LinkDemand even = uniform(groups, "ugal", 3);
  EXPECT_EQ(even.meaning, LinkDemand::Meaning::shared);
  EXPECT_LE(even.least, uniform(groups, "dragonfly-minimal", 2).most() + 1e-9);
  expect_same_loads(even, demand(groups, "ugal", 3, all_pairs(groups.graph, 1)));
}

TEST(PathDemand, OfTwoLegsIsThatOfAllPairs) {
  for (const auto& [network, function, channels] : {std::tuple(&network_of(Grid::torus({4, 3})), "valiant", 4),
                                                    std::tuple(&concentrated_mesh({3, 2}, 2), "valiant", 2),
                                                    std::tuple(&flattened_butterfly({3, 2}, 2), "valiant", 3),
                                                    std::tuple(&dragonfly(5, 2, 2), "dragonfly-valiant", 3)})
    expect_same_loads(uniform(*network, function, channels),
                      demand(*network, function, channels, all_pairs(network->graph, 1)));
}

// For any choices of heads, half of the traffic of a mesh of n columns crosses its n middle links in each direction:
// n / 4 per link.
TEST(PathDemand, TheLeastIsABoundThatIsNearlyMet) {
  for (const auto& [function, channels] :
       {std::pair("adaptive", 2), std::pair("west-first", 1), std::pair("odd-even", 1)}) {
    SCOPED_TRACE(function);
    const LinkDemand found = uniform(square(8), function, channels);
    EXPECT_EQ(found.meaning, LinkDemand::Meaning::shared);
    EXPECT_LE(found.least, 8.0 / 4 + 1e-9);
    EXPECT_GE(found.least, 0.97 * 8 / 4);
    EXPECT_GE(found.most(), found.least);
  }
  // Packets to the west have no choice, and all seven of the first row use its last link down: as in dimension order.
  const LinkDemand west = demand(square(8), "west-first", 1, transpose_flows(8));
  EXPECT_LE(west.least, 7 + 1e-9);
  EXPECT_GE(west.least, 0.99 * 7);
  // An achievable load is not below the bound.
  const LinkDemand free = demand(square(8), "adaptive", 2, transpose_flows(8));
  EXPECT_LE(free.least, demand(square(8), "o1turn", 2, transpose_flows(8)).most() + 1e-9);
  EXPECT_LT(free.least, 3);
  EXPECT_GT(free.least, 2);
}

// A head shares evenly between its ports, however many channels each of them offers it.
TEST(PathDemand, IsSharedBetweenPorts) {
  const LinkDemand found = demand(square(3), "adaptive", 4, {{0, 8, 1}});
  const NetworkGraph& graph = square(3).graph;
  EXPECT_EQ(found.load[graph.index(0, 1)], 0.5);
  EXPECT_EQ(found.load[graph.index(0, 2)], 0.5);
  EXPECT_EQ(found.load[graph.index(1, 1)], 0.25);
  EXPECT_EQ(found.load[graph.index(4, 2)], 0.25);
  EXPECT_NEAR(found.hops, 4, 1e-12);
}

TEST(PathDemand, OfWaysWithoutEndThereIsNone) {
  class Round final : public routing::RoutingFunction {
   public:
    void route(const routing::Head&, routing::Choices& choices) const override { choices.add(0, 0, 1); }
  };
  EXPECT_FALSE(demand_by_paths(ring(4).graph, Round(), {{0, 2, 1}}));
}

}  // namespace
}  // namespace starloom::links
