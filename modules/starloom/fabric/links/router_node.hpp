// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A router and its processor, one node, in the hierarchy of modules.
///
/// Facade: the behaviour is in its controller (room `algorithms`; with virtual channels `router/vc_router.hpp`), in
/// the engine that steps the network (room `engines`; with virtual channels `router/router_engine.hpp`), and in the
/// source of its packets (`core/packet_source.hpp`).
#include <starloom/fabric/links/node.hpp>

namespace starloom::links {

/// A node with a controller that routes, and a processor with a memory from which packets leave and in which they
/// arrive.
class RouterNode final : public RoutingNode {
 public:
  using RoutingNode::RoutingNode;
};

/// The name of this module before version 0.1.0. It will be removed in the next version.
using Processor [[deprecated("use RouterNode")]] = RouterNode;

}  // namespace starloom::links
