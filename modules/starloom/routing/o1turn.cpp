// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/o1turn.hpp>

#include <utility>
#include <vector>

#include <starloom/routing/combinators.hpp>
#include <starloom/routing/dimension_order.hpp>
#include <starloom/routing/grid_function.hpp>

namespace starloom::routing {
FunctionEntry o1turn_entry() {
  FunctionEntry entry;
  entry.name = "o1turn";
  entry.meaning = "x first or y first, at random for each packet (Seo et al. 2005)";
  entry.serves = {{"mesh", 2, "the two orders"}, {"concentrated-mesh", 2, "the two orders"}};
  entry.rows_and_columns = true;
  entry.make = [](const FunctionContext& context, const KeyValues&) {
    const Grid& grid = *grid_in(*context.network);
    std::vector<Part> orders;
    for (const bool y_first : {false, true}) {
      const ChannelRange channels = context.all_channels().part(y_first ? 1 : 0, 2);
      orders.push_back({dimension_order(grid, {y_first, Datelines::none, channels}), channels});
    }
    return on_network(context, one_of(grid.ports(), std::move(orders)));
  };
  return entry;
}

}  // namespace starloom::routing
