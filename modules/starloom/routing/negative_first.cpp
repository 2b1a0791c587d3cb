// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/negative_first.hpp>

#include <starloom/routing/grid_function.hpp>

namespace starloom::routing {
namespace {

class NegativeFirst final : public RoutingFunction {
 public:
  NegativeFirst(const Grid& mesh, ChannelRange channels) : mesh_(mesh), channels_(channels) {}

  void route(const Head& head, Choices& choices) const override {
    for (const int sign : {-1, 1}) {
      for (const int axis : mesh_.route_axes())
        if (sign * mesh_.offset(head.node, head.destination, axis) > 0)
          choices.add(mesh_.port_along(axis, sign), channels_.first, channels_.count);
      if (choices.size() > 0) return;
    }
    choices.add(mesh_.ports(), channels_.first, channels_.count);
  }
  bool adaptive() const override { return true; }

 private:
  const Grid& mesh_;
  ChannelRange channels_;
};

}  // namespace

FunctionEntry negative_first_entry() {
  FunctionEntry entry;
  entry.name = "negative-first";
  entry.meaning = "adaptive, with negative directions before positive ones (Glass and Ni 1992)";
  entry.serves = {{"mesh"}, {"concentrated-mesh"}};
  entry.make = [](const FunctionContext& context, const KeyValues&) {
    return on_network(context, std::make_unique<NegativeFirst>(*grid_in(*context.network), context.all_channels()));
  };
  return entry;
}

}  // namespace starloom::routing
