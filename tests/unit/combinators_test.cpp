// SPDX-License-Identifier: Apache-2.0
/// \file Combinations of routing functions, against independent definitions.
#include <starloom/routing/combinators.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include <starloom/routing/dimension_order.hpp>
#include <starloom/routing/next_hop_channels.hpp>
#include <starloom/routing/shortest.hpp>
#include <starloom/support/error.hpp>
#include "support/routed_networks.hpp"

namespace starloom::routing {
namespace {

using Offer = std::tuple<Port, int, int, int>;

std::vector<Offer> offers(const RoutingFunction& function, const Head& head) {
  Choices choices;
  function.route(head, choices);
  std::vector<Offer> list;
  for (const Choice& choice : choices) list.emplace_back(choice.port, choice.first, choice.count, choice.priority);
  return list;
}

/// Calls `visit` with every head that can be in a network, and some that cannot.
template <class Visit>
void each_head(const NetworkGraph& graph, int channels, std::uint32_t random_choices, const Visit& visit) {
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (Port in_port = 0; in_port <= graph.ports(); ++in_port) {
      if (in_port < graph.ports() && !graph.in_ports(node).has(in_port)) continue;
      for (int channel = 0; channel < channels; ++channel)
        for (NodeId to = 0; to < graph.processors(); ++to)
          for (std::uint32_t random_choice = 0; random_choice < random_choices; ++random_choice)
            visit(Head{node, in_port, channel, graph.processor(to), random_choice});
    }
}

TEST(Escape, OffersShortestPathsThenUpDownToTheEnd) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const LinkNetwork network = random_network(seed);
    const NetworkGraph& graph = network.graph;
    const Port local = graph.ports();
    const auto function = made_function("up-down-adaptive", network, 3), tree = made_function("up-down", network);
    EXPECT_TRUE(function->adaptive());
    each_head(graph, 3, 1, [&](const Head& head) {
      std::vector<Offer> expected;
      const bool escaped = head.in_port != local && head.in_channel == 0;
      const auto from_tree = [&](Head seen) {
        if (!escaped) seen.in_port = local;  // over other channels a packet may have come down
        for (const auto& [port, first, count, priority] : offers(*tree, seen)) expected.emplace_back(port, 0, 1, 0);
      };
      if (head.node == head.destination) {
        expected = {{local, 0, 3, 0}};
      } else {
        for (Port port = 0; port < graph.ports() && !escaped; ++port)
          if (graph.out_ports(head.node).has(port) &&
              graph.distance(graph.far_end(head.node, port).node, head.destination) + 1 ==
                  graph.distance(head.node, head.destination))
            expected.emplace_back(port, 1, 2, 1);
        from_tree(head);
      }
      ASSERT_EQ(offers(*function, head), expected) << "seed " << seed << ", node " << head.node;
    });
  }
}

// Against their definitions, as they are in the papers and in BookSim2.
TEST(Combinators, GiveTheFunctionsOfThePapers) {
  const LinkNetwork& mesh = network_of(Grid::mesh({3, 4}));
  const Grid& grid = *mesh.as<Grid>();
  const Port local = grid.ports();
  const auto along = [&](int axis, NodeId from, NodeId to) {
    return grid.port_along(axis, grid.offset(from, to, axis));
  };
  const auto ordered = [&](int first, NodeId from, NodeId to) {
    const int axis = grid.offset(from, to, first) != 0 ? first : 1 - first;
    return along(axis, from, to);
  };
  const auto adaptive = made_function("adaptive", mesh, 3), o1turn = made_function("o1turn", mesh, 3);
  const auto valiant = made_function("valiant", mesh, 3);
  const auto romm = made_function("romm", mesh, 3), by_load = made_function("xy-yx-adaptive", mesh, 3);
  const auto min_adaptive = made_function("min-adaptive", mesh, 3), planar = made_function("planar-adaptive", mesh, 7);
  const auto of_planes = [&](NodeId at, NodeId to) -> std::vector<Offer> {
    const bool moves_x = grid.offset(at, to, 1) != 0, moves_y = grid.offset(at, to, 0) != 0;
    if (!moves_x && !moves_y) return {{local, 0, 7, 0}};
    if (!moves_x) return {{along(0, at, to), 4, 3, 0}};
    std::vector<Offer> list = {{along(1, at, to), 4, 3, 0}};
    if (moves_y) list.emplace_back(along(0, at, to), grid.offset(at, to, 1) > 0 ? 0 : 2, 2, 0);
    return list;
  };
  ASSERT_EQ(o1turn->random_choices(), 2u);
  ASSERT_EQ(valiant->random_choices(), 12u);
  each_head(mesh.graph, 3, 12, [&](const Head& head) {
    const NodeId at = head.node, to = head.destination;
    std::vector<Offer> expected = {{local, 0, 3, 0}};
    if (head.random_choice == 0) {
      if (at != to) {
        expected.clear();
        for (const int axis : {1, 0})
          if (grid.offset(at, to, axis) != 0) expected.emplace_back(along(axis, at, to), 1, 2, 1);
        expected.emplace_back(ordered(1, at, to), 0, 1, 0);
      }
      ASSERT_EQ(offers(*adaptive, head), expected);
      if (at != to && head.in_port != local && head.in_channel == 0) expected = {{ordered(1, at, to), 0, 1, 0}};
      ASSERT_EQ(offers(*min_adaptive, head), expected);
      ASSERT_EQ(offers(*planar, head), of_planes(at, to));
    }
    if (head.random_choice < 2) {
      if (at != to)
        expected = {{ordered(head.random_choice == 0 ? 1 : 0, at, to), head.random_choice == 0 ? 0 : 2,
                     head.random_choice == 0 ? 2 : 1, 0}};
      ASSERT_EQ(offers(*o1turn, head), expected);
      ASSERT_EQ(offers(*by_load, head), expected);
    }
    const auto random_choice = static_cast<NodeId>(head.random_choice);
    const bool first_phase = (head.in_port == local || head.in_channel < 2) && at != random_choice;
    expected = {{local, 0, 3, 0}};
    if (first_phase) expected = {{ordered(1, at, random_choice), 0, 2, 0}};
    else if (at != to) expected = {{ordered(1, at, to), 2, 1, 0}};
    ASSERT_EQ(valiant->on_first_phase(head), first_phase);
    ASSERT_EQ(offers(*valiant, head), expected);
    ASSERT_EQ(offers(*romm, head), expected) << "only the choices of packets differ";
  });
}

// Every node between source and destination once, x fastest, from the least coordinates on.
TEST(Romm, ChoosesANodeOnAShortestPath) {
  for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{3, 4}, {2, 3, 3}, {5}}) {
    const LinkNetwork& mesh = network_of(Grid::mesh(shape));
    const Grid& grid = *mesh.as<Grid>();
    const auto romm = made_function("romm", mesh, 2);
    for (NodeId from = 0; from < grid.nodes(); ++from)
      for (NodeId to = 0; to < grid.nodes(); ++to) {
        std::vector<std::uint32_t> expected, chosen;
        for (NodeId node = 0; node < grid.nodes(); ++node)
          if (grid.distance(from, node) + grid.distance(node, to) == grid.distance(from, to))
            expected.push_back(static_cast<std::uint32_t>(node));
        std::sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
          for (int i = grid.dimensions() - 1; i >= 0; --i) {
            const int axis = grid.route_axes()[static_cast<std::size_t>(i)];
            const auto at = [&](std::uint32_t node) { return grid.coordinate(static_cast<NodeId>(node), axis); };
            if (at(a) != at(b)) return at(a) < at(b);
          }
          return false;
        });
        for (std::uint32_t number = 0; number < romm->random_choices_between(from, to); ++number)
          chosen.push_back(romm->random_choice_between(from, to, number));
        ASSERT_EQ(chosen, expected);
      }
  }
}

/// Used places of some ports; the others have 3.
class Load final : public PortLoad {
 public:
  Load(std::initializer_list<std::pair<const Port, int>> used) : used_(used) {}
  int used_places(Port port) const override {
    const auto found = used_.find(port);
    return found == used_.end() ? 3 : found->second;
  }

 private:
  std::map<Port, int> used_;
};

// The router of the source sends a packet to the less used port; among equals the random choice decides.
TEST(XyYxAdaptive, IsDecidedByTheSource) {
  const LinkNetwork& mesh = network_of(Grid::mesh({4, 4}));
  const auto function = made_function("xy-yx-adaptive", mesh, 2);
  enum : Port { north, east, south, west, local };
  EXPECT_TRUE(function->decides());
  EXPECT_FALSE(made_function("o1turn", mesh, 2)->decides());
  for (const std::uint32_t drawn : {0u, 1u}) {
    const Head head{5, local, 0, 15, drawn};
    EXPECT_EQ(function->decision(head, Load{{east, 4}}), 1u);
    EXPECT_EQ(function->decision(head, Load{{east, 2}}), 0u);
    EXPECT_EQ(function->decision(head, Load{{south, 4}}), 0u);
    EXPECT_EQ(function->decision(head, Load{{north, 9}}), drawn) << "ports of other paths do not count";
    EXPECT_EQ(function->decision(head, Load{{east, 3}}), drawn);
    EXPECT_EQ(function->decision({5, west, 0, 15, drawn}, Load{{east, 9}}), drawn) << "it was decided before";
    EXPECT_EQ(function->decision({5, local, 0, 5, drawn}, Load{{east, 9}}), drawn) << "it has arrived";
    EXPECT_EQ(function->decision({5, local, 0, 7, drawn}, Load{{east, 9}}), drawn) << "both orders begin with the port";
  }
}

// Group 0, router 1: its ports are 0 and 1 to terminals, 2 to the other router, 3 and 4 to groups 3 and 4. Groups 1
// and 2 are behind the other router.
TEST(Ugal, OnADragonflyComparesOneGlobalLinkWithTwo) {
  const LinkNetwork& network = dragonfly(5, 2, 2);
  const auto& groups = *network.as<Dragonfly>();
  const auto function = [&](std::map<std::string, KeyValue> keys) {
    return made_function("ugal", network, 3, std::move(keys));
  };
  const auto threshold = [&](std::int64_t value) { return function({{"ugal.threshold", value}}); };
  const NodeId router = groups.router_at(0, 1);
  enum : Port { terminal = 1, other = 2, to_3 = 3, to_4 = 4 };
  ASSERT_EQ(groups.global_port(0, 3), to_3);
  EXPECT_TRUE(function({})->decides());
  // To the first processor of group 3.
  const auto decision = [&](const RoutingFunction& ugal, std::uint32_t drawn, const Load& load, Port from = terminal,
                            NodeId destination = 3 * 4) {
    return ugal.decision({router, from, 0, destination, drawn}, load);
  };
  const std::uint32_t minimal = 0;  // the own group is the intermediate one
  // Through group 4: 2 * 3 places of to_4.
  EXPECT_EQ(decision(*threshold(0), 4, {{to_3, 6}}), minimal);
  EXPECT_EQ(decision(*threshold(0), 4, {{to_3, 7}}), 4u);
  EXPECT_EQ(decision(*threshold(-1), 4, {{to_3, 5}}), minimal);
  EXPECT_EQ(decision(*threshold(-1), 4, {{to_3, 6}}), 4u);
  EXPECT_EQ(decision(*function({}), 4, {{to_3, 36}}), minimal);
  EXPECT_EQ(decision(*function({}), 4, {{to_3, 37}}), 4u);
  // Through group 1: over the other router.
  EXPECT_EQ(decision(*threshold(0), 1, {{to_3, 9}, {other, 4}}), 1u);
  EXPECT_EQ(decision(*threshold(0), 1, {{to_3, 9}, {other, 5}}), minimal);
  // Whatever the load: through the own group, or that of the destination, there is only the minimal path.
  const auto never = threshold(std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(decision(*never, 4, {}), 4u);
  EXPECT_EQ(decision(*never, 3, {}), minimal);
  EXPECT_EQ(decision(*never, 0, {}), minimal);
  EXPECT_EQ(decision(*threshold(std::numeric_limits<std::int64_t>::max()), 4, {{to_3, 99}}), minimal);
  // Packets of other routers, and to the own group, keep their choice.
  for (const Port from : {other, to_4}) EXPECT_EQ(decision(*threshold(0), 4, {{to_3, 0}}, from), 4u);
  EXPECT_EQ(decision(*threshold(0), 4, {{to_3, 0}}, terminal, 1), 4u);
}

// Switch 0 of 3 x 3: ports 0 and 1 along the row to switches 1 and 2, 2 and 3 along the column to 3 and 6, then its
// processor.
TEST(Ugal, OnAFlattenedButterflyComparesLinksOfWholePaths) {
  const LinkNetwork& network = flattened_butterfly({3, 3}, 1);
  const NodeId processors = network.graph.processors();
  const auto threshold = [&](std::int64_t value) {
    return made_function("ugal", network, 2, {{"ugal.threshold", value}});
  };
  const auto decision = [&](const RoutingFunction& ugal, NodeId to, std::uint32_t drawn, const Load& load,
                            Port from = 4) {
    return ugal.decision({processors, from, 0, to, drawn}, load);
  };
  // To switch 1, one link over port 0; through switch 2 two links, over port 1; through 5 four, over port 1.
  EXPECT_EQ(decision(*threshold(0), 1, 2, {{0, 6}}), 0u);
  EXPECT_EQ(decision(*threshold(0), 1, 2, {{0, 7}}), 2u);
  EXPECT_EQ(decision(*threshold(0), 1, 5, {{0, 12}}), 0u);
  EXPECT_EQ(decision(*threshold(0), 1, 5, {{0, 13}}), 5u);
  EXPECT_EQ(decision(*made_function("ugal", network, 2), 1, 2, {{0, 8}}), 0u) << "the threshold is 2";
  EXPECT_EQ(decision(*made_function("ugal", network, 2), 1, 2, {{0, 9}}), 2u);
  // To switch 4, two links over port 0; through switch 6 three, over port 3.
  EXPECT_EQ(decision(*threshold(0), 4, 6, {{0, 4}}), 0u);
  EXPECT_EQ(decision(*threshold(0), 4, 6, {{0, 5}}), 6u);
  const auto never = threshold(-1000);
  EXPECT_EQ(decision(*never, 4, 6, {}), 6u);
  EXPECT_EQ(decision(*never, 4, 4, {}), 0u);
  EXPECT_EQ(decision(*never, 4, 0, {}), 0u);
  EXPECT_EQ(decision(*threshold(0), 4, 6, {{0, 0}}, 1), 6u) << "it was decided before";
  EXPECT_EQ(decision(*never, 0, 6, {}), 6u) << "it goes to the processor of the switch";
}

// The minimal path of a decision: in the channels of the second phase.
TEST(Ugal, TakesMinimalPathsInTheUpperClasses) {
  const LinkNetwork& network = dragonfly(5, 2, 2);
  const auto& groups = *network.as<Dragonfly>();
  const auto function = made_function("ugal", network, 6);
  const auto offer = [&](NodeId at, Port in, std::uint32_t choice) {
    return offers(*function, {at, in, 0, 3 * 4, choice});
  };
  // From router 0, over router 1, to group 3.
  EXPECT_EQ(offer(groups.router_at(0, 0), 0, 0), (std::vector<Offer>{{2, 2, 2, 0}}));
  EXPECT_EQ(offer(groups.router_at(0, 1), 2, 0), (std::vector<Offer>{{3, 3, 3, 0}}));
  EXPECT_EQ(offer(groups.router_at(3, 1), 3, 0), (std::vector<Offer>{{2, 4, 2, 0}}));
  // Through group 1, which is behind router 0.
  EXPECT_EQ(offer(groups.router_at(0, 1), 0, 1), (std::vector<Offer>{{2, 0, 2, 0}}));
  EXPECT_EQ(offer(groups.router_at(0, 0), 2, 1), (std::vector<Offer>{{3, 0, 3, 0}}));
}

TEST(Combinators, RefusePartsThatDraw) {
  const LinkNetwork& mesh = network_of(Grid::mesh({3, 4}));
  const auto part = [&](const char* name) { return Part{made_function(name, mesh, 2), {0, 2}}; };
  EXPECT_THROW(escape(4, part("dimension-order"), part("valiant")), InputError);
  EXPECT_THROW(escape(4, part("o1turn"), part("dimension-order")), InputError);
  EXPECT_THROW(two_phase(4, part("valiant"), part("valiant"), {}), InputError);
}

/// Row 0 of a mesh of 3 x 3 with 11 channels: nodes 0, 1 and 2. Each of 5 ports has two channels.
TEST(NextHopChannels, AreThePartOfTheNextOutPort) {
  const Grid grid = Grid::mesh({3, 3});
  const LinkNetwork& network = network_of(grid);
  const Port east = grid.port_along(1, 1), south = grid.port_along(0, 1), local = network.graph.ports();
  std::vector<int> number(5);
  number[static_cast<std::size_t>(east)] = 0;
  number[static_cast<std::size_t>(south)] = 2;
  number[static_cast<std::size_t>(local)] = 4;
  const NextHopChannels function(made_function("dimension-order", network, 11), network.graph, number);
  const auto head = [&](NodeId at, Port in, NodeId to) { return Head{at, in, 0, to}; };
  const Port from_west = network.graph.far_end(0, east).port;
  EXPECT_EQ(offers(function, head(0, local, 2)), (std::vector<Offer>{{east, 0, 2, 0}}));
  EXPECT_EQ(offers(function, head(0, local, 4)), (std::vector<Offer>{{east, 4, 2, 0}}));
  EXPECT_EQ(offers(function, head(0, local, 1)), (std::vector<Offer>{{east, 8, 2, 0}}));
  // At its destination: the part of the local port, or all channels if it comes from there.
  EXPECT_EQ(offers(function, head(1, from_west, 1)), (std::vector<Offer>{{local, 8, 2, 0}}));
  EXPECT_EQ(offers(function, head(1, local, 1)), (std::vector<Offer>{{local, 0, 11, 0}}));
  const auto source = [&](NodeId at, NodeId to) {
    const ChannelRange part = function.source_channels(head(at, local, to), {0, 11});
    return std::pair(part.first, part.count);
  };
  EXPECT_EQ(source(0, 2), std::pair(0, 2));
  EXPECT_EQ(source(0, 6), std::pair(4, 2));
  EXPECT_EQ(source(0, 0), std::pair(8, 2));
}

TEST(AllShortest, SaysHowLargeItsTableWouldBe) {
  const LinkNetwork& mesh = network_of(Grid::mesh({130, 130}));
  try {
    FunctionContext context;
    context.network = &mesh;
    all_shortest("mine", context, {});
    FAIL() << "130 x 130 nodes fit";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("function mine needs a table of 1142 MB for 16900 nodes"));
  }
}

}  // namespace
}  // namespace starloom::routing
