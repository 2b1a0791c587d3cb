// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/valiant.hpp>

#include <starloom/routing/combinators.hpp>
#include <starloom/routing/dimension_order.hpp>
#include <starloom/routing/grid_function.hpp>

namespace starloom::routing {

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
    const auto phases_of = [&](Port local, NodeId nodes, const auto& order) {
      const auto half = [&](int number) {
        const ChannelRange channels = context.all_channels().part(number, 2);
        return Part{order(channels), channels};
      };
      return on_network(context, two_phase(local, half(0), half(1), any_node(nodes)));
    };
    if (const auto* butterfly = context.network->as<FlattenedButterfly>())
      return phases_of(butterfly->ports_to_switches(), butterfly->mesh().nodes(),
                       [&](ChannelRange channels) { return dimension_order(*butterfly, channels); });
    const Grid& grid = *grid_in(*context.network);
    return phases_of(grid.ports(), grid.nodes(), [&](ChannelRange channels) {
      return dimension_order(grid, {false, Datelines::classes, channels});
    });
  };
  return entry;
}

}  // namespace starloom::routing
