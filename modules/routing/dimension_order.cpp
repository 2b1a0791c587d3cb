#include <starloom/routing/dimension_order.hpp>

#include <algorithm>
#include <vector>

namespace starloom::routing {
namespace {

class DimensionOrder final : public RoutingFunction {
 public:
  DimensionOrder(const Grid& grid, const DimensionOrderOptions& options)
      : grid_(grid),
        axes_(grid.route_axes()),
        first_(options.first_channel),
        channels_(options.channels),
        classes_(grid.kind() == GridKind::torus && options.datelines == Datelines::classes) {
    if (options.last_first) std::reverse(axes_.begin(), axes_.end());
  }

  void route(const Head& head, Choices& choices) const override {
    for (const int axis : axes_) {
      const std::int32_t offset = grid_.offset(head.node, head.destination, axis);
      if (offset == 0) continue;
      const Port port = grid_.port_along(axis, offset);
      if (!classes_) return choices.add(port, first_, channels_);
      const int low = (channels_ + 1) / 2;
      if (in_class_1(head, axis, low)) return choices.add(port, first_ + low, channels_ - low);
      return choices.add(port, first_, low);
    }
    choices.add(grid_.ports(), first_, channels_);
  }

 private:
  bool in_class_1(const Head& head, int axis, int low) const {
    const bool entered_before = head.in_port != grid_.ports() && grid_.axis_of(head.in_port) == axis;
    if (entered_before) return head.in_channel >= first_ + low;
    return grid_.coordinate(head.node, axis) > grid_.coordinate(head.destination, axis);
  }

  const Grid& grid_;
  std::vector<int> axes_;
  int first_;
  int channels_;
  bool classes_;
};

}  // namespace

std::unique_ptr<RoutingFunction> dimension_order(const Grid& grid, const DimensionOrderOptions& options) {
  return std::make_unique<DimensionOrder>(grid, options);
}

}  // namespace starloom::routing
