// SPDX-License-Identifier: Apache-2.0
// The mapping of tasks: the rules of `mapping`, the errors in a list, and the quality of annealing.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include <starloom/core/random.hpp>
#include <starloom/traffic/annealing.hpp>
#include <starloom/traffic/placed_tasks.hpp>
#include <starloom/traffic/placement.hpp>
#include <starloom/traffic/random_patterns.hpp>

#include "support/places.hpp"
#include "unit/traffic_support.hpp"

namespace starloom {
namespace {

using testing::ElementsAre;
using List = std::vector<std::int64_t>;

class Mapping : public testing::Test {
 protected:
  std::vector<NodeId> placed(const KeyValue& mapping, const Grid& grid, std::uint64_t seed = 1) {
    folder_.write("g.yaml",
                  "tasks: [a, b, c]\nedges: [{from: a, to: b, bandwidth: 100}, {from: c, to: a, bandwidth: 0}]\n"
                  "mapping: [4, 2, 0]\n");
    return make_traffic("application", grid,
                        {{"file", std::string("g.yaml")}, {"steps", std::int64_t{10}}, {"mapping", mapping}}, seed,
                        folder_.path())
        ->tasks()
        ->node;
  }
  std::string error(const List& mapping) {
    return input_error([&] { placed(mapping, Grid::mesh({2, 3})); });
  }

  DataFolder folder_;
};

TEST_F(Mapping, OfTheFileUnlessTheKeySaysOtherwise) {
  const Grid grid = Grid::mesh({2, 3});
  EXPECT_THAT(placed({}, grid), ElementsAre(4, 2, 0));
  EXPECT_THAT(placed(List{5, 0, 1}, grid), ElementsAre(5, 0, 1));
  EXPECT_THAT(placed(std::string("row-major"), grid), ElementsAre(0, 1, 2));
  EXPECT_THAT(placed(std::string("spread"), grid), ElementsAre(0, 2, 4));
  EXPECT_THAT(placed(std::string("spread"), Grid::mesh({2, 5})), ElementsAre(0, 3, 6));
  for (const std::uint64_t seed : {1, 2, 9}) {
    const Destinations drawn = patterns::random_permutation(processors_of(network_of(grid)), seed);
    EXPECT_THAT(placed(std::string("random"), grid, seed), ElementsAre(drawn[0], drawn[1], drawn[2]));
  }
}

TEST_F(Mapping, SaysWhatIsWrongWithAList) {
  EXPECT_EQ(error({0, 1}), "it has 2 nodes for 3 tasks");
  EXPECT_EQ(error({0, 6, -1}), "task b: 6 is not a node: nodes are 0 to 5\ntask c: -1 is not a node: nodes are 0 to 5");
  EXPECT_EQ(error({3, 1, 3}), "task c is mapped to node 3, which runs task a already");
}

TEST_F(Mapping, EdgesKnowTheirFlitsAStep) {
  folder_.write("g.yaml", "tasks: 2\nedges: [{from: 1, to: 0, bandwidth: 8000}, {from: 0, to: 1, bandwidth: 0}]\n");
  Units units;
  units.clock_ns = 0.5;
  const auto traffic = make_traffic(
      "application", Grid::mesh({1, 2}),
      {{"file", std::string("g.yaml")}, {"steps", std::int64_t{10}}, {"scale", 3.0}, {"mapping", List{1, 0}}}, 1,
      folder_.path(), units);
  const PlacedTasks& tasks = *traffic->tasks();
  ASSERT_EQ(tasks.edges.size(), 1u);
  EXPECT_EQ(tasks.edges[0].source, 0);
  EXPECT_EQ(tasks.edges[0].destination, 1);
  EXPECT_DOUBLE_EQ(tasks.edges[0].flits, 8000 * 3 * 0.5 * 1e6 / 16e9);
  EXPECT_EQ(make_traffic("transpose", Grid::mesh({2, 2}))->tasks(), nullptr);
}

// ---- Annealing

ApplicationGraph random_graph(std::size_t tasks, std::uint64_t seed) {
  ApplicationGraph graph;
  for (std::size_t task = 0; task < tasks; ++task) graph.tasks.push_back(std::to_string(task));
  RandomStream dice(seed, Purpose::algorithm, 0, 0);
  for (std::size_t from = 0; from < tasks; ++from)
    for (std::size_t to = 0; to < tasks; ++to)
      if (from != to && dice.bounded(3) == 0) graph.edges.push_back({from, to, 1.0 + dice.bounded(100)});
  return graph;
}

/// The least cost of all placements.
double least_cost(const ApplicationGraph& graph, const Processors& processors) {
  std::vector<NodeId> nodes(static_cast<std::size_t>(processors.count));
  std::iota(nodes.begin(), nodes.end(), 0);
  double least = placement_cost(graph, processors, nodes);
  while (std::next_permutation(nodes.begin(), nodes.end()))
    least = std::min(least, placement_cost(graph, processors, nodes));
  return least;
}

TEST(Annealing, FindsTheLeastCostOfSmallGraphs) {
  for (const Grid& grid : {Grid::mesh({2, 4}), Grid::torus({3, 2}), Grid::mesh({7})})
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Processors processors = processors_of(network_of(grid));
      const ApplicationGraph graph = random_graph(5 + seed % 2, seed);
      const std::vector<NodeId> found = anneal_placement(graph, processors, seed);
      EXPECT_EQ(placement_cost(graph, processors, found), least_cost(graph, processors)) << seed;
      EXPECT_EQ(anneal_placement(graph, processors, seed), found);
      std::vector<NodeId> sorted = found;
      std::sort(sorted.begin(), sorted.end());
      EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
      EXPECT_TRUE(sorted.front() >= 0 && sorted.back() < grid.nodes());
    }
}

TEST(Annealing, IsNeverWorseThanWhereItBegins) {
  for (const std::size_t tasks : {1, 2, 40}) {
    const Processors processors = processors_of(network_of(Grid::mesh({7, 6})));
    const ApplicationGraph graph = random_graph(tasks, tasks);
    EXPECT_LE(placement_cost(graph, processors, anneal_placement(graph, processors, 3)),
              placement_cost(graph, processors, place_tasks(graph, processors)));
  }
  const ApplicationGraph silent{{"a", "b"}, {{0, 1, 0.0}}, {}};
  EXPECT_EQ(anneal_placement(silent, processors_of(network_of(Grid::mesh({2, 2}))), 1).size(), 2u);
  EXPECT_THAT(anneal_placement({{"a"}, {}, {}}, processors_of(network_of(Grid::mesh({1, 1}))), 1), ElementsAre(0));
}

// The published applications on a mesh of 4 x 4: from no seed much more than the least that any of them finds.
TEST(Annealing, PublishedApplications) {
  struct Known {
    const char* name;
    double rule, least;
  };
  for (const Known& known : {Known{"vopd", 4199, 4119}, {"mpeg4", 3242, 2456}, {"mwd", 1440, 1184}}) {
    TrafficContext context;
    context.processors = processors_of(network_of(Grid::mesh({4, 4})));
    context.folder = testbenches() / "applications";
    const ApplicationGraph graph = read_application_graph(context, std::string(known.name) + ".yaml");
    EXPECT_EQ(placement_cost(graph, context.processors, place_tasks(graph, context.processors)), known.rule);
    std::vector<double> costs;
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
      costs.push_back(placement_cost(graph, context.processors, anneal_placement(graph, context.processors, seed)));
    EXPECT_EQ(*std::min_element(costs.begin(), costs.end()), known.least);
    EXPECT_LE(*std::max_element(costs.begin(), costs.end()), known.least * 1.02);
  }
}

}  // namespace
}  // namespace starloom
