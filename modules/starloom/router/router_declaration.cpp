// SPDX-License-Identifier: Apache-2.0
#include <starloom/router/router_declaration.hpp>

#include <utility>

#include <starloom/router/router_engine.hpp>

namespace starloom::links {

Declaration router_declaration(std::vector<Port> port_order, std::int32_t channels, std::int32_t capacity,
                               const router::Pipeline& pipeline) {
  Declaration declaration;
  declaration.storage = StorageModel::virtual_channels;
  declaration.make_engine = make_router_engine;
  declaration.buffers = BufferSide::in_ports;
  declaration.channels = channels;
  declaration.capacity = capacity;
  declaration.pipeline = pipeline;
  declaration.port_order = std::move(port_order);
  declaration.most_flits = 0;
  declaration.routes_own = true;
  return declaration;
}

}  // namespace starloom::links
