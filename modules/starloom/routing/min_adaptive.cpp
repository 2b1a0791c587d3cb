// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/min_adaptive.hpp>

#include <starloom/routing/combinators.hpp>
#include <starloom/routing/dimension_order.hpp>
#include <starloom/routing/grid_function.hpp>
#include <starloom/routing/minimal.hpp>

namespace starloom::routing {
FunctionEntry min_adaptive_entry() {
  FunctionEntry entry;
  entry.name = "min-adaptive";
  entry.meaning = "any shortest path; dimension order in an escape channel, to the end (BookSim2)";
  entry.serves = {{"mesh", 2, "one escape and one adaptive channel"},
                  {"concentrated-mesh", 2, "one escape and one adaptive channel"}};
  entry.make = [](const FunctionContext& context, const KeyValues&) {
    const Grid& grid = *grid_in(*context.network);
    const ChannelRange first{context.first_channel, 1}, rest{context.first_channel + 1, context.channels - 1};
    return on_network(context, escape(grid.ports(), {minimal(grid, rest), rest},
                                      {dimension_order(grid, {false, Datelines::none, first}), first}, Stay::for_good));
  };
  return entry;
}

}  // namespace starloom::routing
