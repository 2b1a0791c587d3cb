// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The declaration of an algorithm that runs in routers with virtual channels.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

/// The engine of the room `router` (RouterEngine), which carries out the decisions of ChannelControllers.
/// \throws std::invalid_argument if a controller is of the wrong base class, or a node has too many channels.
std::unique_ptr<Engine> make_router_engine(EngineSetup& setup);

/// The declaration with which such an algorithm begins: the storage model, its engine, and the side of its buffers.
/// Packets have any length, and those for their own node pass through the router.
/// \param port_order all ports of links, in the order of the arbiters.
/// \param channels virtual channels of a port. \param capacity the most flits of each, at least 1.
inline Declaration router_declaration(std::vector<Port> port_order, std::int32_t channels, std::int32_t capacity,
                                      const router::Pipeline& pipeline = {}) {
  Declaration declaration;
  declaration.storage = StorageModel::virtual_channels;
  declaration.make_engine = make_router_engine;
  declaration.buffers = BufferSide::in_ports;
  declaration.channels = channels;
  declaration.capacity = capacity;
  declaration.pipelines.common = pipeline;
  declaration.port_order = std::move(port_order);
  declaration.most_flits = 0;
  declaration.routes_own = true;
  return declaration;
}

}  // namespace starloom::links
