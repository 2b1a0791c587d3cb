// SPDX-License-Identifier: Apache-2.0
#include "across_adaptive.hpp"

#include <cstdlib>

#include "spidergon.hpp"

namespace own {

using namespace starloom;
using routing::Choices;
using routing::FunctionContext;
using routing::Head;

namespace {

class AcrossAdaptive final : public routing::RoutingFunction {
 public:
  AcrossAdaptive(const FunctionContext& context, std::int64_t slack)
      : ring_(*context.network->as<Spidergon>()), channels_(context.all_channels()), slack_(slack) {}

  bool adaptive() const override { return true; }
  void route(const Head& head, Choices& choices) const override {
    if (head.node == head.destination) return choices.add(Spidergon::ports, channels_.first, channels_.count);
    const std::int32_t offset = ring_.offset(head.node, head.destination);
    const std::int32_t along = std::abs(offset), across = 1 + ring_.half() - along;
    const bool at_source = head.in_port == Spidergon::ports;
    if (!at_source || along <= across + slack_) add_along(head, offset, choices);
    if (at_source && across <= along + slack_) choices.add(Spidergon::across, channels_.first, channels_.count);
  }

 private:
  /// The lower channels up to the link between the last node and node 0, the upper ones behind it.
  void add_along(const Head& head, std::int32_t offset, Choices& choices) const {
    const bool clockwise = offset > 0;
    const bool before = clockwise ? head.node > head.destination : head.node < head.destination;
    const routing::ChannelRange part = channels_.part(before ? 0 : 1, 2);
    choices.add(clockwise ? Spidergon::clockwise : Spidergon::anticlockwise, part.first, part.count);
  }

  const Spidergon& ring_;
  const routing::ChannelRange channels_;
  const std::int64_t slack_;
};

}  // namespace

routing::FunctionEntry across_adaptive_entry() {
  routing::FunctionEntry entry;
  entry.name = "across-adaptive";
  entry.meaning = "across the ring or along it; the router chooses where both are about as long";
  entry.serves = {{"spidergon", 2, "datelines"}};
  entry.keys = {integer_key("slack", "links by which the path of a packet may be longer than the other path")
                    .within(0, 1 << 20)
                    .measured_in("links")
                    .by_default(0)};
  entry.make = [](const FunctionContext& context, const KeyValues& keys) {
    return std::make_unique<AcrossAdaptive>(context, keys.integer("slack"));
  };
  return entry;
}

}  // namespace own
