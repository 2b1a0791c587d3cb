// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/destination_tag.hpp>

#include <starloom/topology/butterfly.hpp>

namespace starloom::routing {
namespace {

class DestinationTag final : public RoutingFunction {
 public:
  DestinationTag(const Butterfly& butterfly, Port local, ChannelRange channels)
      : butterfly_(butterfly), local_(local), channels_(channels) {}

  void route(const Head& head, Choices& choices) const override {
    Port port = local_;
    if (butterfly_.stage(head.node) >= 0) port = butterfly_.port_towards(head.node, head.destination);
    else if (head.node != head.destination) port = 0;
    choices.add(port, channels_.first, channels_.count);
  }

 private:
  const Butterfly& butterfly_;
  Port local_;
  ChannelRange channels_;
};

}  // namespace

FunctionEntry destination_tag_entry() {
  FunctionEntry entry;
  entry.name = "destination-tag";
  entry.meaning = "a digit of the destination selects the out-port of each stage (Lawrie 1975)";
  entry.serves = {{"butterfly"}};
  entry.fixed = true;
  entry.make = [](const FunctionContext& context, const KeyValues&) {
    return std::make_unique<DestinationTag>(*context.network->as<Butterfly>(), context.graph().ports(),
                                            context.all_channels());
  };
  return entry;
}

}  // namespace starloom::routing
