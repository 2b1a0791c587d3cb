// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The router with virtual channels on any network: a shortest path by the lowest port, with all channels
/// equivalent.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/router/router_declaration.hpp>
#include <starloom/router/vc_router.hpp>

namespace starloom::links {

class ShortestFunction final : public routing::RoutingFunction {
 public:
  ShortestFunction(const NetworkGraph& graph, int channels, std::vector<Port> order)
      : graph_(graph), channels_(channels), order_(std::move(order)) {}

  void route(const routing::Head& head, routing::Choices& choices) const override {
    choices.add(port(head.node, head.destination), 0, channels_);
  }
  Port port(NodeId at, NodeId destination) const {
    if (at == destination) return graph_.ports();
    const std::int32_t left = graph_.distance(at, destination);
    for (const Port out : order_)
      if (graph_.out_ports(at).has(out) && graph_.distance(graph_.far_end(at, out).node, destination) == left - 1)
        return out;
    return no_port;
  }

 private:
  const NetworkGraph graph_;
  const int channels_;
  const std::vector<Port> order_;  ///< the first of these that will do
};

class ShortestRouter final : public Algorithm {
 public:
  /// \param order of the ports in the choice of a path, if not that of their numbers.
  ShortestRouter(const NetworkGraph& graph, std::int32_t channels, std::int32_t buffer,
                 router::Pipeline pipeline = *router::Pipeline::of(3, true), std::vector<Port> order = {})
      : Algorithm(declare(graph, channels, buffer, pipeline)),
        nodes_(graph.nodes()),
        shape_(declaration().port_order, channels),
        function_(graph, channels, order.empty() ? declaration().port_order : std::move(order)) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    const RoutedClasses classes{&all_};
    const router::Pipeline& pipeline = declaration().pipelines.common;
    if (router::words_for(shape_) == 1) return controllers_like(VcRouter<64>(shape_, pipeline, classes), nodes_);
    return controllers_like(VcRouter<0>(shape_, pipeline, classes), nodes_);
  }
  const routing::RoutingFunction* routing_function(int /*packet_class*/) const override { return &function_; }
  Port next_port(NodeId at, const Flit& head) const override { return function_.port(at, head.destination); }

 private:
  static Declaration declare(const NetworkGraph& graph, std::int32_t channels, std::int32_t buffer,
                             router::Pipeline pipeline) {
    std::vector<Port> ports;
    for (Port port = 0; port < graph.ports(); ++port) ports.push_back(port);
    Declaration d = router_declaration(std::move(ports), channels, buffer, pipeline);
    // The published state of VcRouter for each channel and port.
    const router::RouterShape shape(d.port_order, channels);
    for (int field = 0; field < 4 * shape.size() + shape.port_count(); ++field)
      d.state.push_back({"field" + std::to_string(field), 32, {}});
    return d;
  }

  const NodeId nodes_;
  const router::RouterShape shape_;
  const ShortestFunction function_;
  const RoutedClass all_{{0, shape_.channels}, &function_};
};

}  // namespace starloom::links
