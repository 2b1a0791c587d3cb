#include <starloom/routing/dimension_order.hpp>

#include <algorithm>
#include <vector>

#include <starloom/routing/grid_function.hpp>

namespace starloom::routing {
namespace {

class DimensionOrder final : public RoutingFunction {
 public:
  DimensionOrder(const Grid& grid, const DimensionOrderOptions& options)
      : grid_(grid),
        axes_(grid.route_axes()),
        channels_(options.channels),
        upper_(options.channels.part(1, 2)),
        classes_(grid.kind() == GridKind::torus && options.datelines == Datelines::classes) {
    if (options.last_first) std::reverse(axes_.begin(), axes_.end());
  }

  void route(const Head& head, Choices& choices) const override {
    for (const int axis : axes_) {
      const std::int32_t offset = grid_.offset(head.node, head.destination, axis);
      if (offset == 0) continue;
      const Port port = grid_.port_along(axis, offset);
      if (!classes_) return choices.add(port, channels_.first, channels_.count);
      if (in_class_1(head, axis)) return choices.add(port, upper_.first, upper_.count);
      return choices.add(port, channels_.first, channels_.count - upper_.count);
    }
    choices.add(grid_.ports(), channels_.first, channels_.count);
  }

 private:
  bool in_class_1(const Head& head, int axis) const {
    const bool entered_before =
        head.in_port != grid_.ports() && grid_.axis_of(head.in_port) == axis && channels_.has(head.in_channel);
    if (entered_before) return head.in_channel >= upper_.first;
    return grid_.coordinate(head.node, axis) > grid_.coordinate(head.destination, axis);
  }

  const Grid& grid_;
  std::vector<int> axes_;
  ChannelRange channels_, upper_;
  bool classes_;
};

FunctionEntry entry(std::string name, std::string meaning, const DimensionOrderOptions& given) {
  FunctionEntry entry;
  entry.name = std::move(name);
  entry.meaning = std::move(meaning);
  const Service with_rings = given.datelines == Datelines::classes ? Service{"", 2, "datelines"} : Service{};
  entry.serves = {{"mesh"},
                  {"torus", with_rings.channels, with_rings.purpose},
                  {"ring", with_rings.channels, with_rings.purpose},
                  {"concentrated-mesh"}};
  entry.fixed = true;
  entry.make = [given](const FunctionContext& context) {
    DimensionOrderOptions options = given;
    options.channels = context.all_channels();
    return on_network(context, dimension_order(*grid_in(*context.network), options));
  };
  return entry;
}

}  // namespace

std::unique_ptr<RoutingFunction> dimension_order(const Grid& grid, const DimensionOrderOptions& options) {
  return std::make_unique<DimensionOrder>(grid, options);
}

int dimension_order_channels(const Grid& grid) { return grid.kind() == GridKind::torus ? 2 : 1; }

FunctionEntry dimension_order_entry() {
  return entry("dimension-order", "one dimension after the other, x first, each the shorter way round", {});
}

FunctionEntry dimension_order_plain_entry() {
  return entry("dimension-order-plain", "the same without datelines, which can deadlock on a torus",
               {false, Datelines::none, {}});
}

FunctionEntry yx_entry() {
  return entry("yx", "dimension order, the last dimension first", {true, Datelines::classes, {}});
}

}  // namespace starloom::routing
