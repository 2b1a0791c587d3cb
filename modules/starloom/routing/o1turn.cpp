// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/o1turn.hpp>

#include <starloom/routing/dimension_order.hpp>
#include <starloom/routing/grid_function.hpp>
#include <starloom/routing/rows_and_columns.hpp>

namespace starloom::routing {
namespace {

class O1Turn final : public RoutingFunction {
 public:
  O1Turn(const Grid& mesh, ChannelRange channels)
      : local_(mesh.ports()),
        channels_(channels),
        x_first_(dimension_order(mesh, {false, Datelines::none, channels.part(0, 2)})),
        y_first_(dimension_order(mesh, {true, Datelines::none, channels.part(1, 2)})) {}

  void route(const Head& head, Choices& choices) const override {
    if (head.node == head.destination) return choices.add(local_, channels_.first, channels_.count);
    (head.drawn == 0 ? x_first_ : y_first_)->route(head, choices);
  }
  std::uint32_t draws() const override { return 2; }

 private:
  Port local_;
  ChannelRange channels_;
  std::unique_ptr<RoutingFunction> x_first_, y_first_;
};

}  // namespace

FunctionEntry o1turn_entry() {
  FunctionEntry entry;
  entry.name = "o1turn";
  entry.meaning = "x first or y first, at random for each packet (Seo et al. 2005)";
  entry.serves = {{"mesh", 2, "the two orders"}, {"concentrated-mesh", 2, "the two orders"}};
  entry.rows_and_columns = true;
  entry.make = [](const FunctionContext& context, const KeyValues&) {
    return on_network(context, std::make_unique<O1Turn>(*grid_in(*context.network), context.all_channels()));
  };
  return entry;
}

}  // namespace starloom::routing
