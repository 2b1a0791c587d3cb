// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A processor, and the routing at its node, in the hierarchy of modules.
///
/// Facade: the behaviour is in its controller (room `algorithms`; with virtual channels `router/vc_router.hpp`), in
/// the engine that steps the network (room `engines`; with virtual channels `router/router_engine.hpp`), and in the
/// source of its packets (`core/packet_source.hpp`).
#include <starloom/fabric/links/node.hpp>

namespace starloom::links {

/// One node of the machine: a processor, whose memory the packets leave and reach, and the controller that routes.
class Processor final : public RoutingNode {
 public:
  using RoutingNode::RoutingNode;
};

}  // namespace starloom::links
