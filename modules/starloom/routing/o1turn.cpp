// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/o1turn.hpp>

#include <string>
#include <utility>
#include <vector>

#include <starloom/routing/combinators.hpp>
#include <starloom/routing/dimension_order.hpp>
#include <starloom/routing/grid_function.hpp>

namespace starloom::routing {
namespace {

FunctionEntry entry_of_orders(std::string name, std::string meaning, ChooseBy choose_by) {
  FunctionEntry entry;
  entry.name = std::move(name);
  entry.meaning = std::move(meaning);
  entry.serves = {{"mesh", 2, "the two orders"}, {"concentrated-mesh", 2, "the two orders"}};
  entry.rows_and_columns = true;
  entry.make = [choose_by](const FunctionContext& context, const KeyValues&) {
    const Grid& grid = *grid_in(*context.network);
    std::vector<Part> orders;
    for (const bool y_first : {false, true}) {
      const ChannelRange channels = context.all_channels().part(y_first ? 1 : 0, 2);
      orders.push_back({dimension_order(grid, {y_first, Datelines::none, channels}), channels});
    }
    return on_network(context, one_of(grid.ports(), std::move(orders), choose_by));
  };
  return entry;
}

}  // namespace

FunctionEntry o1turn_entry() {
  return entry_of_orders("o1turn", "x first or y first, at random for each packet (Seo et al. 2005)", ChooseBy::chance);
}

FunctionEntry xy_yx_adaptive_entry() {
  return entry_of_orders("xy-yx-adaptive", "x first or y first, by the load of the two ports at the source (BookSim2)",
                         ChooseBy::load);
}

}  // namespace starloom::routing
