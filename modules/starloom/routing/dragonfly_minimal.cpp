// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/dragonfly_minimal.hpp>

#include <starloom/topology/dragonfly.hpp>

namespace starloom::routing {
namespace {

class DragonflyMinimal final : public RoutingFunction {
 public:
  DragonflyMinimal(const Dragonfly& dragonfly, Port local, ChannelRange channels)
      : dragonfly_(dragonfly), local_(local), channels_(channels) {}

  void route(const Head& head, Choices& choices) const override {
    const Port port = dragonfly_.minimal_port(head.node, head.destination);
    if (port == no_port) return choices.add(local_, channels_.first, channels_.count);
    ChannelRange range = channels_;
    if (dragonfly_.is_router(head.node) && dragonfly_.is_local(port))
      range = channels_.part(dragonfly_.group(head.node) == dragonfly_.group(head.destination) ? 1 : 0, 2);
    choices.add(port, range.first, range.count);
  }

 private:
  const Dragonfly& dragonfly_;
  Port local_;
  ChannelRange channels_;
};

}  // namespace

FunctionEntry dragonfly_minimal_entry() {
  FunctionEntry entry;
  entry.name = "dragonfly-minimal";
  entry.meaning = "the one global link between the two groups (Kim et al. 2008)";
  entry.serves = {{"dragonfly", 2, "local links before and after the global one"}};
  entry.fixed = true;
  entry.make = [](const FunctionContext& context, const KeyValues&) {
    return std::make_unique<DragonflyMinimal>(*context.network->as<Dragonfly>(), context.graph().ports(),
                                              context.all_channels());
  };
  return entry;
}

}  // namespace starloom::routing
