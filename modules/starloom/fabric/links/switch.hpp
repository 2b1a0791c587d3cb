// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A switch in the hierarchy of modules.
///
/// Facade: the behaviour is in its controller (room `algorithms`; with virtual channels `router/vc_router.hpp`) and
/// in the engine that steps the network (room `engines`; with virtual channels `router/router_engine.hpp`).
#include <starloom/fabric/links/node.hpp>

namespace starloom::links {

/// A node without a processor: its controller forwards arrivals, and may store them in the switch's buffers. It has
/// no memory for packets.
class Switch final : public RoutingNode {
 public:
  using RoutingNode::RoutingNode;
  NodeRole role() const override { return NodeRole::switch_node; }
};

}  // namespace starloom::links
