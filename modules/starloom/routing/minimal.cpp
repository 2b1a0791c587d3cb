// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/minimal.hpp>

#include <starloom/routing/port_rows.hpp>

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

class MinimalOnGraph final : public RoutingFunction {
 public:
  MinimalOnGraph(const std::string& name, const NetworkGraph& graph, ChannelRange channels)
      : graph_(graph), channels_(channels), rows_(name, graph, static_cast<std::size_t>(graph.nodes())) {
    for (NodeId processor = 0; processor < graph.processors(); ++processor) fill(processor);
  }

  void route(const Head& head, Choices& choices) const override {
    if (head.node == head.destination) return choices.add(graph_.ports(), channels_.first, channels_.count);
    PortMask ports = rows_.at(graph_.processor_of(head.destination), static_cast<std::size_t>(head.node));
    for (; ports != 0; ports &= ports - 1) choices.add(lowest_port(ports), channels_.first, channels_.count);
  }
  bool adaptive() const override { return true; }
  double table_bytes() const override { return rows_.bytes(); }

 private:
  void fill(NodeId processor) {
    const std::vector<std::int32_t> left = graph_.distances_to(graph_.processor(processor));
    for (NodeId node = 0; node < graph_.nodes(); ++node) {
      PortMask nearer = 0;
      for (PortMask ports = graph_.out_mask(node); ports != 0; ports &= ports - 1) {
        const NodeId next = graph_.far_end(node, lowest_port(ports)).node;
        if (left[static_cast<std::size_t>(next)] + 1 == left[static_cast<std::size_t>(node)]) nearer |= ports & -ports;
      }
      rows_.set(processor, static_cast<std::size_t>(node), nearer);
    }
  }

  const NetworkGraph graph_;
  ChannelRange channels_;
  DestinationRows<PortMask> rows_;
};

}  // namespace

std::unique_ptr<RoutingFunction> minimal(const Grid& grid, ChannelRange channels) {
  return std::make_unique<MinimalOnGrid>(grid, channels);
}

std::unique_ptr<RoutingFunction> minimal(const std::string& name, const NetworkGraph& graph, ChannelRange channels) {
  return std::make_unique<MinimalOnGraph>(name, graph, channels);
}

}  // namespace starloom::routing
