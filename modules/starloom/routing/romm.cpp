// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/romm.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include <starloom/routing/combinators.hpp>
#include <starloom/routing/dimension_order.hpp>
#include <starloom/routing/grid_function.hpp>

namespace starloom::routing {
namespace {

/// The nodes of the smallest submesh with two nodes.
std::uint32_t nodes_between(const Grid& grid, NodeId a, NodeId b) {
  std::uint32_t count = 1;
  for (const int axis : grid.route_axes()) count *= static_cast<std::uint32_t>(std::abs(grid.offset(a, b, axis)) + 1);
  return count;
}

NodeId node_between(const Grid& grid, NodeId a, NodeId b, std::uint32_t number) {
  std::vector<std::int32_t> coordinates(grid.shape().size());
  for (const int axis : grid.route_axes()) {
    const auto side = static_cast<std::uint32_t>(std::abs(grid.offset(a, b, axis)) + 1);
    coordinates[static_cast<std::size_t>(axis)] =
        std::min(grid.coordinate(a, axis), grid.coordinate(b, axis)) + static_cast<std::int32_t>(number % side);
    number /= side;
  }
  return grid.node_at(coordinates);
}

}  // namespace

FunctionEntry romm_entry() {
  FunctionEntry entry;
  entry.name = "romm";
  entry.meaning = "through a random node between source and destination (Nesson and Johnsson 1995)";
  entry.serves = {{"mesh", 2, "the two phases"}, {"concentrated-mesh", 2, "the two phases"}};
  entry.make = [](const FunctionContext& context, const KeyValues&) {
    const Grid& grid = *grid_in(*context.network);
    const auto half = [&](int number) {
      const ChannelRange channels = context.all_channels().part(number, 2);
      return Part{dimension_order(grid, {false, Datelines::none, channels}), channels};
    };
    Intermediate between = any_node(grid.nodes());
    between.count = [&grid](NodeId source, NodeId destination) { return nodes_between(grid, source, destination); };
    between.choice = [&grid](NodeId source, NodeId destination, std::uint32_t number) {
      return static_cast<std::uint32_t>(node_between(grid, source, destination, number));
    };
    return on_network(context, two_phase(grid.ports(), half(0), half(1), std::move(between)));
  };
  return entry;
}

}  // namespace starloom::routing
