// SPDX-License-Identifier: Apache-2.0
/// \file Routing functions: the rules, one by one, and the paths of all pairs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <vector>

#include <starloom/routing/dimension_order.hpp>
#include <starloom/routing/function_table.hpp>
#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/routing/up_down.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include "support/named_algorithm.hpp"
#include "support/routed_networks.hpp"

namespace starloom::routing {
namespace {

Choice only_choice(const RoutingFunction& function, const Head& head) {
  Choices choices;
  function.route(head, choices);
  EXPECT_EQ(choices.size(), 1u);
  return *choices.begin();
}

/// Follows a packet, in the last channel that it may take, to its destination.
struct Path {
  std::vector<Port> ports;
  std::vector<Choice> choices;
};
Path path_of(const Grid& grid, const RoutingFunction& function, NodeId from, NodeId to) {
  Path path;
  Head head{from, grid.ports(), 0, to};
  for (Choice choice = only_choice(function, head); choice.port != grid.ports(); choice = only_choice(function, head)) {
    path.ports.push_back(choice.port);
    path.choices.push_back(choice);
    if (path.ports.size() > 100) break;
    head = {grid.neighbour(head.node, choice.port), grid.reverse(choice.port), choice.first + choice.count - 1, to};
  }
  EXPECT_EQ(head.node, to);
  return path;
}

TEST(DimensionOrder, TakesShortestWaysOneDimensionAfterTheOther) {
  for (const Grid& grid : {Grid::mesh({4, 3}), Grid::mesh({2, 3, 3}), Grid::torus({5, 4}), Grid::torus({2, 3, 4})})
    for (const bool last_first : {false, true}) {
      DimensionOrderOptions options;
      options.channels = {0, 3};
      options.last_first = last_first;
      const auto function = dimension_order(grid, options);
      for (NodeId from = 0; from < grid.nodes(); ++from)
        for (NodeId to = 0; to < grid.nodes(); ++to) {
          const Path path = path_of(grid, *function, from, to);
          EXPECT_EQ(static_cast<std::int32_t>(path.ports.size()), grid.distance(from, to));
          std::vector<int> axes;
          for (const Port port : path.ports)
            if (axes.empty() || axes.back() != grid.axis_of(port)) axes.push_back(grid.axis_of(port));
          std::vector<int> order = grid.route_axes();
          if (last_first) std::reverse(order.begin(), order.end());
          auto at = order.begin();
          for (const int axis : axes) {
            at = std::find(at, order.end(), axis);
            ASSERT_NE(at, order.end()) << "from " << from << " to " << to;
          }
        }
    }
}

TEST(DimensionOrder, OffersAllChannelsOfAMesh) {
  const Grid mesh = Grid::mesh({3, 3});
  DimensionOrderOptions options;
  options.channels = {2, 4};
  const auto function = dimension_order(mesh, options);
  for (const NodeId to : {0, 4, 8}) {
    const Choice choice = only_choice(*function, {4, mesh.ports(), 0, to});
    EXPECT_EQ(choice.first, 2);
    EXPECT_EQ(choice.count, 4);
  }
}

// Class 1, the channels above, if the coordinate was greater than that of the destination where the packet entered
// the dimension.
TEST(DimensionOrder, KeepsAPacketInItsClass) {
  const Grid torus = Grid::torus({7, 5});
  DimensionOrderOptions options;
  options.channels = {0, 5};
  const auto function = dimension_order(torus, options);
  for (NodeId from = 0; from < torus.nodes(); ++from)
    for (NodeId to = 0; to < torus.nodes(); ++to)
      for (const Choice& choice : path_of(torus, *function, from, to).choices) {
        const int axis = torus.axis_of(choice.port);
        const bool upper = torus.coordinate(from, axis) > torus.coordinate(to, axis);
        EXPECT_EQ(choice.first, upper ? 3 : 0);
        EXPECT_EQ(choice.count, upper ? 2 : 3);
      }
}

// Half a ring: from odd coordinates in - direction, or by the bit that the packet drew for the dimension.
TEST(DimensionOrder, BreaksTiesAsTold) {
  const Grid torus = Grid::torus({6, 2, 5});
  DimensionOrderOptions options;
  options.channels = {0, 2};
  for (const RingTieBreak tie_break : {RingTieBreak::positive, RingTieBreak::balanced, RingTieBreak::random}) {
    options.tie_break = tie_break;
    const auto function = dimension_order(torus, options);
    EXPECT_EQ(function->random_choices(), tie_break == RingTieBreak::random ? 8u : 1u);
    for (NodeId from = 0; from < torus.nodes(); ++from)
      for (NodeId to = 0; to < torus.nodes(); ++to) {
        const Path path = path_of(torus, *function, from, to);
        ASSERT_EQ(static_cast<std::int32_t>(path.ports.size()), torus.distance(from, to));
        for (const Port port : path.ports) {
          const int axis = torus.axis_of(port);
          if (2 * torus.offset(from, to, axis) != torus.side(axis)) continue;
          const bool odd = torus.coordinate(from, axis) % 2 != 0;
          EXPECT_EQ(torus.sign_of(port), tie_break == RingTieBreak::balanced && odd ? -1 : 1);
        }
      }
  }
  const auto random = dimension_order(torus, options);
  const auto first = [&](NodeId from, NodeId to, std::uint32_t random_choice) {
    return only_choice(*random, {from, torus.ports(), 0, to, random_choice}).port;
  };
  EXPECT_EQ(first(0, 3, 0), 0);
  EXPECT_EQ(first(0, 3, 1), 1);
  EXPECT_EQ(first(0, 3, 2), 0);
  EXPECT_EQ(first(0, 6, 1), 2);
  EXPECT_EQ(first(0, 6, 2), 3);
  EXPECT_EQ(first(0, 2, 7), 0);  // the shorter path
  options.tie_break = RingTieBreak::random;
  EXPECT_EQ(dimension_order(Grid::mesh({4, 4}), options)->random_choices(), 1u);
}

TEST(DimensionOrder, WithoutDatelinesATorusOffersAllChannels) {
  const Grid torus = Grid::torus({7, 5});
  DimensionOrderOptions options;
  options.channels = {0, 2};
  options.datelines = Datelines::none;
  const auto function = dimension_order(torus, options);
  for (NodeId to = 1; to < torus.nodes(); ++to)
    for (const Choice& choice : path_of(torus, *function, 0, to).choices) EXPECT_EQ(choice.count, 2);
}

// ---- adaptive functions

std::set<Port> ports_of(const RoutingFunction& function, const Head& head) {
  Choices choices;
  function.route(head, choices);
  std::set<Port> ports;
  for (const Choice& choice : choices) ports.insert(choice.port);
  return ports;
}

enum : Port { N, E, S, W, local };

// On a mesh of 5 x 5, from node 12 in the middle to the corners and along the axes.
TEST(TurnModels, OfferWhatTheirRulesLeave) {
  const LinkNetwork& mesh = network_of(Grid::mesh({5, 5}));
  struct Row {
    NodeId to;
    std::set<Port> west_first, north_last, negative_first;
  };
  for (const Row& row : {Row{0, {W}, {W}, {N, W}}, Row{4, {N, E}, {E}, {N}}, Row{20, {W}, {S, W}, {W}},
                         Row{24, {E, S}, {E, S}, {E, S}}, Row{10, {W}, {W}, {W}}, Row{14, {E}, {E}, {E}},
                         Row{2, {N}, {N}, {N}}, Row{22, {S}, {S}, {S}}, Row{12, {local}, {local}, {local}}}) {
    const Head head{12, local, 0, row.to};
    EXPECT_EQ(ports_of(*made_function("west-first", mesh, 1), head), row.west_first) << row.to;
    EXPECT_EQ(ports_of(*made_function("north-last", mesh, 1), head), row.north_last) << row.to;
    EXPECT_EQ(ports_of(*made_function("negative-first", mesh, 1), head), row.negative_first) << row.to;
  }
}

// Columns 1 and 3 are odd. Node 6 is in column 1, node 7 in column 2, both in row 1.
TEST(OddEven, TurnsByTheParityOfColumns) {
  const LinkNetwork& mesh = network_of(Grid::mesh({5, 5}));
  const auto function = made_function("odd-even", mesh, 1);
  EXPECT_THAT(ports_of(*function, {7, W, 0, 24}), testing::ElementsAre(E)) << "comes from the west to an even column";
  EXPECT_THAT(ports_of(*function, {7, local, 0, 24}), testing::ElementsAre(E, S)) << "starts there";
  EXPECT_THAT(ports_of(*function, {8, W, 0, 24}), testing::ElementsAre(S)) << "could not turn in the last column";
  EXPECT_THAT(ports_of(*function, {6, W, 0, 24}), testing::ElementsAre(E, S));
  EXPECT_THAT(ports_of(*function, {8, E, 0, 20}), testing::ElementsAre(W)) << "could not turn west again";
  EXPECT_THAT(ports_of(*function, {7, E, 0, 20}), testing::ElementsAre(S, W));
}

/// All reachable states of heads stay on shortest paths.
TEST(AdaptiveFunctions, OfferShortestWaysAlone) {
  for (const char* name :
       {"west-first", "north-last", "negative-first", "odd-even", "adaptive", "min-adaptive", "planar-adaptive"}) {
    const LinkNetwork& mesh = network_of(Grid::mesh({5, 6}));
    const auto function = made_function(name, mesh, 3);
    EXPECT_TRUE(function->adaptive());
    const Grid& grid = *mesh.as<Grid>();
    std::size_t several = 0;
    for (NodeId from = 0; from < grid.nodes(); ++from)
      for (NodeId to = 0; to < grid.nodes(); ++to) {
        std::set<std::pair<NodeId, Port>> seen, next = {{from, local}};
        while (!next.empty()) {
          const auto [node, in_port] = *next.begin();
          next.erase(next.begin());
          if (!seen.insert({node, in_port}).second) continue;
          const std::set<Port> ports = ports_of(*function, {node, in_port, 0, to});
          ASSERT_FALSE(ports.empty()) << name << " from " << from << " to " << to;
          several += ports.size() > 1 ? 1 : 0;
          for (const Port port : ports) {
            if (port == local) {
              ASSERT_EQ(node, to);
              continue;
            }
            const NodeId there = grid.neighbour(node, port);
            ASSERT_EQ(grid.distance(there, to) + 1, grid.distance(node, to)) << name;
            next.insert({there, grid.reverse(port)});
          }
        }
      }
    EXPECT_GT(several, 0u);
  }
}

TEST(Adaptive, PrefersAnyShortestWayToItsEscape) {
  const LinkNetwork& torus = network_of(Grid::torus({5, 5}));
  Choices choices;
  made_function("adaptive", torus, 5)->route({0, 4, 0, 6}, choices);
  ASSERT_EQ(choices.size(), 3u);
  const Choice* choice = choices.begin();
  for (const Port port : {0, 2}) {
    EXPECT_EQ(choice->port, port);
    EXPECT_EQ(choice->first, 2);
    EXPECT_EQ(choice->count, 3);
    EXPECT_EQ(choice++->priority, 1);
  }
  EXPECT_EQ(choice->port, 0);
  EXPECT_EQ(choice->first, 0) << "class 0: the coordinate is less than that of the destination";
  EXPECT_EQ(choice->count, 1);
  EXPECT_EQ(choice->priority, 0);
}

// ---- random choices of packets

TEST(O1Turn, TakesTheOrderThatIsDrawn) {
  const LinkNetwork& mesh = network_of(Grid::mesh({4, 4}));
  const auto function = made_function("o1turn", mesh, 5);
  EXPECT_EQ(function->random_choices(), 2u);
  const Choice x = only_choice(*function, {0, local, 0, 15, 0}), y = only_choice(*function, {0, local, 0, 15, 1});
  EXPECT_EQ(x.port, E);
  EXPECT_EQ(x.first, 0);
  EXPECT_EQ(x.count, 3);
  EXPECT_EQ(y.port, S);
  EXPECT_EQ(y.first, 3);
  EXPECT_EQ(y.count, 2);
}

TEST(Valiant, GoesByTheNodeThatIsDrawn) {
  const LinkNetwork& torus = network_of(Grid::torus({5, 3}));
  const Grid& grid = *torus.as<Grid>();
  const auto function = made_function("valiant", torus, 4);
  EXPECT_EQ(function->random_choices(), 15u);
  for (NodeId from = 0; from < 15; ++from)
    for (NodeId to = 0; to < 15; ++to)
      for (NodeId random_choice = 0; random_choice < 15; ++random_choice) {
        Head head{from, grid.ports(), 0, to, static_cast<std::uint32_t>(random_choice)};
        std::int32_t links = 0;
        bool passed = from == random_choice;
        for (Choice choice = only_choice(*function, head); choice.port != grid.ports();
             choice = only_choice(*function, head)) {
          EXPECT_EQ(choice.first / 2, passed ? 1 : 0) << "the channels say the phase";
          head.node = grid.neighbour(head.node, choice.port);
          head.in_port = grid.reverse(choice.port);
          head.in_channel = choice.first;
          passed = passed || head.node == random_choice;
          ASSERT_LE(++links, 8);
        }
        EXPECT_EQ(head.node, to);
        EXPECT_EQ(links, grid.distance(from, random_choice) + grid.distance(random_choice, to));
      }
}

// Ports 0 to 2 lead down, 3 to 5 up. Switch 9 of level 0 is above the processors 27 to 29 of 81.
TEST(NearestAncestor, AscendsByDigitsAtRandomOrAdaptively) {
  const LinkNetwork& tree = fat_tree(3, 4);
  const FatTree& shape = *tree.as<FatTree>();
  const Port local = tree.graph.ports();
  const auto by = [&](const char* ascent) {
    return made_function("nearest-ancestor", tree, 2, {{"nearest-ancestor.ascent", std::string(ascent)}});
  };
  const auto digits = made_function("nearest-ancestor", tree, 2), random = by("random"), adaptive = by("adaptive");
  EXPECT_EQ(random->random_choices(), 27u);
  EXPECT_TRUE(random->in_phases() && adaptive->adaptive());
  for (int level = 0; level < 4; ++level)
    for (NodeId number = 0; number < 27; ++number)
      for (NodeId to = 0; to < 81; ++to) {
        Head head{shape.switch_at(level, number), 0, 0, to, 5};  // 012 of base 3
        const Choice by_digits = only_choice(*digits, head), drawn = only_choice(*random, head);
        const bool goes_down = shape.above(head.node, to);
        EXPECT_EQ(random->on_first_phase(head), !goes_down);
        EXPECT_EQ(by_digits.port, goes_down ? shape.digit(to, level) : 3 + shape.digit(to, level));
        const Port up_drawn[] = {5, 4, 3, no_port};
        EXPECT_EQ(drawn.port, goes_down ? by_digits.port : up_drawn[level]);
        EXPECT_EQ(ports_of(*adaptive, head), goes_down ? std::set<Port>{by_digits.port} : (std::set<Port>{3, 4, 5}));
      }
  for (const auto* function : {&random, &adaptive}) {
    EXPECT_EQ(only_choice(**function, {4, local, 0, 5, 3}).port, 0) << "a processor has one link";
    EXPECT_EQ(only_choice(**function, {4, 0, 0, 4, 3}).port, local);
  }
}

// ---- any network

TEST(Shortest, OfAHypercubeTakesTheLowestBitFirst) {
  const LinkNetwork& cube = hypercube(4);
  const auto function = made_function("shortest", cube, 1);
  EXPECT_EQ(only_choice(*function, {0b0101, 4, 0, 0b1010}).port, 0);
  EXPECT_EQ(only_choice(*function, {0b0100, 4, 0, 0b1000}).port, 2);
  EXPECT_EQ(only_choice(*function, {0b1000, 4, 0, 0b1000}).port, 4);
}

TEST(DimensionOrder, OfAHypercubeTakesTheLowestBitFirst) {
  const LinkNetwork& cube = hypercube(4);
  const auto function = made_function("dimension-order", cube, 3), tables = made_function("shortest", cube, 3);
  for (NodeId at = 0; at < cube.graph.nodes(); ++at)
    for (NodeId to = 0; to < cube.graph.nodes(); ++to) {
      const routing::Choice choice = only_choice(*function, {at, 4, 0, to});
      EXPECT_EQ(choice.port, only_choice(*tables, {at, 4, 0, to}).port) << at << " to " << to;
      EXPECT_EQ(choice.first, 0);
      EXPECT_EQ(choice.count, 3);
    }
}

// Express links are taken while the distance is at least their length: a packet never passes its destination.
TEST(DimensionOrder, OfAnExpressMeshTakesLongLinksThatDoNotPassTheDestination) {
  for (const int skip : {2, 3, 5}) {
    const LinkNetwork& network = express_mesh(4, 7, skip);
    const auto function = made_function("dimension-order", network, 2);
    for (NodeId from = 0; from < network.graph.nodes(); ++from)
      for (NodeId to = 0; to < network.graph.nodes(); ++to) {
        std::vector<NodeId> expected;
        for (int column = from % 7, row = from / 7; column != to % 7 || row != to / 7;) {
          int& moved = column != to % 7 ? column : row;
          const int offset = (column != to % 7 ? to % 7 : to / 7) - moved;
          moved += (offset > 0 ? 1 : -1) * (std::abs(offset) >= skip ? skip : 1);
          expected.push_back(7 * row + column);
        }
        routing::Head head{from, ExpressMesh::ports, 0, to};
        for (const NodeId next : expected) {
          const routing::Choice choice = only_choice(*function, head);
          ASSERT_EQ(choice.first, 0);
          ASSERT_EQ(choice.count, 2);
          const LinkEnd end = network.graph.far_end(head.node, choice.port);
          ASSERT_EQ(end.node, next) << from << " to " << to << ", skip " << skip;
          head.node = end.node;
          head.in_port = end.port;
        }
        ASSERT_EQ(only_choice(*function, head).port, ExpressMesh::ports);
      }
  }
}

// A link for each coordinate that differs, the column first.
TEST(DimensionOrder, OfAFlattenedButterflyTakesALinkForEachDimension) {
  const LinkNetwork& network = flattened_butterfly({3, 4}, 2);
  const auto& butterfly = *network.as<FlattenedButterfly>();
  const auto function = made_function("dimension-order", network, 1);
  const Port local = network.graph.ports();
  for (NodeId from = 0; from < network.graph.processors(); ++from)
    for (NodeId to = 0; to < network.graph.processors(); ++to) {
      std::vector<NodeId> expected;
      if (from != to) {
        const NodeId here = from / 2, there = to / 2, corner = here / 4 * 4 + there % 4;
        expected.push_back(butterfly.switch_at(here));
        if (corner != here) expected.push_back(butterfly.switch_at(corner));
        if (there != corner) expected.push_back(butterfly.switch_at(there));
        expected.push_back(to);
      }
      routing::Head head{from, local, 0, to};
      for (const NodeId next : expected) {
        const LinkEnd end = network.graph.far_end(head.node, only_choice(*function, head).port);
        ASSERT_EQ(end.node, next) << from << " to " << to;
        head.node = end.node;
        head.in_port = end.port;
      }
      ASSERT_EQ(only_choice(*function, head).port, local);
    }
}

// The path to the intermediate switch uses the lower half of the channels, the rest the upper half.
TEST(Valiant, OfAFlattenedButterflyGoesThroughTheSwitchThatWasDrawn) {
  const LinkNetwork& network = flattened_butterfly({3, 3}, 1);
  const auto& butterfly = *network.as<FlattenedButterfly>();
  const auto function = made_function("valiant", network, 5), order = made_function("dimension-order", network, 5);
  ASSERT_EQ(function->random_choices(), 9u);
  const Port local = network.graph.ports();
  for (NodeId from = 0; from < 9; ++from)
    for (NodeId to = 0; to < 9; ++to)
      for (NodeId via = 0; via < 9 && from != to; ++via) {
        routing::Head head{from, local, 0, to, static_cast<std::uint32_t>(via)};
        bool passed = false;
        while (head.node != to) {
          passed = passed || head.node == butterfly.switch_at(via);
          // At its own switch the packet goes to its processor, whatever it has drawn.
          const bool last = head.node == butterfly.switch_at(to);
          const routing::Choice choice = only_choice(*function, head);
          if (butterfly.is_switch(head.node)) {
            const routing::Head as_if{head.node, local, 0, passed || last ? to : via};
            ASSERT_EQ(choice.port, only_choice(*order, as_if).port);
          }
          if (butterfly.is_switch(head.node) && !last) {
            ASSERT_EQ(choice.first, passed ? 3 : 0);
            ASSERT_EQ(choice.count, passed ? 2 : 3);
          }
          const LinkEnd end = network.graph.far_end(head.node, choice.port);
          head = {end.node, end.port, choice.first, to, head.random_choice};
        }
      }
}

// From a to d: a-b-c-d is 1 + 1 + 1 steps, a-d is 4. Ports of a: 0 to b, 1 to d.
TEST(Shortest, CountsLinksOrTheirLatencies) {
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "b", "c", "d"}) builder.add_node(NodeRole::processor, name);
  const auto both = [&](NodeId from, NodeId to, std::int32_t latency) {
    builder.add_link(from, to, {latency});
    builder.add_link(to, from, {latency});
  };
  both(0, 1, 1);
  both(1, 2, 1);
  both(2, 3, 1);
  both(0, 3, 4);
  LinkNetwork network{"a shortcut that is none", builder.build(), {}, "graph"};
  const auto first_port = [&](const std::string& weight) {
    const auto function = made_function("shortest", network, 1, {{"weight", weight}});
    return only_choice(*function, {0, network.graph.ports(), 0, 3}).port;
  };
  EXPECT_EQ(first_port("links"), 1);
  EXPECT_EQ(first_port("latency"), 0);

  for (const char* algorithm : {"vc-wormhole", "greedy"}) {
    const auto port = [&](std::map<std::string, KeyValue> keys) {
      keys["function"] = std::string("shortest");
      Flit head;
      head.destination = 3;
      return links::named_algorithm(algorithm, network, keys)->next_port(0, head);
    };
    for (const PathWeight weight : {PathWeight::links, PathWeight::latency}) {
      network.path_weight = weight;  // holds where no key is given
      EXPECT_EQ(port({}), weight == PathWeight::links ? 1 : 0) << algorithm;
      EXPECT_EQ(port({{"weight", std::string("links")}}), 1) << algorithm;
      EXPECT_EQ(port({{"weight", std::string("latency")}}), 0) << algorithm;
    }
  }
}

std::string refusal(const std::string& name, const LinkNetwork& network, std::map<std::string, KeyValue> keys = {}) {
  try {
    made_function(name, network, 1, std::move(keys));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Two processors at two switches, and processor t between these, through which the packets from a to b have to go
/// unless there is a direct link: `latency` 0 means none.
LinkNetwork with_a_terminal_on_the_path(std::int32_t latency) {
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "t", "b"}) builder.add_node(NodeRole::processor, name);
  for (const char* name : {"x", "y"}) builder.add_node(NodeRole::switch_node, name);
  for (const auto& [from, to] : {std::pair{0, 4}, {4, 0}, {2, 3}, {3, 2}, {4, 1}, {1, 3}, {3, 4}})
    builder.add_link(from, to);
  if (latency > 0) builder.add_link(4, 3, {latency});
  return {"terminal", builder.build(), {}, "graph"};
}

// A terminal has no router with virtual channels; store-and-forward passes on what it has stored.
TEST(Shortest, PassesNoTerminalThatHasNoRouter) {
  const std::map<std::string, KeyValue> keys = {{"function", std::string("shortest")},
                                                {"weight", std::string("latency")}};
  const auto next_from_y = [&](const char* algorithm, const LinkNetwork& network) {
    Flit head;
    head.destination = 2;
    return network.graph.far_end(4, links::named_algorithm(algorithm, network, keys)->next_port(4, head)).node;
  };
  const LinkNetwork beside = with_a_terminal_on_the_path(9), only = with_a_terminal_on_the_path(0);
  EXPECT_EQ(next_from_y("vc-wormhole", beside), 3);
  EXPECT_EQ(next_from_y("greedy", beside), 1);
  EXPECT_EQ(next_from_y("greedy", only), 1);
  const auto function = made_function("shortest", only);
  ASSERT_NE(function->without_path(), nullptr);
  ASSERT_TRUE(function->without_path()->contains(0, 2));
  EXPECT_EQ(function->without_path()->remedy(0, 2),
            "shortest takes none through a terminal (a processor with one link out and one in, which has no router): "
            "give the terminal another link, or make it a switch");
}

// Against Bellman and Ford's relaxation of all links, on graphs of uneven latencies.
TEST(Shortest, IsAsShortAsAnyPathOnAHundredRandomNetworks) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const LinkNetwork network = random_network(seed, 9);
    const NetworkGraph& graph = network.graph;
    const auto function = made_function("shortest", network, 1, {{"weight", std::string("latency")}});
    for (NodeId to = 0; to < graph.nodes(); to += 7) {
      if (graph.processor_of(to) < 0) continue;
      std::vector<std::int64_t> least(static_cast<std::size_t>(graph.nodes()), 1 << 30);
      least[static_cast<std::size_t>(to)] = 0;
      for (NodeId pass = 0; pass < graph.nodes(); ++pass)
        for (NodeId node = 0; node < graph.nodes(); ++node)
          for (const Port port : graph.out_ports(node)) {
            least[static_cast<std::size_t>(node)] =
                std::min(least[static_cast<std::size_t>(node)],
                         graph.latency(node, port) + least[static_cast<std::size_t>(graph.far_end(node, port).node)]);
          }
      for (NodeId from = 0; from < graph.nodes(); ++from) {
        std::int64_t steps = 0;
        for (NodeId at = from; at != to;) {
          const Port port = only_choice(*function, {at, graph.ports(), 0, to}).port;
          steps += graph.latency(at, port);
          at = graph.far_end(at, port).node;
        }
        EXPECT_EQ(steps, least[static_cast<std::size_t>(from)]);
      }
    }
  }
}

// Node 1 of a line of three is the middle: its greatest distance to another node is the least.
TEST(UpDown, ChoosesTheMiddleAsRoot) {
  EXPECT_THAT(chosen_roots(network_of(Grid::mesh({1, 3})).graph), testing::ElementsAre(1));
  EXPECT_THAT(chosen_roots(network_of(Grid::mesh({3, 3})).graph), testing::ElementsAre(4));
}

TEST(UpDown, NeverGoesUpAgain) {
  const LinkNetwork& torus = network_of(Grid::torus({4, 4}));
  const auto function = made_function("up-down", torus, 1, {{"root", std::string("node_a02_01")}});
  const std::vector<std::int32_t> level = torus.graph.distances_from(6);
  const auto rank = [&](NodeId node) { return std::pair(level[static_cast<std::size_t>(node)], node); };
  for (NodeId from = 0; from < 16; ++from)
    for (NodeId to = 0; to < 16; ++to) {
      Head head{from, 4, 0, to};
      bool down = false;
      for (Choice choice = only_choice(*function, head); choice.port != 4; choice = only_choice(*function, head)) {
        const LinkEnd far = torus.graph.far_end(head.node, choice.port);
        const bool up = rank(far.node) < rank(head.node);
        ASSERT_FALSE(up && down);
        down = !up;
        head = {far.node, far.port, 0, to};
      }
      EXPECT_EQ(head.node, to);
    }
}

TEST(UpDown, HasSeveralRoots) {
  const LinkNetwork& leaves = doubled_cables(3);  // hosts 0 .. 5, leaves 6 .. 8, spines 9 and 10
  const auto ports = [&](const KeyValue& root) {
    const auto function = made_function("up-down", leaves, 1, {{"root", root}, {"spread", std::string("adaptive")}});
    Choices choices;
    function->route({6, 0, 0, 4}, choices);
    std::set<NodeId> next;
    for (const Choice& choice : choices) next.insert(leaves.graph.far_end(6, choice.port).node);
    return std::pair(choices.size(), next);
  };
  EXPECT_EQ(ports(std::string("spine1")), std::pair(std::size_t{2}, std::set<NodeId>{10}));
  EXPECT_EQ(ports(std::vector<std::string>{"spine1"}), std::pair(std::size_t{2}, std::set<NodeId>{10}));
  EXPECT_EQ(ports(std::vector<std::string>{"spine1", "9"}), std::pair(std::size_t{4}, std::set<NodeId>{9, 10}));

  // Two stars that are joined at their ends: from one to the other a path must go up again.
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "b", "c", "d"}) builder.add_node(NodeRole::processor, name);
  for (const auto& [from, to] : {std::pair(0, 1), {1, 2}, {2, 3}}) {
    builder.add_link(from, to);
    builder.add_link(to, from);
  }
  const LinkNetwork line{"line", builder.build(), {}, "graph"};
  const auto function = made_function("up-down", line, 1, {{"root", std::vector<std::string>{"a", "d"}}});
  const PairsWithoutPath* const none = function->without_path();
  ASSERT_NE(none, nullptr);
  for (NodeId from = 0; from < 4; ++from)
    for (NodeId to = 0; to < 4; ++to)
      EXPECT_EQ(none->contains(from, to), (from < 2 && to == 3) || (from == 3 && to < 2)) << from << " " << to;
  EXPECT_EQ(none->count(), 4);
  EXPECT_EQ(none->remedy(3, 0),
            "with the roots a and d of up-down, links up from the two meet in no node: choose one root, or roots with "
            "the same neighbours");
  EXPECT_EQ(refusal("up-down", line, {{"root", std::vector<std::string>{"a", "e"}}}),
            "e is not a node; nodes are 0 to 3, or a to d");
}

// A packet of a terminal to itself goes up to its switch and down again, also if the terminal is the root.
TEST(UpDown, MayHaveATerminalAsRoot) {
  const LinkNetwork& leaves = doubled_cables(3);
  const auto function = made_function("up-down", leaves, 1, {{"root", std::string("h0")}});
  EXPECT_EQ(function->without_path(), nullptr);
  EXPECT_EQ(only_choice(*function, {6, 0, 0, 0}).port, 0);
  EXPECT_EQ(only_choice(*function, {6, 0, 0, 4}).port, 2);
}

TEST(UpDown, RefusesRootsAndLinksThatGoOneWay) {
  const LinkNetwork& mesh = network_of(Grid::mesh({2, 2}));
  EXPECT_EQ(
      refusal("up-down", mesh, {{"root", std::string("node_r00_c1")}}),
      "node_r00_c1 is not a node; nodes are 0 to 3, or node_r00_c00 to node_r01_c01 (did you mean node_r00_c01?)");
  EXPECT_THAT(refusal("up-down", mesh, {{"root", std::string("4")}}),
              testing::StartsWith("4 is not a node; nodes are 0 to 3"));
  EXPECT_THAT(refusal("up-down", butterfly(2, 2)),
              testing::StartsWith("up-down needs links in both directions, but no link leads back beside link_"));
}

// ---- tables

class Tables : public testing::Test {
 protected:
  /// The errors in a table for a line of three nodes, whose ports east and west are 1 and 3.
  std::string diagnostics(const std::string& text, int channels = 2, const LinkNetwork* network = nullptr) {
    const auto folder = std::filesystem::path(testing::TempDir());
    const std::string name =
        std::string("table_") + testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
    std::ofstream(folder / name) << text;
    if (network == nullptr) network = &network_of(Grid::mesh({1, 3}));
    std::string what;
    try {
      function_ = made_function("table", *network, channels, {{"table", name}}, folder);
    } catch (const DataFileError& error) {
      what = error.what();
    }
    for (std::size_t at = what.find(name); at != std::string::npos; at = what.find(name))
      what.replace(at, name.size(), "t");
    std::filesystem::remove(folder / name);
    return what;
  }
  static std::string head() { return "node,destination,port,channels\n"; }
  std::unique_ptr<RoutingFunction> function_;
};

TEST_F(Tables, SayPortsAndChannels) {
  const std::string rows = "0,1,1,*\n0,2,1,1 0\r\n1,0,3,1\n1,2,1,0\n2,0,3,*\n2,1,3,*\n";
  ASSERT_EQ(diagnostics(head() + rows, 4), "");
  EXPECT_FALSE(function_->adaptive());
  const Choice choice = only_choice(*function_, {1, 3, 0, 0});
  EXPECT_EQ(choice.port, 3);
  EXPECT_EQ(choice.first, 1);
  EXPECT_EQ(choice.count, 1);
  EXPECT_EQ(only_choice(*function_, {0, 4, 0, 2}).count, 2);
  EXPECT_EQ(only_choice(*function_, {2, 4, 0, 0}).count, 4);
  EXPECT_EQ(only_choice(*function_, {2, 4, 0, 2}).port, 4);
}

TEST_F(Tables, AreTheSameWithAByteOrderMarkAndWithOtherEndsOfLines) {
  const std::string rows = "0,1,1,*\r\n0,2,1,*\r\n1,0,3,*\r\n1,2,1,*\r\n2,0,3,*\r\n2,1,3,*\r\n";
  EXPECT_EQ(diagnostics("\xef\xbb\xbfnode,destination,port,channels\r\n" + rows), "");
  EXPECT_EQ(diagnostics("node\tdestination\tport\tchannels\n"),
            "t:1:1: the first line is node,destination,port,channels, which a column weight may follow, not "
            "'node\\x09destination\\x09port\\x09channels'");
}

TEST_F(Tables, NameAllTheirFaults) {
  EXPECT_EQ(diagnostics(""), "t:1:1: the file is empty; its first line is node,destination,port,channels");
  EXPECT_EQ(
      diagnostics("node,port\n"),
      "t:1:1: the first line is node,destination,port,channels, which a column weight may follow, not 'node,port'");
  EXPECT_EQ(diagnostics(head() +
                        "0,1,1\n0,3,1,*\n0,1,3,*\n0,1,1,0 2\n1,1,1,*\nx,0,1,*\n0,1,1,*\n0,1,1,*\nnode_r00_c2,0,3,*\n"),
            "t:2:1: a row has 4 cells (node,destination,port,channels), not 3\n"
            "t:3:3: destination: 3 is not a node: nodes are 0 to 2\n"
            "t:4:5: port: '3' of node 0 has no link; ports with a link: 1\n"
            "t:5:9: channels: '2' is not a channel; list each of 0 to 1 once, or write * for all\n"
            "t:6:1: node and destination are both 1; leave out rows of arrived packets\n"
            "t:7:1: node: 'x' is not a node\n"
            "t:9:5: port: 1 is already in line 8 for the same node and destination\n"
            "t:10:1: node: 'node_r00_c2' is not a node (did you mean node_r00_c02?)");
}

TEST_F(Tables, TakeSoManyRangesOfChannelsAndNoMore) {
  constexpr int links = 17;
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "b"}) builder.add_node(NodeRole::processor, name);
  for (int link = 0; link < links; ++link) builder.add_link(0, 1);
  const LinkNetwork cables{"cables", builder.build(), {}, "graph"};
  std::string even = "0", rows = head();
  for (int channel = 2; channel < 256; channel += 2) even += " " + std::to_string(channel);
  for (int link = 0; link < links - 1; ++link) rows += "0,1," + std::to_string(link) + "," + even + "\n";
  EXPECT_EQ(diagnostics(rows, 256, &cables), "");
  EXPECT_EQ(diagnostics(rows + "0,1,16," + even + "\n", 256, &cables),
            "t:18:8: channels: this makes 2176 ranges of channels for one node and destination; the limit is 2050");
}

// Nodes 3 and 4 are the routers of terminals 0, and of 1 and 2.
TEST_F(Tables, NeedNoRowsOfTerminals) {
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "b", "c"}) builder.add_node(NodeRole::processor, name);
  for (const char* name : {"s", "t"}) builder.add_node(NodeRole::switch_node, name);
  for (const auto& [from, to] : {std::pair{0, 3}, {1, 4}, {2, 4}, {3, 4}}) {
    builder.add_link(from, to);
    builder.add_link(to, from);
  }
  const LinkNetwork tree{"tree", builder.build(), {}, "graph"};
  const std::string rows = "3,0,0,*\n4,1,0,*\n4,2,1,*\n3,1,1,*\n3,2,1,*\n4,0,2,*\n";
  EXPECT_EQ(diagnostics(head() + rows, 2, &tree), "");
  EXPECT_EQ(only_choice(*function_, {0, 3, 0, 2}).port, 0);
  EXPECT_EQ(only_choice(*function_, {0, 3, 0, 2}).count, 2);
  // A row may still say which channels.
  EXPECT_EQ(diagnostics(head() + rows + "0,2,0,1\n", 2, &tree), "");
  EXPECT_EQ(only_choice(*function_, {0, 3, 0, 2}).first, 1);
  // Without rows of its switch, a terminal has no path.
  EXPECT_EQ(diagnostics(head() + "3,0,0,*\n4,1,0,*\n4,2,1,*\n3,1,1,*\n4,0,2,*\n", 2, &tree), "");
  EXPECT_EQ(function_->without_path()->count(), 1);
  EXPECT_TRUE(function_->without_path()->contains(0, 2));
  EXPECT_EQ(diagnostics(head() + "3,0,0,*\n4,1,0,*\n4,2,1,*\n3,1,1,*\n3,2,1,*\n4,0,1,*\n", 2, &tree),
            "t:7:1: this row sends packets for destination 0 to node 2, a terminal, which does not forward packets");
}

TEST_F(Tables, NameHolesAndCircles) {
  EXPECT_EQ(diagnostics(head() + "0,1,1,*\n0,2,1,*\n1,0,3,*\n2,0,3,*\n"),
            "t:3:1: this row sends packets to node 1, which has no row for destination 2");
  EXPECT_EQ(diagnostics(head() + "0,1,1,*\n0,2,1,*\n1,0,3,*\n1,2,3,*\n2,0,3,*\n2,1,3,*\n"),
            "t:5:1: packets for destination 2 follow a cycle: 0, 1, 0");
}

// A pair without a row has no path, which is a fault only of traffic that needs one.
TEST_F(Tables, MayHaveRowsOfSomePairs) {
  ASSERT_EQ(diagnostics(head() + "0,1,1,*\n1,0,3,*\n2,0,3,*\n"), "");
  const PairsWithoutPath* const none = function_->without_path();
  ASSERT_NE(none, nullptr);
  EXPECT_EQ(none->count(), 3);
  EXPECT_TRUE(none->contains(0, 2) && none->contains(1, 2) && none->contains(2, 1));
  EXPECT_EQ(none->remedy(0, 2), "the table has no rows for them: add rows of the nodes on a path");
  ASSERT_EQ(diagnostics(head()), "");
  EXPECT_EQ(function_->without_path()->count(), 6);
  ASSERT_EQ(diagnostics(head() + "0,1,1,*\n0,2,1,*\n1,0,3,*\n1,2,1,*\n2,0,3,*\n2,1,3,*\n"), "");
  EXPECT_EQ(function_->without_path(), nullptr);
}

TEST_F(Tables, TakeNamesOfNodes) {
  ASSERT_EQ(diagnostics(head() + "node_r00_c00,1,1,*\n0,node_r00_c02,1,0\n1,0,3,*\n1,2,1,*\n2,0,3,*\nnode_r00_c02,"
                                 "node_r00_c01,3,*\n"),
            "");
  EXPECT_EQ(only_choice(*function_, {0, 4, 0, 2}).count, 1);
  EXPECT_EQ(only_choice(*function_, {2, 4, 0, 1}).port, 3);
}

// On a square, a quarter of the packets between opposite corners goes round one way, and three quarters the other way.
TEST_F(Tables, DividePacketsByWeights) {
  const LinkNetwork& square = network_of(Grid::mesh({2, 2}));  // node 1 is east of 0, node 2 below 0
  const std::string rows =
      "0,1,1,*,7\n0,2,2,*,1\n0,3,1,*,1\n0,3,2,0 2,3\n1,0,3,*,1\n1,2,3,*,1\n1,3,2,*,1\n2,0,0,*,1\n2,1,0,*,1\n"
      "2,3,1,*,1\n3,0,3,*,1\n3,1,0,*,1\n3,2,3,*,1\n";
  const std::string first = "node,destination,port,channels,weight\n";
  ASSERT_EQ(diagnostics(first + rows, 3, &square), "");
  EXPECT_FALSE(function_->adaptive());
  EXPECT_TRUE(function_->chooses_in_nodes());
  int south = 0;
  for (std::uint32_t word = 0; word < 4000; ++word) {
    Choices choices;
    function_->route({0, 4, 0, 3, word * 536'870u}, choices);
    ASSERT_EQ(choices.size(), choices.begin()->port == 2 ? 2u : 1u) << "all channels of the row";
    south += choices.begin()->port == 2 ? 1 : 0;
  }
  EXPECT_NEAR(south, 3000, 140);
  const std::string file = testing::TempDir() + "weights_of_a_square.csv";
  std::ofstream(file) << first << "0,1,1,*,1\n0,3,1,*,1\n0,3,2,*,3\n"
                      << rows.substr(rows.find("1,0,3")) << "0,2,2,*,1\n";
  const auto refused = [&](const char* algorithm, std::map<std::string, KeyValue> keys) {
    keys.insert({{"function", std::string("table")}, {"table", file}});
    try {
      links::named_algorithm(algorithm, square, keys);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused("greedy", {}),
            "greedy follows one route, but the table has several ports for a node and a destination");
  EXPECT_EQ(refused("vc-wormhole", {{"channels", std::int64_t{10}}, {"next_hop_channels", true}}),
            "next_hop_channels needs one port for each node and destination, but table, with its keys, has several");
  std::filesystem::remove(file);
  EXPECT_EQ(diagnostics(first + "0,1,1,*\n0,1,1,*,0\n0,1,1,*,65536\n0,1,1,*,x\n", 3, &square),
            "t:2:1: a row has 5 cells (node,destination,port,channels,weight), not 4\n"
            "t:3:9: weight: '0' is not an integer of 1 to 65535\n"
            "t:4:9: weight: '65536' is not an integer of 1 to 65535\n"
            "t:5:9: weight: 'x' is not an integer of 1 to 65535");
}

// ---- the table of names

TEST(FunctionTable, RefusesNetworksAndTooFewChannels) {
  const auto refused = [](const auto& refuse) -> std::string {
    try {
      refuse();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::vector<FunctionEntry> functions = standard_functions();
  const auto entry = [&](const char* name) { return part_named(functions, name); };
  const std::string on_torus = refused([&] {
    refuse_network(functions, entry("west-first"), {"torus", connected}, 2);
  });
  EXPECT_THAT(on_torus,
              testing::StartsWith("west-first works on mesh and concentrated-mesh, not on a torus; these do: "));
  for (const routing::FunctionEntry& other : functions)
    EXPECT_EQ(on_torus.find(" " + other.name, on_torus.find("these do:")) != std::string::npos,
              other.service({"torus", connected}) != nullptr)
        << other.name;
  const auto refused_keys = [&](const char* name, std::map<std::string, KeyValue> keys) {
    return refused([&] { refuse_part_keys("function", functions, entry(name), KeyValues(std::move(keys))); });
  };
  const auto tie_break = [](const char* value) {
    return std::pair<const std::string, KeyValue>("ties", std::string(value));
  };
  EXPECT_EQ(refused_keys("valiant", {tie_break("balanced")}),
            "only dimension-order, dimension-order-plain and yx have the key ties, not valiant");
  EXPECT_EQ(refused_keys("valiant", {tie_break("positive")}), "");
  EXPECT_EQ(refused_keys("yx", {tie_break("random")}), "");
  EXPECT_EQ(refused_keys("table", {{"root", std::string("3")}}),
            "only up-down, up-down-adaptive and legal-ways have the key root, not table\n"
            "missing: function table needs it (routes of function table: CSV with node,destination,port,channels and "
            "optionally weight; nodes are numbers or names, channels numbers separated by spaces, or *)");
  EXPECT_EQ(refused([&] { refuse_network(functions, entry("odd-even"), {"mesh"}, 3); }),
            "odd-even works on meshes of two dimensions, not of 3 dimensions");
  EXPECT_EQ(refused([&] {
              refuse_channels(entry("valiant"), {"torus"}, {3, 3}, 3);
            }),
            "valiant on a torus needs 4 channels for the two phases and their datelines, not 3");
  EXPECT_EQ(refused([&] { refuse_channels(entry("adaptive"), {"mesh"}, {4, 4}, 2); }), "");
  // In a ring of three nodes every path has one link, so that no cycle is possible.
  for (const char* const function : {"dimension-order", "yx"}) {
    EXPECT_EQ(refused([&] { refuse_channels(entry(function), {"torus"}, {3, 2, 3}, 1); }), "");
    EXPECT_EQ(refused([&] { refuse_channels(entry(function), {"ring"}, {3}, 1); }), "");
    EXPECT_NE(refused([&] { refuse_channels(entry(function), {"torus"}, {3, 4}, 1); }), "");
    EXPECT_NE(refused([&] { refuse_channels(entry(function), {"ring"}, {}, 1); }), "");
  }
}

}  // namespace
}  // namespace starloom::routing
