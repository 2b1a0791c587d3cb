// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/adaptive.hpp>

#include <starloom/routing/dimension_order.hpp>
#include <starloom/routing/grid_function.hpp>

namespace starloom::routing {
namespace {

class Adaptive final : public RoutingFunction {
 public:
  Adaptive(const Grid& grid, ChannelRange channels)
      : grid_(grid),
        all_(channels),
        escapes_(dimension_order_channels(grid)),
        escape_(dimension_order(grid, {false, Datelines::classes, {channels.first, escapes_}})) {}

  void route(const Head& head, Choices& choices) const override {
    if (head.node == head.destination) return choices.add(grid_.ports(), all_.first, all_.count);
    for (const int axis : grid_.route_axes())
      if (const std::int32_t offset = grid_.offset(head.node, head.destination, axis); offset != 0)
        choices.add(grid_.port_along(axis, offset), all_.first + escapes_, all_.count - escapes_, 1);
    escape_->route(head, choices);
  }
  bool adaptive() const override { return true; }

 private:
  const Grid& grid_;
  ChannelRange all_;
  int escapes_;
  std::unique_ptr<RoutingFunction> escape_;
};

}  // namespace

FunctionEntry adaptive_entry() {
  FunctionEntry entry;
  entry.name = "adaptive";
  entry.meaning = "any shortest path; dimension order in escape channels (Duato 1993)";
  entry.serves = {{"mesh", 2, "one escape and one adaptive channel"},
                  {"torus", 3, "two escape channels and one adaptive channel"},
                  {"ring", 3, "two escape channels and one adaptive channel"},
                  {"concentrated-mesh", 2, "one escape and one adaptive channel"}};
  entry.make = [](const FunctionContext& context, const KeyValues&) {
    return on_network(context, std::make_unique<Adaptive>(*grid_in(*context.network), context.all_channels()));
  };
  return entry;
}

}  // namespace starloom::routing
