// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/grid_function.hpp>

#include <algorithm>
#include <utility>

#include <starloom/topology/concentrated_mesh.hpp>
#include <starloom/topology/flattened_butterfly.hpp>
#include <starloom/topology/ring.hpp>

namespace starloom::routing {
namespace {

class BetweenSwitches final : public RoutingFunction {
 public:
  BetweenSwitches(const ConcentratedSwitches& concentrated, Port local, ChannelRange channels,
                  std::unique_ptr<RoutingFunction> of_switches)
      : concentrated_(concentrated), local_(local), channels_(channels), of_switches_(std::move(of_switches)) {}

  void route(const Head& head, Choices& choices) const override {
    const NodeId here = concentrated_.number(head.node), there = concentrated_.number(head.destination);
    Port port = no_port;
    if (head.node == head.destination) port = local_;
    else if (!concentrated_.is_switch(head.node)) port = 0;
    else if (here == there) port = concentrated_.terminal_port(head.destination);
    if (port != no_port) return choices.add(port, channels_.first, channels_.count);
    of_switches_->route(on_switches(head), choices);
  }
  std::uint32_t random_choices() const override { return of_switches_->random_choices(); }
  std::uint32_t random_choices_between(NodeId source, NodeId destination) const override {
    return of_switches_->random_choices_between(concentrated_.number(source), concentrated_.number(destination));
  }
  std::uint32_t random_choice_between(NodeId source, NodeId destination, std::uint32_t number) const override {
    return of_switches_->random_choice_between(concentrated_.number(source), concentrated_.number(destination), number);
  }
  bool decides() const override { return of_switches_->decides(); }
  std::uint32_t decision(const Head& head, const PortLoad& load) const override {
    return concentrated_.is_switch(head.node) ? of_switches_->decision(on_switches(head), load) : head.random_choice;
  }
  void mark_channel(int channel, std::vector<int>& marks) const override { of_switches_->mark_channel(channel, marks); }
  bool adaptive() const override { return of_switches_->adaptive(); }
  bool in_phases() const override { return of_switches_->in_phases(); }
  bool on_first_phase(const Head& head) const override {
    if (!concentrated_.is_switch(head.node)) return head.node != head.destination;
    return concentrated_.number(head.node) != concentrated_.number(head.destination) &&
           of_switches_->on_first_phase(on_switches(head));
  }

 private:
  Head on_switches(const Head& head) const {
    return {concentrated_.number(head.node), std::min(head.in_port, concentrated_.ports_to_switches()), head.in_channel,
            concentrated_.number(head.destination), head.random_choice};
  }

  const ConcentratedSwitches& concentrated_;
  Port local_;
  ChannelRange channels_;
  std::unique_ptr<RoutingFunction> of_switches_;
};

}  // namespace

const Grid* grid_in(const LinkNetwork& network) {
  if (const auto* ring = network.as<Ring>()) return &ring->torus();
  if (const auto* concentrated = network.as<ConcentratedMesh>()) return &concentrated->mesh();
  return network.as<Grid>();
}

std::unique_ptr<RoutingFunction> on_network(const FunctionContext& context, std::unique_ptr<RoutingFunction> of_nodes) {
  const ConcentratedSwitches* concentrated = context.network->as<ConcentratedMesh>();
  if (concentrated == nullptr) concentrated = context.network->as<FlattenedButterfly>();
  if (concentrated == nullptr) return of_nodes;
  return std::make_unique<BetweenSwitches>(*concentrated, context.graph().ports(), context.all_channels(),
                                           std::move(of_nodes));
}

}  // namespace starloom::routing
