// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A processor with its routing controller.
#include <starloom/fabric/links/node.hpp>

namespace starloom::links {

/// One node of the machine: a processor, whose memory the packets leave and reach, and the controller that routes.
class Processor final : public RoutingNode {
 public:
  using RoutingNode::RoutingNode;
};

}  // namespace starloom::links
