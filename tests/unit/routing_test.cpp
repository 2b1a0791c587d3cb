/// \file Routing functions: the rules, one by one, and the ways of all pairs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include <starloom/routing/dimension_order.hpp>

namespace starloom::routing {
namespace {

Choice only_choice(const RoutingFunction& function, const Head& head) {
  Choices choices;
  function.route(head, choices);
  EXPECT_EQ(choices.size(), 1u);
  return *choices.begin();
}

/// Follows a packet, in the last channel that it may take, to its destination.
struct Way {
  std::vector<Port> ports;
  std::vector<Choice> choices;
};
Way way_of(const Grid& grid, const RoutingFunction& function, NodeId from, NodeId to) {
  Way way;
  Head head{from, grid.ports(), 0, to};
  for (Choice choice = only_choice(function, head); choice.port != grid.ports(); choice = only_choice(function, head)) {
    way.ports.push_back(choice.port);
    way.choices.push_back(choice);
    if (way.ports.size() > 100) break;
    head = {grid.neighbour(head.node, choice.port), grid.reverse(choice.port), choice.first + choice.count - 1, to};
  }
  EXPECT_EQ(head.node, to);
  return way;
}

TEST(DimensionOrder, TakesShortestWaysOneDimensionAfterTheOther) {
  for (const Grid& grid : {Grid::mesh({4, 3}), Grid::mesh({2, 3, 3}), Grid::torus({5, 4}), Grid::torus({2, 3, 4})})
    for (const bool last_first : {false, true}) {
      DimensionOrderOptions options;
      options.channels = 3;
      options.last_first = last_first;
      const auto function = dimension_order(grid, options);
      for (NodeId from = 0; from < grid.nodes(); ++from)
        for (NodeId to = 0; to < grid.nodes(); ++to) {
          const Way way = way_of(grid, *function, from, to);
          EXPECT_EQ(static_cast<std::int32_t>(way.ports.size()), grid.distance(from, to));
          std::vector<int> axes;
          for (const Port port : way.ports)
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
  options.first_channel = 2;
  options.channels = 4;
  const auto function = dimension_order(mesh, options);
  for (const NodeId to : {0, 4, 8}) {
    const Choice choice = only_choice(*function, {4, mesh.ports(), 0, to});
    EXPECT_EQ(choice.first, 2);
    EXPECT_EQ(choice.count, 4);
  }
}

// Class 1, the channels above, if the coordinate was greater than that of the destination where the packet entered the dimension.
TEST(DimensionOrder, KeepsAPacketInItsClass) {
  const Grid torus = Grid::torus({7, 5});
  DimensionOrderOptions options;
  options.channels = 5;
  const auto function = dimension_order(torus, options);
  for (NodeId from = 0; from < torus.nodes(); ++from)
    for (NodeId to = 0; to < torus.nodes(); ++to)
      for (const Choice& choice : way_of(torus, *function, from, to).choices) {
        const int axis = torus.axis_of(choice.port);
        const bool upper = torus.coordinate(from, axis) > torus.coordinate(to, axis);
        EXPECT_EQ(choice.first, upper ? 3 : 0);
        EXPECT_EQ(choice.count, upper ? 2 : 3);
      }
}

TEST(DimensionOrder, WithoutDatelinesATorusOffersAllChannels) {
  const Grid torus = Grid::torus({7, 5});
  DimensionOrderOptions options;
  options.channels = 2;
  options.datelines = Datelines::none;
  const auto function = dimension_order(torus, options);
  for (NodeId to = 1; to < torus.nodes(); ++to)
    for (const Choice& choice : way_of(torus, *function, 0, to).choices) EXPECT_EQ(choice.count, 2);
}

}  // namespace
}  // namespace starloom::routing
