// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/dragonfly_valiant.hpp>

#include <starloom/topology/dragonfly.hpp>

namespace starloom::routing {
namespace {

class DragonflyValiant final : public RoutingFunction {
 public:
  DragonflyValiant(const Dragonfly& dragonfly, Port local, ChannelRange channels)
      : dragonfly_(dragonfly), local_(local), channels_(channels) {}

  void route(const Head& head, Choices& choices) const override {
    const std::int32_t here = dragonfly_.group(head.node), last = dragonfly_.group(head.destination);
    const auto random_choice = static_cast<std::int32_t>(head.random_choice);
    if (here == last || !dragonfly_.is_router(head.node)) {
      const Port port = dragonfly_.minimal_port(head.node, head.destination);
      if (port == no_port) return choices.add(local_, channels_.first, channels_.count);
      const bool of_group = dragonfly_.is_router(head.node) && dragonfly_.is_local(port);
      const ChannelRange range = of_group ? channels_.part(2, 3) : channels_;
      return choices.add(port, range.first, range.count);
    }
    // Global links on the path so far: none in the group of the source, unless that is the intermediate group.
    const int crossed = here == random_choice ? 1 : 0;
    const std::int32_t next = here == random_choice ? last : random_choice;
    const NodeId gateway = dragonfly_.gateway(here, next);
    const bool across = head.node == gateway;
    const ChannelRange range = across ? channels_.part(crossed, 2) : channels_.part(crossed, 3);
    choices.add(across ? dragonfly_.global_port(here, next) : dragonfly_.local_port(head.node, gateway), range.first,
                range.count);
  }
  std::uint32_t random_choices() const override { return static_cast<std::uint32_t>(dragonfly_.groups()); }
  bool in_phases() const override { return true; }
  bool on_first_phase(const Head& head) const override {
    if (!dragonfly_.is_router(head.node)) return head.node != head.destination;
    const std::int32_t here = dragonfly_.group(head.node);
    return here != static_cast<std::int32_t>(head.random_choice) && here != dragonfly_.group(head.destination);
  }

 private:
  const Dragonfly& dragonfly_;
  Port local_;
  ChannelRange channels_;
};

}  // namespace

FunctionEntry dragonfly_valiant_entry() {
  FunctionEntry entry;
  entry.name = "dragonfly-valiant";
  entry.meaning = "through a random intermediate group (Kim et al. 2008)";
  entry.serves = {{"dragonfly", 3, "local links of three groups"}};
  entry.make = [](const FunctionContext& context, const KeyValues&) {
    return std::make_unique<DragonflyValiant>(*context.network->as<Dragonfly>(), context.graph().ports(),
                                              context.all_channels());
  };
  return entry;
}

}  // namespace starloom::routing
