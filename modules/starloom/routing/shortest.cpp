// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/shortest.hpp>

#include <starloom/routing/port_rows.hpp>

namespace starloom::routing {
namespace {

class Shortest final : public RoutingFunction {
 public:
  Shortest(const NetworkGraph& graph, ChannelRange channels)
      : graph_(graph), channels_(channels), rows_("shortest", graph, static_cast<std::size_t>(graph.nodes())) {
    for (NodeId processor = 0; processor < graph.processors(); ++processor) fill(processor);
  }

  void route(const Head& head, Choices& choices) const override {
    const Port port = head.node == head.destination
                          ? graph_.ports()
                          : rows_.at(graph_.processor_of(head.destination), static_cast<std::size_t>(head.node));
    if (port != no_port) choices.add(port, channels_.first, channels_.count);
  }
  double table_bytes() const override { return rows_.bytes(); }

 private:
  void fill(NodeId processor) {
    const std::vector<std::int32_t> left = graph_.distances_to(graph_.processor(processor));
    for (NodeId node = 0; node < graph_.nodes(); ++node)
      for (PortMask ports = graph_.out_mask(node); ports != 0; ports &= ports - 1) {
        const Port port = lowest_port(ports);
        const std::int32_t behind = left[static_cast<std::size_t>(graph_.far_end(node, port).node)];
        if (behind < 0 || behind + 1 != left[static_cast<std::size_t>(node)]) continue;
        rows_.set(processor, static_cast<std::size_t>(node), port);
        break;
      }
  }

  const NetworkGraph graph_;
  ChannelRange channels_;
  PortRows rows_;
};

}  // namespace

FunctionEntry shortest_entry() {
  FunctionEntry entry;
  entry.name = "shortest";
  entry.meaning = "the fewest links, the lowest of the ports that begin such a way";
  entry.serves = {{any_topology}};
  entry.fixed = true;
  entry.make = [](const FunctionContext& context) {
    return std::make_unique<Shortest>(context.graph(), context.all_channels());
  };
  return entry;
}

}  // namespace starloom::routing
