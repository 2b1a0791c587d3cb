// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/valiant.hpp>

#include <starloom/routing/dimension_order.hpp>
#include <starloom/routing/grid_function.hpp>

namespace starloom::routing {
namespace {

class Valiant final : public RoutingFunction {
 public:
  Valiant(const Grid& grid, ChannelRange channels)
      : grid_(grid),
        all_(channels),
        there_(channels.part(0, 2)),
        to_drawn_(dimension_order(grid, {false, Datelines::classes, there_})),
        from_drawn_(dimension_order(grid, {false, Datelines::classes, channels.part(1, 2)})) {}

  void route(const Head& head, Choices& choices) const override {
    if (on_first_leg(head))
      return to_drawn_->route({head.node, head.in_port, head.in_channel, static_cast<NodeId>(head.drawn)}, choices);
    if (head.node == head.destination) return choices.add(grid_.ports(), all_.first, all_.count);
    from_drawn_->route(head, choices);
  }
  std::uint32_t draws() const override { return static_cast<std::uint32_t>(grid_.nodes()); }
  bool in_legs() const override { return true; }
  bool on_first_leg(const Head& head) const override {
    const bool comes_from_source = head.in_port == grid_.ports() || there_.has(head.in_channel);
    return comes_from_source && head.node != static_cast<NodeId>(head.drawn);
  }

 private:
  const Grid& grid_;
  ChannelRange all_, there_;
  std::unique_ptr<RoutingFunction> to_drawn_, from_drawn_;
};

}  // namespace

FunctionEntry valiant_entry() {
  FunctionEntry entry;
  entry.name = "valiant";
  entry.meaning = "through a random intermediate node (Valiant and Brebner 1981)";
  entry.serves = {{"mesh", 2, "the two phases"},
                  {"torus", 4, "the two phases and their datelines"},
                  {"ring", 4, "the two phases and their datelines"},
                  {"concentrated-mesh", 2, "the two phases"}};
  entry.make = [](const FunctionContext& context, const KeyValues&) {
    return on_network(context, std::make_unique<Valiant>(*grid_in(*context.network), context.all_channels()));
  };
  return entry;
}

}  // namespace starloom::routing
