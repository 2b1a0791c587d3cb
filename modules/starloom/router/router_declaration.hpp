// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What an algorithm declares that runs in routers with virtual channels.
#include <vector>

#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

/// The declaration with which such an algorithm begins: the storage model, where its buffers are, and the engine of the
/// room `router` (RouterEngine), which carries out what ChannelControllers decide. Packets have any length, and those
/// for their own node pass through the router.
/// \param port_order all ports of links, in the order in which the arbiters count them.
/// \param channels virtual channels of a port. \param capacity flits of the buffer of each, at least 1.
Declaration router_declaration(std::vector<Port> port_order, std::int32_t channels, std::int32_t capacity,
                               const router::Pipeline& pipeline = {});

}  // namespace starloom::links
