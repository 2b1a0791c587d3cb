// SPDX-License-Identifier: Apache-2.0
// The laws of grids, on every small shape, compared with the plainest alternative formulation.
#include <starloom/topology/grid/grid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <queue>
#include <stdexcept>

namespace starloom {
namespace {

/// Sides 1 and 2, odd and even, square and not, one to four dimensions.
std::vector<Grid> small_grids() {
  const std::vector<std::vector<std::int64_t>> shapes = {
      {1},    {2},    {3},    {4},    {7},    {1, 1}, {1, 5},    {5, 1},    {2, 2},    {2, 3},       {3, 2},
      {3, 3}, {4, 4}, {5, 4}, {4, 7}, {6, 6}, {1, 2}, {1, 1, 1}, {2, 3, 4}, {3, 1, 2}, {2, 2, 2, 2}, {3, 2, 1, 4}};
  std::vector<Grid> grids;
  for (const auto& shape : shapes) {
    grids.push_back(Grid::mesh(shape));
    grids.push_back(Grid::torus(shape));
  }
  return grids;
}

std::string name_of(const Grid& grid) {
  std::string text = grid.kind_name();
  for (const std::int64_t side : grid.shape()) text += " " + std::to_string(side);
  return text;
}

/// Distances from a node by breadth-first search along links.
std::vector<std::int32_t> searched_distances(const Grid& grid, NodeId from) {
  std::vector<std::int32_t> distance(static_cast<std::size_t>(grid.nodes()), -1);
  std::queue<NodeId> open;
  distance[from] = 0;
  open.push(from);
  while (!open.empty()) {
    const NodeId node = open.front();
    open.pop();
    for (Port port = 0; port < grid.ports(); ++port) {
      const NodeId next = grid.neighbour(node, port);
      if (next == no_node || distance[next] >= 0) continue;
      distance[next] = distance[node] + 1;
      open.push(next);
    }
  }
  return distance;
}

TEST(Grid, NumbersNodesRowByRowOnTheMesh) {
  const Grid grid = Grid::mesh({3, 5});
  EXPECT_EQ(grid.nodes(), 15);
  EXPECT_EQ(grid.ports(), 4);
  EXPECT_EQ(grid.coordinate(7, 0), 1);
  EXPECT_EQ(grid.coordinate(7, 1), 2);
  EXPECT_EQ(grid.node_at({1, 2}), 7);
  // N, E, S, W = 0..3; north is the row above.
  EXPECT_EQ(grid.neighbour(7, 0), 2);
  EXPECT_EQ(grid.neighbour(7, 1), 8);
  EXPECT_EQ(grid.neighbour(7, 2), 12);
  EXPECT_EQ(grid.neighbour(7, 3), 6);
  EXPECT_EQ(grid.neighbour(2, 0), no_node);
  EXPECT_EQ(grid.neighbour(4, 1), no_node);
  EXPECT_EQ(grid.neighbour(12, 2), no_node);
  EXPECT_EQ(grid.neighbour(5, 3), no_node);
  EXPECT_EQ(grid.port_along(0, -1), 0);
  EXPECT_EQ(grid.port_along(1, 1), 1);
  EXPECT_EQ(grid.port_along(0, 1), 2);
  EXPECT_EQ(grid.port_along(1, -1), 3);
}

TEST(Grid, NumbersNodesFirstAxisFirstElsewhere) {
  const Grid torus = Grid::torus({3, 5});
  EXPECT_EQ(torus.coordinate(7, 0), 1);
  EXPECT_EQ(torus.coordinate(7, 1), 2);
  EXPECT_EQ(torus.node_at({1, 2}), 7);
  // +1, -1, +2, -2 = 0..3.
  EXPECT_EQ(torus.neighbour(7, 0), 8);
  EXPECT_EQ(torus.neighbour(7, 1), 6);
  EXPECT_EQ(torus.neighbour(7, 2), 10);
  EXPECT_EQ(torus.neighbour(7, 3), 4);
  EXPECT_EQ(torus.neighbour(8, 0), 6);
  EXPECT_EQ(torus.neighbour(1, 3), 13);

  const Grid mesh = Grid::mesh({3, 5, 2});
  EXPECT_EQ(mesh.ports(), 6);
  EXPECT_EQ(mesh.node_at({2, 1, 1}), 2 + 3 * 1 + 15);
  EXPECT_EQ(mesh.neighbour(20, 0), no_node);
  EXPECT_EQ(mesh.neighbour(20, 1), 19);
  EXPECT_EQ(mesh.neighbour(20, 2), 23);
  EXPECT_EQ(mesh.neighbour(20, 5), 5);
  EXPECT_EQ(Grid::mesh({4}).neighbour(0, 0), 1);
  EXPECT_EQ(Grid::mesh({4}).neighbour(0, 1), no_node);
}

TEST(Grid, SidesOneAndTwoOfATorus) {
  const Grid one = Grid::torus({1, 4});
  for (const Port port : {0, 1}) EXPECT_EQ(one.neighbour(2, port), no_node);
  EXPECT_EQ(one.links(), 8);
  // Two links in each direction.
  const Grid two = Grid::torus({2});
  for (const Port port : {0, 1}) {
    EXPECT_EQ(two.neighbour(0, port), 1);
    EXPECT_EQ(two.neighbour(1, port), 0);
  }
  EXPECT_EQ(two.links(), 4);
  EXPECT_EQ(two.dimension_order_port(0, 1), 0);
  EXPECT_EQ(two.dimension_order_port(1, 0), 0);
}

TEST(Grid, HalfWayRoundATorusIsPlus) {
  const Grid grid = Grid::torus({6});
  EXPECT_EQ(grid.offset(0, 3, 0), 3);
  EXPECT_EQ(grid.offset(5, 2, 0), 3);
  EXPECT_EQ(grid.offset(0, 4, 0), -2);
  EXPECT_EQ(grid.offset(4, 0, 0), 2);
  EXPECT_EQ(Grid::torus({5}).offset(0, 3, 0), -2);
  EXPECT_EQ(Grid::mesh({6}).offset(0, 4, 0), 4);
}

TEST(Grid, NamesSayWhereThingsAre) {
  const Grid mesh = Grid::mesh({4, 12});
  EXPECT_EQ(mesh.node_name(43), "node_r03_c07");
  EXPECT_EQ(mesh.link_name(43, 1), "link_r03_c07_east");
  EXPECT_EQ(mesh.port_name(0), "north");
  EXPECT_EQ(mesh.port_name(2), "south");
  EXPECT_EQ(mesh.port_name(3), "west");
  EXPECT_EQ(mesh.kind_name(), "mesh");
  // The width of an index is that of the largest, at least 2.
  EXPECT_EQ(Grid::mesh({100, 101}).node_name(0), "node_r00_c000");
  const Grid torus = Grid::torus({8, 8});
  EXPECT_EQ(torus.node_name(3 + 8 * 7), "node_a03_07");
  EXPECT_EQ(torus.link_name(3 + 8 * 7, 0), "link_a03_07_plus1");
  EXPECT_EQ(torus.port_name(3), "minus2");
  EXPECT_EQ(torus.kind_name(), "torus");
  EXPECT_EQ(Grid::mesh({5}).node_name(4), "node_a04");
}

TEST(Grid, CoordinatesAndNumbersAreInverse) {
  for (const Grid& grid : small_grids())
    for (NodeId node = 0; node < grid.nodes(); ++node) {
      std::vector<std::int32_t> at;
      for (int axis = 0; axis < grid.dimensions(); ++axis) {
        at.push_back(grid.coordinate(node, axis));
        ASSERT_GE(at.back(), 0);
        ASSERT_LT(at.back(), grid.side(axis)) << name_of(grid);
      }
      ASSERT_EQ(grid.node_at(at), node) << name_of(grid);
    }
}

TEST(Grid, PortsAndNeighboursAreSymmetric) {
  for (const Grid& grid : small_grids()) {
    std::int64_t links = 0;
    for (Port port = 0; port < grid.ports(); ++port) {
      ASSERT_EQ(grid.reverse(grid.reverse(port)), port);
      ASSERT_EQ(grid.axis_of(grid.reverse(port)), grid.axis_of(port));
      ASSERT_EQ(grid.sign_of(grid.reverse(port)), -grid.sign_of(port));
      ASSERT_EQ(grid.port_along(grid.axis_of(port), grid.sign_of(port)), port);
    }
    for (NodeId node = 0; node < grid.nodes(); ++node)
      for (Port port = 0; port < grid.ports(); ++port) {
        const NodeId next = grid.neighbour(node, port);
        if (next == no_node) continue;
        ++links;
        ASSERT_NE(next, node) << name_of(grid);
        ASSERT_EQ(grid.neighbour(next, grid.reverse(port)), node) << name_of(grid);
        for (int axis = 0; axis < grid.dimensions(); ++axis)
          ASSERT_TRUE(axis == grid.axis_of(port) || grid.coordinate(next, axis) == grid.coordinate(node, axis));
      }
    EXPECT_EQ(grid.links(), links) << name_of(grid);
  }
}

TEST(Grid, DegreeIsThatOfInsideAndBorder) {
  for (const Grid& grid : small_grids())
    for (NodeId node = 0; node < grid.nodes(); ++node) {
      int degree = 0, expected = 0;
      for (Port port = 0; port < grid.ports(); ++port) degree += grid.neighbour(node, port) != no_node ? 1 : 0;
      for (int axis = 0; axis < grid.dimensions(); ++axis) {
        const std::int32_t x = grid.coordinate(node, axis), k = grid.side(axis);
        if (grid.kind() == GridKind::torus) expected += k > 1 ? 2 : 0;
        else expected += (x > 0 ? 1 : 0) + (x < k - 1 ? 1 : 0);
      }
      ASSERT_EQ(degree, expected) << name_of(grid) << " node " << node;
    }
}

TEST(Grid, DistanceIsThatOfASearch) {
  for (const Grid& grid : small_grids()) {
    std::int32_t greatest = 0;
    for (NodeId from = 0; from < grid.nodes(); ++from) {
      const std::vector<std::int32_t> searched = searched_distances(grid, from);
      for (NodeId to = 0; to < grid.nodes(); ++to) {
        ASSERT_EQ(grid.distance(from, to), searched[to]) << name_of(grid) << " " << from << " " << to;
        greatest = std::max(greatest, searched[to]);
      }
    }
    EXPECT_EQ(grid.diameter(), greatest) << name_of(grid);
  }
}

TEST(Grid, DimensionOrderArrivesOnAShortestWay) {
  for (const Grid& grid : small_grids())
    for (NodeId from = 0; from < grid.nodes(); ++from)
      for (NodeId to = 0; to < grid.nodes(); ++to) {
        NodeId at = from;
        int last_axis = -1;
        for (std::int32_t hop = 0; hop < grid.distance(from, to); ++hop) {
          const Port port = grid.dimension_order_port(at, to);
          ASSERT_NE(port, no_port);
          // Axes in the order of the route, none visited twice.
          const auto& order = grid.route_axes();
          const int position =
              static_cast<int>(std::find(order.begin(), order.end(), grid.axis_of(port)) - order.begin());
          ASSERT_GE(position, last_axis);
          last_axis = position;
          at = grid.neighbour(at, port);
          ASSERT_NE(at, no_node);
        }
        ASSERT_EQ(at, to) << name_of(grid);
        ASSERT_EQ(grid.dimension_order_port(at, to), no_port);
      }
}

TEST(Grid, DimensionOrderTakesTheRowFirstOnTheMeshAndDimensionOneElsewhere) {
  const Grid mesh = Grid::mesh({3, 3});
  EXPECT_EQ(mesh.route_axes(), (std::vector<int>{1, 0}));
  EXPECT_EQ(mesh.dimension_order_port(0, 8), 1);  // east
  EXPECT_EQ(mesh.dimension_order_port(2, 8), 2);  // south
  const Grid torus = Grid::torus({5, 5});
  EXPECT_EQ(torus.route_axes(), (std::vector<int>{0, 1}));
  EXPECT_EQ(torus.dimension_order_port(0, 7), 0);  // (2, 1)
  EXPECT_EQ(torus.dimension_order_port(2, 7), 2);
  EXPECT_EQ(Grid::mesh({2, 2, 2}).route_axes(), (std::vector<int>{0, 1, 2}));
}

std::string refusal_of_shape(const std::vector<std::int64_t>& shape) {
  try {
    Grid::mesh(shape);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(Grid, RefusesBadShapes) {
  EXPECT_EQ(refusal_of_shape({}), "a grid has 1 to 16 dimensions, not 0");
  EXPECT_EQ(refusal_of_shape(std::vector<std::int64_t>(17, 1)), "a grid has 1 to 16 dimensions, not 17");
  EXPECT_EQ(refusal_of_shape({4, 0}), "a side is at least 1, not 0");
  EXPECT_EQ(refusal_of_shape({-3}), "a side is at least 1, not -3");
  EXPECT_EQ(refusal_of_shape({1 << 20, 1 << 11}), "a grid has at most 2^30 nodes");
  EXPECT_EQ(refusal_of_shape({std::int64_t{1} << 62, std::int64_t{1} << 62}), "a grid has at most 2^30 nodes");
  EXPECT_THROW(Grid::torus({2, 0}), std::invalid_argument);
  EXPECT_EQ(refusal_of_shape(std::vector<std::int64_t>(16, 1)), "");
}

}  // namespace
}  // namespace starloom
