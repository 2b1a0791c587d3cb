// Families of networks against the plainest other way to say the same: grids against their arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <set>
#include <string>
#include <vector>

#include <starloom/core/error.hpp>
#include <starloom/topology/grid_graph.hpp>
#include <starloom/topology/topology.hpp>

namespace starloom {
namespace {

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

std::vector<std::int32_t> searched_distances(const NetworkGraph& graph, NodeId from) {
  std::vector<std::int32_t> distance(static_cast<std::size_t>(graph.nodes()), -1);
  std::queue<NodeId> open;
  distance[static_cast<std::size_t>(from)] = 0;
  open.push(from);
  while (!open.empty()) {
    const NodeId node = open.front();
    open.pop();
    for (Port port = 0; port < graph.ports(); ++port) {
      const LinkEnd far = graph.far_end(node, port);
      if (!far.connected() || distance[static_cast<std::size_t>(far.node)] >= 0) continue;
      distance[static_cast<std::size_t>(far.node)] = distance[static_cast<std::size_t>(node)] + 1;
      open.push(far.node);
    }
  }
  return distance;
}

/// What every network of a family keeps: ends that are inverse, masks, sizes, names and places that differ.
void expect_consistent(const NetworkGraph& graph, const NetworkSize& size, const std::string& what) {
  EXPECT_EQ(static_cast<double>(graph.nodes()), size.nodes) << what;
  EXPECT_EQ(static_cast<double>(graph.links()), size.links) << what;
  std::set<std::string> names;
  std::set<std::pair<double, double>> places;
  std::int64_t links = 0;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    EXPECT_TRUE(names.insert(graph.node_name(node)).second) << what << " " << graph.node_name(node);
    EXPECT_TRUE(places.emplace(graph.place(node).x, graph.place(node).y).second) << what << " node " << node;
    for (Port port = 0; port < graph.ports(); ++port) {
      const LinkEnd far = graph.far_end(node, port), near = graph.near_end(node, port);
      ASSERT_EQ(far.connected(), (graph.out_mask(node) >> port & 1) != 0) << what;
      ASSERT_EQ(near.connected(), (graph.in_mask(node) >> port & 1) != 0) << what;
      if (near.connected()) {
        ASSERT_EQ(graph.far_end(near.node, near.port), (LinkEnd{node, port})) << what;
      }
      if (!far.connected()) continue;
      ++links;
      ASSERT_EQ(graph.near_end(far.node, far.port), (LinkEnd{node, port})) << what;
      ASSERT_EQ(graph.interval(node, port), 1);
      EXPECT_TRUE(names.insert(graph.link_name(node, port)).second) << what << " " << graph.link_name(node, port);
      // The link of the in-port of the same number comes from where this one leads to.
      ASSERT_EQ(near.node, far.node) << what << " node " << node << " port " << port;
    }
  }
  EXPECT_EQ(links, graph.links()) << what;
  // Processors come first.
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    ASSERT_EQ(graph.processor_of(node), node < graph.processors() ? node : -1);
    ASSERT_EQ(graph.role(node), node < graph.processors() ? NodeRole::processor : NodeRole::switch_node);
    if (node < graph.processors()) {
      ASSERT_EQ(graph.processor(node), node);
    }
  }
}

void expect_distances_of_a_search(const NetworkGraph& graph, const std::string& what) {
  std::int32_t greatest = 0;
  for (NodeId from = 0; from < graph.nodes(); ++from) {
    const std::vector<std::int32_t> searched = searched_distances(graph, from);
    for (NodeId to = 0; to < graph.nodes(); ++to) {
      ASSERT_EQ(graph.distance(from, to), searched[static_cast<std::size_t>(to)]) << what << " " << from << " " << to;
      if (from < graph.processors() && to < graph.processors())
        greatest = std::max(greatest, searched[static_cast<std::size_t>(to)]);
    }
  }
  EXPECT_EQ(graph.diameter(), greatest) << what;
}

// -- Grids --

TEST(GridGraph, IsTheGridInEveryNeighbourPortNameAndDistance) {
  const std::vector<std::vector<std::int64_t>> shapes = {
      {1},    {2},    {3},    {7},      {1, 1},    {1, 5},    {5, 1},    {2, 2},       {2, 3},      {3, 2},
      {4, 7}, {6, 6}, {1, 2}, {3, 101}, {1, 1, 1}, {2, 3, 4}, {3, 1, 2}, {2, 2, 2, 2}, {3, 2, 1, 4}};
  for (const auto& shape : shapes)
    for (const Topology& grid : {Topology::mesh(shape), Topology::torus(shape)}) {
      std::string what = grid.kind_name();
      for (const std::int64_t side : shape) what += " " + std::to_string(side);
      const NetworkGraph graph = make_grid_graph(grid, 3);
      expect_consistent(graph, grid_graph_size(grid), what);
      ASSERT_EQ(graph.nodes(), grid.nodes()) << what;
      ASSERT_EQ(graph.processors(), grid.nodes()) << what;
      ASSERT_EQ(graph.ports(), grid.ports()) << what;
      ASSERT_EQ(graph.links(), grid.links()) << what;
      expect_distances_of_a_search(graph, what);
      for (NodeId node = 0; node < grid.nodes(); ++node) {
        ASSERT_EQ(graph.node_name(node), grid.node_name(node));
        for (Port port = 0; port < grid.ports(); ++port) {
          const NodeId next = grid.neighbour(node, port);
          ASSERT_EQ(graph.far_end(node, port), next == no_node ? LinkEnd{} : (LinkEnd{next, grid.reverse(port)}));
          ASSERT_EQ(graph.out_port_name(node, port), grid.port_name(port));
          ASSERT_EQ(graph.in_port_name(node, port), grid.port_name(port));
          ASSERT_EQ(graph.link_name(node, port), grid.link_name(node, port));
          ASSERT_EQ(graph.latency(node, port), grid.links() == 0 ? 1 : 3);
        }
        for (NodeId to = 0; to < grid.nodes(); ++to) ASSERT_EQ(graph.distance(node, to), grid.distance(node, to));
      }
      ASSERT_TRUE(graph.arrangement());
      EXPECT_EQ(graph.arrangement()->shape(), grid.shape());
      EXPECT_EQ(graph.arrangement()->kind(), grid.kind());
      graph.verify();
    }
}

TEST(GridGraph, StandsOnPaperAsItsNumbersSay) {
  const NetworkGraph mesh = make_grid_graph(Topology::mesh({3, 5}));
  EXPECT_EQ(mesh.place(7).x, 2);
  EXPECT_EQ(mesh.place(7).y, 1);
  // Planes of 3 x 2 nodes side by side, a cell apart, then one below the other.
  const NetworkGraph torus = make_grid_graph(Topology::torus({3, 2, 4, 2}));
  const NodeId node = 2 + 3 * 1 + 6 * 3 + 24 * 1;
  EXPECT_EQ(torus.place(node).x, 2 + 3 * 4);
  EXPECT_EQ(torus.place(node).y, 1 + 1 * 3);
}

TEST(GridGraph, RefusesABadLatencyAndAGridThatIsTooLarge) {
  EXPECT_EQ(refusal([] {
              make_grid_graph(Topology::mesh({2, 2}), 0);
            }),
            "the link from out-port 1 (east) of node 0 (node_r00_c00) has a latency of 0 steps, which is at least 1");
  EXPECT_EQ(
      refusal([] {
        make_grid_graph(Topology::torus({1 << 15, 1 << 15}));
      }),
      "a network has at most 2^31 - 1 places for links, but 1073741824 nodes of 4 ports have more; take fewer nodes, "
      "or fewer ports a node");
  EXPECT_EQ(grid_graph_size(Topology::torus({1 << 15, 1 << 15})).links, 4.0 * (1 << 30));
}

}  // namespace
}  // namespace starloom
