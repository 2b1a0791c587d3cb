// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/valiant.hpp>

#include <utility>

#include <starloom/routing/dimension_order.hpp>
#include <starloom/routing/grid_function.hpp>

namespace starloom::routing {

std::unique_ptr<RoutingFunction> butterfly_phases(const FlattenedButterfly& butterfly, ChannelRange channels,
                                                  Intermediate intermediate) {
  const auto half = [&](int number) {
    const ChannelRange part = channels.part(number, 2);
    return Part{dimension_order(butterfly, part), part};
  };
  return two_phase(butterfly.ports_to_switches(), half(0), half(1), std::move(intermediate));
}

FunctionEntry valiant_entry() {
  FunctionEntry entry;
  entry.name = "valiant";
  entry.meaning = "through a random intermediate node (Valiant and Brebner 1981)";
  entry.serves = {{"mesh", 2, "the two phases"},
                  {"torus", 4, "the two phases and their datelines"},
                  {"ring", 4, "the two phases and their datelines"},
                  {"concentrated-mesh", 2, "the two phases"},
                  {"flattened-butterfly", 2, "the two phases"}};
  entry.make = [](const FunctionContext& context, const KeyValues&) {
    if (const auto* butterfly = context.network->as<FlattenedButterfly>())
      return on_network(context,
                        butterfly_phases(*butterfly, context.all_channels(), any_node(butterfly->mesh().nodes())));
    const Grid& grid = *grid_in(*context.network);
    const auto half = [&](int number) {
      const ChannelRange channels = context.all_channels().part(number, 2);
      return Part{dimension_order(grid, {false, Datelines::classes, channels}), channels};
    };
    return on_network(context, two_phase(grid.ports(), half(0), half(1), any_node(grid.nodes())));
  };
  return entry;
}

}  // namespace starloom::routing
