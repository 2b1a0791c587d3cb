// SPDX-License-Identifier: Apache-2.0
// Families of networks compared with the plainest alternative: grids with their arithmetic, the others with their
// definitions and a separate search.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <vector>

#include <starloom/support/error.hpp>
#include <starloom/topology/butterfly.hpp>
#include <starloom/topology/concentrated_mesh.hpp>
#include <starloom/topology/dragonfly.hpp>
#include <starloom/topology/express_mesh.hpp>
#include <starloom/topology/fat_tree.hpp>
#include <starloom/topology/flattened_butterfly.hpp>
#include <starloom/topology/folded_clos.hpp>
#include <starloom/topology/grid/grid.hpp>
#include <starloom/topology/grid/grid_graph.hpp>
#include <starloom/topology/hypercube.hpp>
#include <starloom/topology/ring.hpp>

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

/// The properties of every network of a family: inverse ends, masks, sizes, distinct names and positions.
/// \param two_way in-port q faces the same neighbour as out-port q.
void expect_consistent(const NetworkGraph& graph, const NetworkSize& size, const std::string& what,
                       bool two_way = true) {
  EXPECT_EQ(static_cast<double>(graph.nodes()), size.nodes) << what;
  EXPECT_EQ(static_cast<double>(graph.links()), size.links) << what;
  std::set<std::string> names;
  std::set<std::pair<double, double>> positions;
  std::int64_t links = 0;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    EXPECT_TRUE(names.insert(graph.node_name(node)).second) << what << " " << graph.node_name(node);
    EXPECT_TRUE(positions.emplace(graph.position(node).x, graph.position(node).y).second) << what << " node " << node;
    for (Port port = 0; port < graph.ports(); ++port) {
      const LinkEnd far = graph.far_end(node, port), near = graph.near_end(node, port);
      ASSERT_EQ(far.connected(), graph.out_ports(node).has(port)) << what;
      ASSERT_EQ(near.connected(), graph.in_ports(node).has(port)) << what;
      if (near.connected()) {
        ASSERT_EQ(graph.far_end(near.node, near.port), (LinkEnd{node, port})) << what;
      }
      if (!far.connected()) continue;
      ++links;
      ASSERT_EQ(graph.near_end(far.node, far.port), (LinkEnd{node, port})) << what;
      ASSERT_EQ(graph.interval(node, port), 1);
      EXPECT_TRUE(names.insert(graph.link_name(node, port)).second) << what << " " << graph.link_name(node, port);
      // The link of the in-port of the same number comes from where this one leads to.
      if (two_way) {
        ASSERT_EQ(near.node, far.node) << what << " node " << node << " port " << port;
      }
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

/// Nodes of networks that are drawn do not touch.
void expect_room_on_paper(const NetworkGraph& graph, const std::string& what) {
  constexpr double least = 0.6;  // cells
  for (NodeId a = 0; a < graph.nodes(); ++a)
    for (NodeId b = 0; b < a; ++b)
      ASSERT_GT(std::hypot(graph.position(a).x - graph.position(b).x, graph.position(a).y - graph.position(b).y), least)
          << what << " nodes " << b << " and " << a;
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
    for (const Grid& grid : {Grid::mesh(shape), Grid::torus(shape)}) {
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
  const NetworkGraph mesh = make_grid_graph(Grid::mesh({3, 5}));
  EXPECT_EQ(mesh.position(7).x, 2);
  EXPECT_EQ(mesh.position(7).y, 1);
  // Planes of 3 x 2 nodes side by side, a cell apart, then one below the other.
  const NetworkGraph torus = make_grid_graph(Grid::torus({3, 2, 4, 2}));
  const NodeId node = 2 + 3 * 1 + 6 * 3 + 24 * 1;
  EXPECT_EQ(torus.position(node).x, 2 + 3 * 4);
  EXPECT_EQ(torus.position(node).y, 1 + 1 * 3);
}

TEST(GridGraph, RefusesABadLatencyAndAGridThatIsTooLarge) {
  EXPECT_EQ(refusal([] {
              make_grid_graph(Grid::mesh({2, 2}), 0);
            }),
            "the link from out-port 1 (east) of node 0 (node_r00_c00) has a latency of 0 steps; the minimum is 1");
  EXPECT_EQ(refusal([] {
              make_grid_graph(Grid::torus({1 << 15, 1 << 15}));
            }),
            "a network has at most 2^31 - 1 ports, but 1073741824 nodes of 4 ports have more; choose fewer nodes, or "
            "fewer ports per node");
  EXPECT_EQ(grid_graph_size(Grid::torus({1 << 15, 1 << 15})).links, 4.0 * (1 << 30));
}

// -- Express meshes --

TEST(ExpressMesh, KeepsItsLaws) {
  for (std::int64_t rows = 1; rows <= 7; ++rows)
    for (std::int64_t columns = 1; columns <= 9; ++columns)
      for (std::int64_t skip = 2; skip < std::max(rows, columns); ++skip) {
        const std::string what =
            std::to_string(rows) + " x " + std::to_string(columns) + ", skip " + std::to_string(skip);
        const ExpressMesh express(rows, columns, skip);
        const NetworkGraph graph = make_express_mesh(express, 2);
        expect_consistent(graph, express_mesh_size(rows, columns, skip), what);
        EXPECT_EQ(express.size().links, static_cast<double>(graph.links()));
        expect_distances_of_a_search(graph, what);
        ASSERT_EQ(graph.ports(), 8);
        EXPECT_EQ(graph.greatest_latency(), 2);
        // Every pair at a distance of 1 or `skip` in a row or column is joined, in both directions, and no other.
        const Grid& mesh = express.mesh();
        for (NodeId from = 0; from < graph.nodes(); ++from)
          for (Port port = 0; port < 8; ++port) {
            const std::int32_t step = port < 4 ? 1 : express.skip();
            const std::int32_t row = mesh.coordinate(from, 0) + (port % 4 == 0 ? -step : port % 4 == 2 ? step : 0);
            const std::int32_t column = mesh.coordinate(from, 1) + (port % 4 == 3 ? -step : port % 4 == 1 ? step : 0);
            const bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
            const LinkEnd far = graph.far_end(from, port);
            ASSERT_EQ(far.connected(), inside) << what;
            if (!inside) continue;
            ASSERT_EQ(far.node, row * columns + column) << what;
            ASSERT_EQ(far.port, port < 4 ? (port + 2) % 4 : 4 + (port + 2) % 4) << what;
            ASSERT_EQ(ExpressMesh::reverse(port), far.port);
          }
        graph.verify();
      }
}

TEST(ExpressMesh, HasTheNamesOfTheMeshAndItsArrangement) {
  const NetworkGraph graph = make_express_mesh(ExpressMesh(4, 12, 4));
  EXPECT_EQ(graph.node_name(43), "node_r03_c07");
  EXPECT_EQ(graph.link_name(43, 1), "link_r03_c07_east");
  EXPECT_EQ(graph.link_name(43, 5), "link_r03_c07_express_east");
  EXPECT_EQ(graph.in_port_name(43, 4), "express_north");
  EXPECT_EQ(graph.out_port_name(43, ExpressMesh::express(3)), "express_west");
  EXPECT_EQ(graph.position(43).x, 7);
  EXPECT_EQ(graph.position(43).y, 3);
  EXPECT_EQ(graph.latency(43, 5), 1);
  ASSERT_TRUE(graph.arrangement());
  EXPECT_EQ(graph.arrangement()->shape(), (std::vector<std::int64_t>{4, 12}));
  EXPECT_EQ(graph.arrangement()->kind(), GridKind::mesh);
  // Three express links and one back, not two and three on.
  EXPECT_EQ(graph.distance(0, 11), 4);
}

TEST(ExpressMesh, RefusesWhatGivesNoExpressLink) {
  const auto refused = [](std::int64_t rows, std::int64_t columns, std::int64_t skip) {
    return refusal([&] { ExpressMesh(rows, columns, skip); });
  };
  EXPECT_EQ(refused(4, 8, 1), "a skip of 1 gives no express link in a mesh [4, 8]; skip can be 2 to 7");
  EXPECT_EQ(refused(4, 8, -3), "a skip of -3 gives no express link in a mesh [4, 8]; skip can be 2 to 7");
  EXPECT_EQ(refused(4, 8, 8), "a skip of 8 gives no express link in a mesh [4, 8]; skip can be 2 to 7");
  EXPECT_EQ(refused(4, 8, std::int64_t{1} << 40),
            "a skip of 1099511627776 gives no express link in a mesh [4, 8]; skip can be 2 to 7");
  EXPECT_EQ(refused(4, 8, 7), "");
  EXPECT_EQ(refused(2, 2, 2), "an express mesh needs a side of at least 3 nodes for a skip of 2; [2, 2] has none");
  EXPECT_EQ(refused(0, 5, 2), "an express mesh has sides of at least 1, not [0, 5]");
  EXPECT_EQ(refused(1 << 14, 1 << 14, 2), "an express mesh has fewer than 2^28 nodes, not [16384, 16384]");
  EXPECT_EQ(refused(1 << 14, (1 << 14) - 1, 2), "");
  EXPECT_EQ(refused(std::int64_t{1} << 62, std::int64_t{1} << 62, 2),
            "an express mesh has fewer than 2^28 nodes, not [4611686018427387904, 4611686018427387904]");
  EXPECT_EQ(express_mesh_size(std::int64_t{1} << 40, std::int64_t{1} << 40, 2).nodes, 0x1p80);
}

// -- Fat trees --

std::vector<FatTree> small_trees() {
  std::vector<FatTree> trees;
  for (const auto& [arity, levels] : std::vector<std::pair<int, int>>{{2, 1},
                                                                      {2, 2},
                                                                      {2, 3},
                                                                      {2, 4},
                                                                      {2, 5},
                                                                      {3, 1},
                                                                      {3, 2},
                                                                      {3, 3},
                                                                      {4, 1},
                                                                      {4, 2},
                                                                      {4, 3},
                                                                      {5, 2},
                                                                      {12, 1},
                                                                      {12, 2},
                                                                      {16, 1},
                                                                      {16, 2}})
    trees.emplace_back(arity, levels);
  return trees;
}

std::string name_of(const FatTree& tree) {
  return "arity " + std::to_string(tree.arity()) + ", levels " + std::to_string(tree.levels());
}

TEST(FatTree, KeepsItsLaws) {
  for (const FatTree& tree : small_trees()) {
    const std::string what = name_of(tree);
    const NetworkGraph graph = make_fat_tree(tree, 4);
    expect_consistent(graph, fat_tree_size(tree.arity(), tree.levels()), what);
    EXPECT_EQ(tree.size().nodes, static_cast<double>(tree.nodes()));
    EXPECT_EQ(graph.nodes(), tree.nodes());
    EXPECT_EQ(graph.processors(), tree.processors());
    EXPECT_EQ(graph.ports(), tree.levels() == 1 ? tree.arity() : 2 * tree.arity());
    EXPECT_EQ(graph.greatest_latency(), 4);
    EXPECT_FALSE(graph.arrangement());
    expect_distances_of_a_search(graph, what);
    graph.verify();
  }
}

TEST(FatTree, LinksDifferInOneDigit) {
  for (const FatTree& tree : small_trees()) {
    const NetworkGraph graph = make_fat_tree(tree);
    const int k = tree.arity();
    // Digits by repeated division, the lowest first.
    const auto digits = [&](NodeId number) {
      std::vector<int> all;
      for (int position = 0; position < tree.levels(); ++position, number /= k) all.push_back(number % k);
      return all;
    };
    for (NodeId p = 0; p < tree.processors(); ++p)
      ASSERT_EQ(graph.far_end(p, 0), (LinkEnd{tree.switch_at(0, p / k), p % k}));
    for (int level = 0; level < tree.levels(); ++level)
      for (NodeId w = 0; w < tree.switches_per_level(); ++w) {
        const NodeId node = tree.switch_at(level, w);
        ASSERT_EQ(tree.level(node), level);
        ASSERT_EQ(tree.number(node), w);
        for (Port up = 0; up < k; ++up) {
          if (level == tree.levels() - 1) {
            ASSERT_EQ(graph.out_ports(node).size_below(k), graph.out_ports(node).size());
            continue;
          }
          const LinkEnd far = graph.far_end(node, k + up);
          ASSERT_EQ(k + up, tree.up_port(up));
          ASSERT_EQ(tree.level(far.node), level + 1);
          std::vector<int> expected = digits(w);
          ASSERT_EQ(far.port, expected[static_cast<std::size_t>(level)]) << name_of(tree);
          expected[static_cast<std::size_t>(level)] = up;
          ASSERT_EQ(digits(tree.number(far.node)), expected) << name_of(tree);
        }
      }
  }
}

TEST(FatTree, KnowsWhatIsBelowASwitch) {
  for (const FatTree& tree : small_trees()) {
    const NetworkGraph graph = make_fat_tree(tree);
    for (NodeId node = tree.processors(); node < tree.nodes(); ++node) {
      // Down links alone: the processors below, and the port that leads to each.
      std::vector<Port> leads(static_cast<std::size_t>(tree.processors()), no_port);
      for (Port first = 0; first < tree.arity(); ++first) {
        std::vector<NodeId> below = {graph.far_end(node, first).node};
        while (!below.empty()) {
          const NodeId at = below.back();
          below.pop_back();
          if (tree.level(at) < 0) {
            ASSERT_EQ(leads[static_cast<std::size_t>(at)], no_port) << "two ways down";
            leads[static_cast<std::size_t>(at)] = first;
          } else {
            for (Port port = 0; port < tree.arity(); ++port) below.push_back(graph.far_end(at, port).node);
          }
        }
      }
      for (NodeId p = 0; p < tree.processors(); ++p) {
        const Port lead = leads[static_cast<std::size_t>(p)];
        ASSERT_EQ(tree.above(node, p), lead != no_port) << name_of(tree);
        if (lead != no_port) {
          ASSERT_EQ(tree.down_port(node, p), lead) << name_of(tree);
        }
      }
    }
  }
}

TEST(FatTree, DistanceIsTwiceTheHeightOfTheNearestAncestor) {
  const FatTree tree(4, 3);
  EXPECT_EQ(tree.distance(5, 5), 0);
  EXPECT_EQ(tree.distance(4, 7), 2);
  EXPECT_EQ(tree.distance(4, 8), 4);
  EXPECT_EQ(tree.distance(4, 16), 6);
  EXPECT_EQ(tree.diameter(), 6);
  EXPECT_EQ(tree.distance(tree.switch_at(0, 0), tree.switch_at(2, 0)), 2);
  EXPECT_EQ(tree.distance(tree.switch_at(2, 0), tree.switch_at(2, 1)), 4);
}

TEST(FatTree, NamesSayWhereThingsAre) {
  const NetworkGraph graph = make_fat_tree(FatTree(2, 3));
  EXPECT_EQ(graph.node_name(5), "proc_p05");
  EXPECT_EQ(graph.node_name(8 + 4 + 3), "switch_l1_03");
  EXPECT_EQ(graph.link_name(5, 0), "link_proc_p05_up");
  EXPECT_EQ(graph.link_name(8 + 4 + 3, 0), "link_switch_l1_03_down0");
  EXPECT_EQ(graph.link_name(8 + 4 + 3, 3), "link_switch_l1_03_up1");
  EXPECT_EQ(graph.in_port_name(8 + 4 + 3, 2), "up0");
  // Names sort: the width is that of the largest.
  const NetworkGraph wide = make_fat_tree(FatTree(12, 2));
  EXPECT_EQ(wide.node_name(7), "proc_p007");
  EXPECT_EQ(wide.out_port_name(144, 3), "down03");
  EXPECT_EQ(wide.out_port_name(144, 23), "up11");
  EXPECT_EQ(make_fat_tree(FatTree(2, 11)).node_name(2048), "switch_l00_0000");
}

TEST(FatTree, StandsOnItsProcessors) {
  const FatTree tree(2, 3);
  const NetworkGraph graph = make_fat_tree(tree);
  const double bottom = graph.position(0).y;
  for (NodeId p = 0; p < 8; ++p) {
    EXPECT_EQ(graph.position(p).x, p);
    EXPECT_EQ(graph.position(p).y, bottom);
  }
  EXPECT_EQ(graph.position(tree.switch_at(0, 1)).x, 2.5);
  for (int level = 0; level < 2; ++level)
    EXPECT_LT(graph.position(tree.switch_at(level + 1, 0)).y, graph.position(tree.switch_at(level, 0)).y);
  EXPECT_LT(graph.position(tree.switch_at(0, 0)).y, bottom);
  EXPECT_EQ(graph.position(tree.switch_at(2, 0)).y, 0);
}

TEST(FatTree, RefusesWhatIsNoneOrTooLarge) {
  const auto refused = [](std::int64_t arity, std::int64_t levels) { return refusal([&] { FatTree(arity, levels); }); };
  EXPECT_EQ(refused(1, 3),
            "a fat tree has an arity of 2 to 512, not 1: its switches have twice as many ports, and at most 1024");
  EXPECT_EQ(refused(513, 1),
            "a fat tree has an arity of 2 to 512, not 513: its switches have twice as many ports, and at most 1024");
  EXPECT_EQ(refused(4, 0), "a fat tree has at least one level of switches, not 0");
  EXPECT_EQ(refused(4, 14),
            "a fat tree of arity 4 has at most 12 levels, not 14, because it has arity^levels processors");
  EXPECT_EQ(
      refused(16, std::int64_t{1} << 62),
      "a fat tree of arity 16 has at most 6 levels, not 4611686018427387904, because it has arity^levels processors");
  for (std::int64_t arity = 2; arity <= 16; ++arity) {
    std::int64_t levels = 1;
    while (refused(arity, levels + 1).empty()) ++levels;
    const FatTree tree(arity, levels);  // numbers of the largest do not overflow
    EXPECT_EQ(static_cast<double>(tree.nodes()), fat_tree_size(arity, levels).nodes);
    EXPECT_EQ(tree.level(tree.nodes() - 1), levels - 1);
    EXPECT_EQ(tree.distance(0, tree.processors() - 1), 2 * levels);
  }
  EXPECT_EQ(fat_tree_size(2, 64).links, 128 * 0x1p64);
}

// -- Concentrated meshes --

TEST(ConcentratedMesh, KeepsItsLaws) {
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{{1}, {5}, {1, 1}, {2, 3}, {4, 4}, {3, 2, 2}})
    for (const std::int64_t c : {1, 2, 4, 7}) {
      const ConcentratedMesh mesh(shape, c);
      const std::string what = "switches " + std::to_string(mesh.mesh().nodes()) + ", each " + std::to_string(c);
      const NetworkGraph graph = make_concentrated_mesh(mesh, 2);
      expect_consistent(graph, mesh.size(), what);
      EXPECT_EQ(graph.processors(), mesh.processors());
      EXPECT_EQ(graph.ports(), mesh.ports());
      EXPECT_EQ(graph.greatest_latency(), 2);
      expect_distances_of_a_search(graph, what);
      expect_room_on_paper(graph, what);
      graph.verify();
      // The switches are the mesh.
      for (NodeId w = 0; w < mesh.mesh().nodes(); ++w)
        for (Port port = 0; port < mesh.mesh().ports(); ++port) {
          const NodeId next = mesh.mesh().neighbour(w, port);
          ASSERT_EQ(graph.far_end(mesh.switch_at(w), port),
                    next == no_node ? LinkEnd{} : (LinkEnd{mesh.switch_at(next), mesh.mesh().reverse(port)}));
        }
      for (NodeId p = 0; p < graph.processors(); ++p)
        ASSERT_EQ(graph.far_end(p, 0),
                  (LinkEnd{graph.processors() + p / static_cast<NodeId>(c), mesh.terminal_port(p)}));
      // The arrangement sees processors of a switch side by side, and all others as far as their switches.
      ASSERT_TRUE(graph.arrangement());
      const Grid& seen = *graph.arrangement();
      const int axis = seen.route_axes().front();
      for (NodeId p = 0; p < graph.processors(); ++p)
        for (int a = 0; a < seen.dimensions(); ++a)
          ASSERT_EQ(mesh.mesh().coordinate(mesh.number(p), a), seen.coordinate(p, a) / (a == axis ? c : 1)) << what;
    }
}

TEST(ConcentratedMesh, HasTheNamesOfTheMesh) {
  const ConcentratedMesh mesh({4, 8}, 3);
  const NetworkGraph graph = make_concentrated_mesh(mesh);
  EXPECT_EQ(graph.node_name(3 * (8 * 1 + 7) + 2), "proc_r01_c07_p02");
  EXPECT_EQ(graph.node_name(96 + 15), "switch_r01_c07");
  EXPECT_EQ(graph.link_name(96 + 14, 1), "link_switch_r01_c06_east");
  EXPECT_EQ(graph.link_name(96 + 14, 4 + 2), "link_switch_r01_c06_terminal2");
  EXPECT_EQ(graph.link_name(0, 0), "link_proc_r00_c00_p00_switch");
}

TEST(ConcentratedMesh, RefusesWhatIsNoneOrTooLarge) {
  const auto refused = [](const std::vector<std::int64_t>& shape, std::int64_t c) {
    return refusal([&] { ConcentratedMesh(shape, c); });
  };
  EXPECT_EQ(refused({4, 4}, 0),
            "a concentrated mesh of 2 dimensions has 1 to 1020 processors at each switch, not 0: a switch "
            "has at most 1024 ports");
  EXPECT_EQ(refused({4, 4}, 1020), "");
  EXPECT_NE(refused({4, 4}, 1021), "");
  EXPECT_EQ(refused({4, 0}, 4), "a concentrated mesh has sides of at least 1, not 0");
  EXPECT_EQ(refused({}, 4), "a concentrated mesh has 1 to 15 dimensions, not 0");
  EXPECT_EQ(refused({1 << 15, 1 << 15}, 4),
            "a concentrated mesh has at most 2^31 - 1 ports; its switches and processors, with 8 ports each, cannot be "
            "5368709120");
  EXPECT_EQ(concentrated_mesh_size({std::int64_t{1} << 40, std::int64_t{1} << 40}, 1).nodes, 0x1p81);
}

// -- Flattened butterflies --

TEST(FlattenedButterfly, LinksSwitchesThatDifferInOneCoordinate) {
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{{1}, {5}, {1, 1}, {2, 3}, {4, 4}, {3, 1}, {3, 2, 2}})
    for (const std::int64_t c : {1, 3}) {
      const FlattenedButterfly butterfly(shape, c);
      const Grid& mesh = butterfly.mesh();
      const std::string what = "switches " + std::to_string(mesh.nodes()) + ", each " + std::to_string(c);
      const NetworkGraph graph = make_flattened_butterfly(butterfly, 2);
      expect_consistent(graph, butterfly.size(), what);
      EXPECT_EQ(graph.processors(), mesh.nodes() * c);
      EXPECT_EQ(graph.ports(), butterfly.ports());
      EXPECT_EQ(graph.greatest_latency(), 2);
      expect_distances_of_a_search(graph, what);
      expect_room_on_paper(graph, what);
      graph.verify();
      for (NodeId from = 0; from < mesh.nodes(); ++from) {
        // Dimension after dimension, the row first in two of them, and by coordinate in each.
        std::vector<NodeId> expected;
        for (int i = 0; i < mesh.dimensions(); ++i) {
          const int axis = mesh.dimensions() == 2 ? 1 - i : i;
          std::map<std::int32_t, NodeId> others;
          for (NodeId to = 0; to < mesh.nodes(); ++to) {
            bool alone = from != to;  // in differing from `from`
            for (int a = 0; a < mesh.dimensions(); ++a)
              alone = alone && (a == axis || mesh.coordinate(from, a) == mesh.coordinate(to, a));
            if (alone) others[mesh.coordinate(to, axis)] = to;
          }
          for (const auto& [coordinate, to] : others) {
            ASSERT_EQ(butterfly.port_to(from, axis, coordinate), static_cast<Port>(expected.size()));
            expected.push_back(to);
          }
        }
        ASSERT_EQ(static_cast<int>(expected.size()), butterfly.ports_to_switches());
        for (std::size_t port = 0; port < expected.size(); ++port)
          ASSERT_EQ(graph.far_end(butterfly.switch_at(from), static_cast<Port>(port)).node,
                    butterfly.switch_at(expected[port]));
      }
      for (NodeId p = 0; p < graph.processors(); ++p)
        ASSERT_EQ(graph.far_end(p, 0),
                  (LinkEnd{graph.processors() + p / static_cast<NodeId>(c), butterfly.terminal_port(p)}));
    }
}

TEST(FlattenedButterfly, HasTheNamesOfAConcentratedMesh) {
  const NetworkGraph graph = make_flattened_butterfly(FlattenedButterfly({3, 12}, 2));
  EXPECT_EQ(graph.node_name(2 * (12 * 1 + 7) + 1), "proc_r01_c07_p01");
  EXPECT_EQ(graph.node_name(72 + 19), "switch_r01_c07");
  EXPECT_EQ(graph.link_name(72 + 19, 0), "link_switch_r01_c07_row00");
  EXPECT_EQ(graph.link_name(72 + 19, 11 + 1), "link_switch_r01_c07_column1");
  EXPECT_EQ(graph.link_name(72 + 19, 13), "link_switch_r01_c07_terminal0");
  const NetworkGraph cube = make_flattened_butterfly(FlattenedButterfly({2, 2, 3}, 1));
  EXPECT_EQ(cube.link_name(12, 0), "link_switch_a00_00_00_dimension1_0");
  EXPECT_EQ(cube.link_name(12, 3), "link_switch_a00_00_00_dimension3_1");
}

TEST(FlattenedButterfly, RefusesWhatIsNoneOrTooLarge) {
  const auto refused = [](const std::vector<std::int64_t>& shape, std::int64_t c) {
    return refusal([&] { FlattenedButterfly(shape, c); });
  };
  EXPECT_EQ(refused({4, 8}, 0),
            "a flattened butterfly [4, 8] has 1 to 1014 processors at each switch, not 0: a switch has at most "
            "1024 ports");
  EXPECT_EQ(refused({4, 8}, 1014), "");
  EXPECT_NE(refused({4, 8}, 1015), "");
  EXPECT_EQ(refused({513, 513}, 1),
            "a switch of a flattened butterfly [513, 513] would have 1024 ports to other switches, more than 1023");
  EXPECT_EQ(refused({513, 512}, 1), "");
  EXPECT_EQ(refused({4, 0}, 4), "a flattened butterfly has sides of at least 1, not 0");
  EXPECT_EQ(refused({}, 4), "a flattened butterfly has 1 to 15 dimensions, not 0");
  EXPECT_EQ(refused({3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}, 1), "");
  EXPECT_EQ(flattened_butterfly_size({std::int64_t{1} << 40, std::int64_t{1} << 40}, 1).nodes, 0x1p81);
}

// -- Dragonflies --

std::vector<Dragonfly> small_dragonflies() {
  std::vector<Dragonfly> all;
  for (std::int64_t g : {2, 3, 4, 5, 9})
    for (std::int64_t a : {1, 2, 3, 4, 8})
      for (std::int64_t p : {1, 2}) all.emplace_back(g, a, p);
  all.emplace_back(33, 8, 4);
  return all;
}

TEST(Dragonfly, KeepsItsLaws) {
  for (const Dragonfly& fly : small_dragonflies()) {
    const std::string what = "groups " + std::to_string(fly.groups()) + ", routers " +
                             std::to_string(fly.routers_per_group()) + ", terminals " +
                             std::to_string(fly.terminals_per_router());
    const NetworkGraph graph = make_dragonfly(fly, 3);
    expect_consistent(graph, fly.size(), what);
    EXPECT_EQ(graph.processors(), fly.processors());
    EXPECT_EQ(graph.nodes(), fly.nodes());
    EXPECT_EQ(graph.ports(), fly.ports());
    EXPECT_EQ(graph.greatest_latency(), 3);
    if (graph.nodes() < 500) expect_distances_of_a_search(graph, what);
    if (graph.nodes() < 300) expect_room_on_paper(graph, what);
    graph.verify();
  }
}

TEST(Dragonfly, HasOneGlobalLinkForEachPairOfGroupsAndAllLocalOnes) {
  for (const Dragonfly& fly : small_dragonflies()) {
    const NetworkGraph graph = make_dragonfly(fly);
    std::map<std::pair<NodeId, NodeId>, int> local;
    std::map<std::pair<int, int>, int> global;
    for (NodeId router = fly.processors(); router < fly.nodes(); ++router)
      for (const Port port : graph.out_ports(router)) {
        const NodeId other = graph.far_end(router, port).node;
        if (!fly.is_router(other)) {
          ASSERT_EQ(fly.router_of(other), router);
          ASSERT_EQ(other / fly.terminals_per_router(), router - fly.processors());
        } else if (fly.group(other) == fly.group(router)) {
          ++local[{router, other}];
          ASSERT_EQ(fly.local_port(router, other), port);
        } else {
          ++global[{fly.group(router), fly.group(other)}];
          ASSERT_EQ(fly.gateway(fly.group(router), fly.group(other)), router);
          ASSERT_EQ(fly.global_port(fly.group(router), fly.group(other)), port);
          ASSERT_EQ(fly.group_behind(router, port), fly.group(other));
        }
      }
    const auto pairs = [](std::int32_t n) { return static_cast<std::size_t>(n) * static_cast<std::size_t>(n - 1); };
    EXPECT_EQ(global.size(), pairs(fly.groups()));
    for (const auto& [pair, count] : global) ASSERT_EQ(count, 1);
    EXPECT_EQ(local.size(), static_cast<std::size_t>(fly.groups()) * pairs(fly.routers_per_group()));
    for (const auto& [pair, count] : local) ASSERT_EQ(count, 1);
  }
}

TEST(Dragonfly, ArrangesGlobalLinksInTheOrderOfTheGroups) {
  // Nine groups of four routers with two global links each, from the definition of the absolute arrangement.
  const Dragonfly fly(9, 4, 2);
  const NetworkGraph graph = make_dragonfly(fly);
  EXPECT_EQ(fly.globals_per_router(), 2);
  EXPECT_EQ(graph.node_name(fly.gateway(0, 1)), "router_g00_r00");
  EXPECT_EQ(graph.node_name(fly.gateway(0, 8)), "router_g00_r03");
  EXPECT_EQ(graph.node_name(fly.gateway(5, 4)), "router_g05_r02");
  EXPECT_EQ(graph.link_name(fly.gateway(5, 6), fly.global_port(5, 6)), "link_router_g05_r02_global1");
  EXPECT_EQ(graph.node_name(graph.far_end(fly.gateway(5, 6), fly.global_port(5, 6)).node), "router_g06_r02");
  EXPECT_EQ(graph.node_name(17), "proc_g02_r00_p01");
}

TEST(Dragonfly, MinimalWaysHaveOneGlobalLinkAtMost) {
  for (const Dragonfly& fly : small_dragonflies()) {
    const NetworkGraph graph = make_dragonfly(fly);
    if (graph.nodes() > 500) continue;
    for (NodeId from = 0; from < graph.processors(); ++from)
      for (NodeId to = 0; to < graph.processors(); ++to) {
        int links = 0, globals = 0;
        for (NodeId at = from; at != to; ++links) {
          ASSERT_LE(links, 5);
          const NodeId next = graph.far_end(at, fly.minimal_port(at, to)).node;
          if (fly.is_router(at) && fly.is_router(next) && fly.group(at) != fly.group(next)) ++globals;
          at = next;
        }
        ASSERT_EQ(globals, fly.group(from) == fly.group(to) ? 0 : 1);
        ASSERT_EQ(fly.minimal_port(to, to), no_port);
      }
  }
}

TEST(Dragonfly, RefusesWhatIsNoneOrTooLarge) {
  const auto refused = [](std::int64_t g, std::int64_t a, std::int64_t p) {
    return refusal([&] { Dragonfly(g, a, p); });
  };
  EXPECT_EQ(refused(1, 4, 2), "a dragonfly has at least 2 groups, not 1");
  EXPECT_EQ(refused(9, 0, 2), "a group of a dragonfly has at least one router, not 0");
  EXPECT_EQ(refused(9, 4, 0), "a router of a dragonfly has at least one terminal, not 0");
  EXPECT_EQ(refused(4100, 4, 5),
            "a router of this dragonfly would need 1033 ports (terminals 5, local links 3, global links up to 1025), "
            "more than 1024; choose fewer terminals or groups, or more routers per group");
  EXPECT_EQ(refused(97, 4, 5), "");
  EXPECT_NE(refused(std::int64_t{1} << 62, 1 << 20, 1), "");
}

// -- Butterflies --

std::vector<Butterfly> small_butterflies() {
  std::vector<Butterfly> all;
  for (const auto& [arity, stages] : std::vector<std::pair<int, int>>{
           {2, 1}, {2, 2}, {2, 3}, {2, 4}, {2, 5}, {3, 1}, {3, 2}, {3, 3}, {4, 3}, {12, 2}})
    all.emplace_back(arity, stages);
  return all;
}

TEST(Butterfly, KeepsItsLaws) {
  for (const Butterfly& fly : small_butterflies()) {
    const std::string what = "arity " + std::to_string(fly.arity()) + ", stages " + std::to_string(fly.stages());
    const NetworkGraph graph = make_butterfly(fly, 2);
    expect_consistent(graph, fly.size(), what, false);
    EXPECT_EQ(graph.nodes(), fly.nodes());
    EXPECT_EQ(graph.processors(), fly.processors());
    EXPECT_EQ(graph.ports(), fly.arity());
    EXPECT_FALSE(graph.arrangement());
    expect_distances_of_a_search(graph, what);
    graph.verify();
  }
}

TEST(Butterfly, HasOneWayForEachPairNamedByTheDigitsOfTheDestination) {
  for (const Butterfly& fly : small_butterflies()) {
    const NetworkGraph graph = make_butterfly(fly);
    for (NodeId from = 0; from < graph.processors(); ++from)
      for (NodeId to = 0; to < graph.processors(); ++to) {
        NodeId at = graph.far_end(from, 0).node;
        std::vector<int> digits;  // of the destination, the highest first
        for (NodeId rest = to; static_cast<int>(digits.size()) < fly.stages(); rest /= fly.arity())
          digits.insert(digits.begin(), rest % fly.arity());
        for (int stage = 0; stage < fly.stages(); ++stage) {
          ASSERT_EQ(fly.stage(at), stage);
          ASSERT_EQ(fly.port_towards(at, to), digits[static_cast<std::size_t>(stage)]);
          at = graph.far_end(at, digits[static_cast<std::size_t>(stage)]).node;
        }
        ASSERT_EQ(at, to);
      }
  }
}

TEST(Butterfly, NamesSayWhereThingsAre) {
  const NetworkGraph graph = make_butterfly(Butterfly(2, 3));
  EXPECT_EQ(graph.node_name(5), "proc_p05");
  EXPECT_EQ(graph.node_name(8 + 4 + 3), "switch_s1_03");
  EXPECT_EQ(graph.link_name(5, 0), "link_proc_p05_out");
  EXPECT_EQ(graph.link_name(8 + 4 + 3, 1), "link_switch_s1_03_out1");
  EXPECT_EQ(graph.in_port_name(8 + 4 + 3, 1), "in1");
}

TEST(Butterfly, RefusesWhatIsNoneOrTooLarge) {
  const auto refused = [](std::int64_t arity, std::int64_t stages) {
    return refusal([&] { Butterfly(arity, stages); });
  };
  EXPECT_EQ(refused(1, 3), "a butterfly has an arity of 2 to 32, not 1: its switches have as many ports on a side");
  EXPECT_NE(refused(33, 1), "");
  EXPECT_EQ(refused(4, 0), "a butterfly has at least one stage of switches, not 0");
  EXPECT_EQ(refused(4, 20),
            "a butterfly of arity 4 has at most 13 stages, not 20, because it has arity^stages processors");
  EXPECT_EQ(butterfly_size(2, 64).links, 65 * 0x1p64);
}

// -- Hypercubes --

TEST(Hypercube, JoinsNumbersThatDifferInOneBit) {
  for (std::int64_t d = 1; d <= 9; ++d) {
    const Hypercube cube(d);
    const std::string what = std::to_string(d) + " dimensions";
    const NetworkGraph graph = make_hypercube(cube, 2);
    expect_consistent(graph, cube.size(), what);
    EXPECT_EQ(graph.nodes(), 1 << d);
    for (NodeId node = 0; node < graph.nodes(); ++node)
      for (Port port = 0; port < d; ++port) {
        const std::int32_t weight = 1 << port;
        const NodeId other = node / weight % 2 == 0 ? node + weight : node - weight;
        ASSERT_EQ(graph.far_end(node, port), (LinkEnd{other, port}));
      }
    expect_distances_of_a_search(graph, what);
    expect_room_on_paper(graph, what);
    graph.verify();
    ASSERT_TRUE(graph.arrangement());
    // Its coordinates are the bits, the lowest first; a mesh of two dimensions has columns first.
    for (NodeId node = 0; node < graph.nodes(); ++node)
      for (int bit = 0; bit < d; ++bit)
        ASSERT_EQ(graph.arrangement()->coordinate(node, d == 2 ? 1 - bit : bit), node >> bit & 1);
  }
  const NetworkGraph graph = make_hypercube(Hypercube(4));
  EXPECT_EQ(graph.node_name(5), "node_0101");
  EXPECT_EQ(graph.link_name(5, 3), "link_0101_bit3");
}

TEST(Hypercube, RefusesWhatIsNoneOrTooLarge) {
  const auto refused = [](std::int64_t d) { return refusal([&] { Hypercube cube(d); }); };
  EXPECT_EQ(refused(0), "a hypercube has 1 to 26 dimensions, not 0, because it has 2^dimensions nodes");
  EXPECT_EQ(refused(27), "a hypercube has 1 to 26 dimensions, not 27, because it has 2^dimensions nodes");
  EXPECT_EQ(refused(26), "");
  EXPECT_EQ(hypercube_size(64).links, 64 * 0x1p64);
}

// -- Rings --

TEST(Ring, IsATorusOfOneDimensionInACircle) {
  for (std::int64_t n = 2; n <= 40; ++n) {
    const Ring ring(n);
    const std::string what = std::to_string(n) + " nodes";
    const NetworkGraph graph = make_ring(ring, 2), torus = make_grid_graph(Grid::torus({n}));
    expect_consistent(graph, ring.size(), what);
    ASSERT_EQ(graph.nodes(), n);
    for (NodeId node = 0; node < n; ++node)
      for (Port port = 0; port < 2; ++port) ASSERT_EQ(graph.far_end(node, port), torus.far_end(node, port));
    expect_distances_of_a_search(graph, what);
    graph.verify();
    // Neighbours have equal distances on paper.
    const auto apart = [&](NodeId a, NodeId b) {
      return std::hypot(graph.position(a).x - graph.position(b).x, graph.position(a).y - graph.position(b).y);
    };
    for (NodeId node = 0; node < n; ++node)
      EXPECT_NEAR(apart(node, static_cast<NodeId>((node + 1) % n)), apart(0, 1), 0.05) << what;
  }
  const NetworkGraph graph = make_ring(Ring(5));
  EXPECT_EQ(graph.node_name(3), "node_03");
  EXPECT_EQ(graph.link_name(3, 0), "link_03_plus");
  EXPECT_EQ(graph.far_end(4, 0).node, 0);
}

TEST(Ring, RefusesWhatIsNoneOrTooLarge) {
  const auto refused = [](std::int64_t n) { return refusal([&] { Ring ring(n); }); };
  EXPECT_EQ(refused(1), "a ring has at least 2 nodes, not 1");
  EXPECT_EQ(refused(std::int64_t{1} << 30), "a ring has fewer than 2^30 nodes, not 1073741824");
}

// -- Leaf-spine and Clos networks --

std::vector<FoldedClos> small_folded_closes() {
  std::vector<FoldedClos> all;
  for (std::int64_t hosts : {1, 3})
    for (std::int64_t cables : {1, 2})
      for (std::int64_t leaves : {1, 2, 4})
        for (std::int64_t spines : {1, 2, 3}) {
          all.push_back(FoldedClos({1, leaves, spines, 0, hosts, cables}));
          for (std::int64_t pods : {1, 2, 3})
            for (std::int64_t of_spine : {1, 2})
              all.push_back(FoldedClos({pods, leaves, spines, spines * of_spine, hosts, cables}));
        }
  all.push_back(FoldedClos({1, 32, 8, 0, 24, 1}));
  all.push_back(FoldedClos({8, 4, 4, 16, 4, 1}));  // the fat tree of switches with 8 ports
  return all;
}

std::string text_of(const FoldedClos& clos) {
  const FoldedClos::Shape& shape = clos.shape();
  std::string text;
  for (const std::int64_t number : {shape.pods, shape.leaves, shape.spines, shape.cores, shape.hosts, shape.cables})
    text += std::to_string(number) + " ";
  return text;
}

TEST(FoldedClos, KeepsItsLaws) {
  for (const FoldedClos& clos : small_folded_closes()) {
    const std::string what = text_of(clos);
    const NetworkGraph graph = make_folded_clos(clos, 3);
    expect_consistent(graph, clos.size(), what);
    EXPECT_EQ(graph.processors(), clos.hosts()) << what;
    EXPECT_EQ(graph.nodes(), clos.nodes()) << what;
    EXPECT_EQ(graph.ports(), clos.ports()) << what;
    EXPECT_EQ(graph.greatest_latency(), 3);
    if (graph.nodes() < 300) expect_distances_of_a_search(graph, what);
    if (graph.nodes() < 300) expect_room_on_paper(graph, what);
    for (NodeId host = 0; host < clos.hosts(); ++host) ASSERT_TRUE(graph.is_terminal(host)) << what;
    graph.verify();
  }
}

// The definition, link by link: names instead of numbers.
TEST(FoldedClos, LinksLeavesToSpinesAndSpinesToTheirCores) {
  for (const FoldedClos& clos : small_folded_closes()) {
    const FoldedClos::Shape& shape = clos.shape();
    const NetworkGraph graph = make_folded_clos(clos);
    const bool has_cores = shape.cores > 0;
    const auto two = [](std::int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); };
    std::map<std::string, std::vector<std::string>> wanted;  // [node] the others by port
    for (std::int64_t p = 0; p < shape.pods; ++p) {
      const std::string pod = has_cores ? "p" + two(p) + "_" : "";
      const auto leaf_name = [&](std::int64_t l) { return "leaf_" + pod + (has_cores ? "l" : "") + two(l); };
      const auto spine_name = [&](std::int64_t s) { return "spine_" + pod + (has_cores ? "s" : "") + two(s); };
      for (std::int64_t l = 0; l < shape.leaves; ++l) {
        for (std::int64_t h = 0; h < shape.hosts; ++h) {
          const std::string host = "host_" + pod + "l" + two(l) + "_h" + two(h);
          wanted[host].push_back(leaf_name(l));
          wanted[leaf_name(l)].push_back(host);
        }
        for (std::int64_t s = 0; s < shape.spines; ++s)
          for (std::int64_t cable = 0; cable < shape.cables; ++cable) {
            wanted[leaf_name(l)].push_back(spine_name(s));
            wanted[spine_name(s)].push_back(leaf_name(l));
          }
      }
      for (std::int64_t c = 0; c < shape.cores; ++c) {
        wanted[spine_name(c % shape.spines)].push_back("core_" + two(c));
        wanted["core_" + two(c)].push_back(spine_name(c % shape.spines));
      }
    }
    ASSERT_EQ(wanted.size(), graph.nodes());
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      const std::vector<std::string>& ends = wanted[graph.node_name(node)];
      ASSERT_EQ(ends.size(), graph.out_ports(node).size()) << text_of(clos) << graph.node_name(node);
      for (Port port = 0; port < static_cast<Port>(ends.size()); ++port)
        ASSERT_EQ(graph.node_name(graph.far_end(node, port).node), ends[static_cast<std::size_t>(port)])
            << text_of(clos) << graph.node_name(node) << " " << port;
    }
    ASSERT_DOUBLE_EQ(clos.oversubscription() * graph.out_ports(clos.leaf_of(0)).size(),
                     static_cast<double>(shape.hosts) * (clos.oversubscription() + 1));
  }
}

TEST(FoldedClos, PutsTheNodesInTheOrderOfTheTiers) {
  const NetworkGraph pods = make_folded_clos(FoldedClos({2, 2, 2, 4, 2, 1}));
  std::string names;
  for (const NodeId node : {0, 1, 2, 4, 7, 8, 10, 11, 12, 13, 14, 16, 19}) names += pods.node_name(node) + " ";
  EXPECT_EQ(names,
            "host_p00_l00_h00 host_p00_l00_h01 host_p00_l01_h00 host_p01_l00_h00 host_p01_l01_h01 leaf_p00_l00 "
            "leaf_p01_l00 leaf_p01_l01 spine_p00_s00 spine_p00_s01 spine_p01_s00 core_00 core_03 ");
  EXPECT_EQ(pods.nodes(), 20);
  EXPECT_EQ(pods.diameter(), 6);
  const FoldedClos two_tiers({1, 3, 2, 0, 4, 1});
  EXPECT_EQ(two_tiers.oversubscription(), 2);
  EXPECT_EQ(two_tiers.top(), (std::vector<NodeId>{15, 16}));
  EXPECT_EQ(make_folded_clos(two_tiers).diameter(), 4);
}

TEST(FoldedClos, RefusesWhatIsNoneOrTooLarge) {
  const auto refused = [](const FoldedClos::Shape& shape) { return refusal([&] { FoldedClos{shape}; }); };
  EXPECT_EQ(refused({1, 0, 1, 0, 1, 1}), "a folded Clos network has at least 1 of leaves, not 0");
  EXPECT_EQ(refused({2, 2, 2, 0, 2, 1}), "pods need cores above them: a multiple of 2, not 0");
  EXPECT_EQ(
      refused({2, 2, 2, 3, 2, 1}),
      "3 cores are not a multiple of the 2 spines of a pod: core c leads to spine c mod 2 of every pod; choose 4");
  EXPECT_EQ(refused({1, 4, 4, 0, 1017, 2}),
            "a leaf needs 1025 ports (1017 hosts, 4 spines x 2 cables), more than 1024; choose fewer hosts, spines or "
            "cables");
  EXPECT_EQ(refused({4, 512, 2, 4, 4, 2}),
            "a spine needs 1026 ports (512 leaves x 2 cables, 2 cores), more than 1024; choose fewer leaves, cables or "
            "cores");
  EXPECT_EQ(refused({1025, 2, 2, 2, 2, 1}), "a core needs 1025 ports (1025 pods), more than 1024; choose fewer pods");
  EXPECT_EQ(refused({32, 16, 16, 256, 16, 1}), "");
}

}  // namespace
}  // namespace starloom
