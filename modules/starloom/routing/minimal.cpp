// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/minimal.hpp>

namespace starloom::routing {
namespace {

class MinimalOnGrid final : public RoutingFunction {
 public:
  MinimalOnGrid(const Grid& grid, ChannelRange channels) : grid_(grid), channels_(channels) {}

  void route(const Head& head, Choices& choices) const override {
    if (head.node == head.destination) return choices.add(grid_.ports(), channels_.first, channels_.count);
    for (const int axis : grid_.route_axes())
      if (const std::int32_t offset = grid_.offset(head.node, head.destination, axis); offset != 0)
        choices.add(grid_.port_along(axis, offset), channels_.first, channels_.count);
  }
  bool adaptive() const override { return true; }

 private:
  const Grid& grid_;
  ChannelRange channels_;
};

}  // namespace

std::unique_ptr<RoutingFunction> minimal(const Grid& grid, ChannelRange channels) {
  return std::make_unique<MinimalOnGrid>(grid, channels);
}

}  // namespace starloom::routing
