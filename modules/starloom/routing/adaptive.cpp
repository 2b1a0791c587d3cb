// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/adaptive.hpp>

#include <starloom/routing/combinators.hpp>
#include <starloom/routing/dimension_order.hpp>
#include <starloom/routing/grid_function.hpp>
#include <starloom/routing/minimal.hpp>

namespace starloom::routing {
FunctionEntry adaptive_entry() {
  FunctionEntry entry;
  entry.name = "adaptive";
  entry.meaning = "any shortest path; dimension order in escape channels (Duato 1993)";
  entry.serves = {{"mesh", 2, "one escape and one adaptive channel"},
                  {"torus", 3, "two escape channels and one adaptive channel"},
                  {"ring", 3, "two escape channels and one adaptive channel"},
                  {"concentrated-mesh", 2, "one escape and one adaptive channel"}};
  entry.make = [](const FunctionContext& context, const KeyValues&) {
    const Grid& grid = *grid_in(*context.network);
    const int escapes = dimension_order_channels(grid);
    const ChannelRange first{context.first_channel, escapes};
    const ChannelRange rest{context.first_channel + escapes, context.channels - escapes};
    return on_network(context, escape(grid.ports(), {minimal(grid, rest), rest},
                                      {dimension_order(grid, {false, Datelines::classes, first}), first}));
  };
  return entry;
}

}  // namespace starloom::routing
