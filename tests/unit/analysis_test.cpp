// SPDX-License-Identifier: Apache-2.0
// The analyses of `check`, compared with runs and with plain definitions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include <starloom/analysis/links/channel_dependencies.hpp>
#include <starloom/analysis/links/link_demand.hpp>
#include <starloom/analysis/run_estimate.hpp>
#include <starloom/control/links/paths.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/permutations.hpp"
#include "support/stepper.hpp"

namespace starloom::links {
namespace {

std::vector<Flow> flows_of(const std::vector<Packet>& packets) {
  std::vector<Flow> flows;
  for (const Packet& packet : packets)
    flows.push_back({packet.source, packet.destination, static_cast<double>(packet.flits)});
  return flows;
}

/// The loads of the links in the reference simulator.
std::vector<double> loads_of_run(const Grid& grid, const Algorithm& algorithm, const std::vector<Packet>& packets) {
  ListSource source(packets);
  StepperOptions options;
  options.max_steps = 100'000;
  const StepperResult run = run_stepper(grid, algorithm, source, options);
  EXPECT_EQ(run.end, StepperEnd::all_delivered);
  return {run.record.link_load.begin(), run.record.link_load.end()};
}

TEST(LinkDemand, IsWhatCrossesTheLinks) {
  for (const Grid& grid : {Grid::mesh({6, 5}), Grid::torus({5, 4}), Grid::torus({4, 2, 3})}) {
    const auto packets = permutation_packets(random_permutation(grid.nodes(), 3), 1);
    const auto algorithm = named_algorithm("greedy", grid);
    const auto demand = demand_of(network_of(grid).graph, *algorithm, flows_of(packets));
    ASSERT_TRUE(demand);
    EXPECT_EQ(demand->load, loads_of_run(grid, *algorithm, packets));
    double hops = 0;
    for (const Packet& packet : packets) hops += grid.distance(packet.source, packet.destination);
    EXPECT_EQ(demand->hops, hops);
    EXPECT_EQ(demand->load[demand->busiest()], demand->most());
  }
}

TEST(LinkDemand, OfAPlanIsWhatCrossesTheLinks) {
  const Grid grid = Grid::mesh({6, 6});
  const auto packets = permutation_packets(random_permutation(grid.nodes(), 5), 1);
  const auto algorithm = named_algorithm("multistage", grid, {}, &packets);
  EXPECT_EQ(demand_of_plan(network_of(grid).graph, *algorithm->plan(), packets).load,
            loads_of_run(grid, *algorithm, packets));
}

TEST(LinkDemand, UniformIsTheMeanOfAllPairs) {
  for (const Grid& grid : {Grid::mesh({4, 3}), Grid::torus({4, 5})}) {
    const auto algorithm = named_algorithm("greedy", grid);
    std::vector<Flow> flows;
    for (NodeId from = 0; from < grid.nodes(); ++from)
      for (NodeId to = 0; to < grid.nodes(); ++to) flows.push_back({from, to, 0.5 / grid.nodes()});
    const auto expected = demand_of(network_of(grid).graph, *algorithm, flows);
    const auto demand = uniform_demand(network_of(grid).graph, *algorithm, 0.5);
    ASSERT_TRUE(demand);
    for (std::size_t link = 0; link < demand->load.size(); ++link)
      EXPECT_NEAR(demand->load[link], expected->load[link], 1e-12);
    EXPECT_NEAR(demand->hops, expected->hops, 1e-9);
  }
}

// A mesh of n columns under uniform traffic: n/4 of a node's rate crosses each link of the middle.
TEST(LinkDemand, UniformOnASquareMesh) {
  const Grid grid = Grid::mesh({8, 8});
  EXPECT_NEAR(uniform_demand(network_of(grid).graph, *named_algorithm("greedy", grid), 0.3)->most(), 0.3 * 8 / 4,
              1e-12);
}

// Half a ring has the same length in both directions. All in + direction: an 8 x 8 torus is full at 0.8; half of
// them: at 1.
TEST(LinkDemand, UniformOnATorusByTies) {
  const Grid grid = Grid::torus({8, 8});
  for (const char* algorithm : {"greedy", "vc-wormhole"}) {
    const auto most = [&](const char* tie_break) {
      std::map<std::string, KeyValue> keys = {{"ties", std::string(tie_break)}};
      if (algorithm == std::string("vc-wormhole")) keys["channels"] = std::int64_t{2};
      const auto demand = uniform_demand(network_of(grid).graph, *named_algorithm(algorithm, grid, keys), 1);
      return demand ? demand->most() : 0;
    };
    EXPECT_NEAR(most("positive"), 1 / 0.8, 1e-12);
    EXPECT_NEAR(most("balanced"), 1, 1e-12);
    EXPECT_EQ(most("random"), 0);  // not known
  }
}

TEST(LinkDemand, WithoutAFixedFunctionThereIsNone) {
  const Grid grid = Grid::mesh({3, 3});
  const auto packets = permutation_packets(random_permutation(grid.nodes(), 5), 1);
  const auto planned = named_algorithm("multistage", grid, {}, &packets);
  EXPECT_FALSE(demand_of(network_of(grid).graph, *planned, flows_of(packets)));
  EXPECT_FALSE(uniform_demand(network_of(grid).graph, *planned, 0.1));
  EXPECT_FALSE(channel_dependencies(network_of(grid).graph, *planned));
}

/// The edge relation of the graph, directly from its definition: some packet crosses `a` and then requests `b`.
bool follows(const Grid& grid, const Algorithm& algorithm, Channel a, Channel b) {
  const NodeId between = grid.neighbour(a.node, a.port);
  if (between != b.node) return false;
  for (NodeId destination = 0; destination < grid.nodes(); ++destination)
    if (destination != a.node && destination != between && routed_port(algorithm, a.node, destination) == a.port &&
        routed_port(algorithm, between, destination) == b.port)
      return true;
  return false;
}

TEST(ChannelDependencies, DimensionOrderOnMeshesIsAcyclic) {
  for (const Grid& grid : {Grid::mesh({4, 4}), Grid::mesh({3, 4, 2}), Grid::mesh({7})}) {
    const auto found = channel_dependencies(network_of(grid).graph, *named_algorithm("probe-hold", grid));
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->acyclic());
    EXPECT_EQ(found->components, 0);
    EXPECT_EQ(found->channels, grid.links());
    std::int64_t dependencies = 0;
    for (NodeId node = 0; node < grid.nodes(); ++node)
      for (Port in = 0; in < grid.ports(); ++in)
        for (Port out = 0; out < grid.ports(); ++out)
          if (grid.neighbour(node, in) != no_node && grid.neighbour(grid.neighbour(node, in), out) != no_node &&
              follows(grid, *named_algorithm("probe-hold", grid), {node, in}, {grid.neighbour(node, in), out}))
            ++dependencies;
    EXPECT_EQ(found->dependencies, dependencies);
  }
}

// On a torus of side 4 the distance 2 goes in + direction, so that only those rings are closed; from 5 on both are.
// Up to side 3 no packet crosses two links of a ring.
TEST(ChannelDependencies, RingsOfATorus) {
  const auto on_ring = [](std::int64_t side) {
    const Grid ring = Grid::torus({side});
    return *channel_dependencies(
        network_of(ring).graph,
        *named_algorithm("vc-wormhole", ring, {{"function", std::string("dimension-order-plain")}}));
  };
  EXPECT_TRUE(on_ring(2).acyclic());
  EXPECT_TRUE(on_ring(3).acyclic());
  EXPECT_EQ(on_ring(4).components, 1);
  EXPECT_EQ(on_ring(4).on_cycles, 4);
  EXPECT_EQ(on_ring(5).components, 2);
  EXPECT_EQ(on_ring(5).on_cycles, 10);
  EXPECT_EQ(on_ring(5).cycle.size(), 5u);
}

TEST(ChannelDependencies, TiesKeepTheClassesOfATorus) {
  for (const std::int64_t side : {2, 4, 5, 6})
    for (const char* tie_break : {"balanced", "random"})
      for (const char* function : {"dimension-order", "yx"}) {
        const Grid grid = Grid::torus({side, 4});
        const auto found =
            channel_dependencies(network_of(grid).graph, *named_algorithm("vc-wormhole", grid,
                                                                          {{"channels", std::int64_t{2}},
                                                                           {"function", std::string(function)},
                                                                           {"ties", std::string(tie_break)}}));
        ASSERT_TRUE(found);
        EXPECT_TRUE(found->acyclic()) << side << " " << tie_break << " " << function;
        EXPECT_EQ(found->longest, grid.diameter());
      }
}

TEST(ChannelDependencies, TheCircleIsOne) {
  for (const Grid& grid : {Grid::torus({5, 4}), Grid::torus({3, 6, 2})}) {
    const auto algorithm = named_algorithm("vc-wormhole", grid, {{"function", std::string("dimension-order-plain")}});
    const auto found = channel_dependencies(network_of(grid).graph, *algorithm);
    ASSERT_TRUE(found);
    ASSERT_FALSE(found->acyclic());
    const auto& cycle = found->cycle;
    std::set<std::pair<NodeId, Port>> different;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      EXPECT_TRUE(follows(grid, *algorithm, cycle[i], cycle[(i + 1) % cycle.size()]));
      different.emplace(cycle[i].node, cycle[i].port);
    }
    EXPECT_EQ(different.size(), cycle.size());
  }
}

// Turns in every direction close circles on a mesh, too: some packets go row first, the others column first.
TEST(ChannelDependencies, BothOrdersOnAMeshMayDeadlock) {
  class BothOrders final : public Algorithm {
   public:
    explicit BothOrders(const Grid& grid) : Algorithm(Declaration{}), grid_(grid) {}
    std::unique_ptr<ControllerArray> make_controllers() const override { return nullptr; }
    Port next_port(NodeId at, const Flit& head) const override {
      const std::int32_t down = grid_.offset(at, head.destination, 0), right = grid_.offset(at, head.destination, 1);
      const int axis = right == 0 || (down != 0 && head.destination % 2 == 0) ? 0 : 1;
      const std::int32_t offset = axis == 0 ? down : right;
      return offset == 0 ? no_port : grid_.port_along(axis, offset);
    }

   private:
    const Grid& grid_;
  };
  const Grid grid = Grid::mesh({3, 3});
  const auto found = channel_dependencies(network_of(grid).graph, BothOrders(grid));
  ASSERT_TRUE(found);
  ASSERT_FALSE(found->acyclic());
  EXPECT_GE(found->cycle.size(), 4u);
}

TEST(RunEstimate, GrowsWithModulesAndHops) {
  const Grid small = Grid::mesh({8, 8}), large = Grid::mesh({64, 64});
  const Declaration declaration = named_algorithm("greedy", small)->declaration();
  EXPECT_LT(estimated_seconds(network_of(small).graph, declaration, {}),
            estimated_seconds(network_of(large).graph, declaration, {}));
  EXPECT_LT(estimated_seconds(network_of(small).graph, declaration, {}),
            estimated_seconds(network_of(small).graph, declaration, {1e6, 0}));
  EXPECT_LT(estimated_seconds(network_of(small).graph, declaration, {1e6, 0}),
            estimated_seconds(network_of(small).graph, declaration, {1e6, 1e6}));
}

}  // namespace
}  // namespace starloom::links
