// SPDX-License-Identifier: Apache-2.0
#include <starloom/router/router_shape.hpp>

#include <starloom/router/channel_set.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::router {

RouterShape::RouterShape(const std::vector<Port>& order, int channel_count, bool with_processor)
    : channels(channel_count),
      ports(order),
      index_of_port(order.size() + 1),
      local(static_cast<Port>(order.size())),
      has_processor(with_processor) {
  ports.push_back(local);
  for (int port_index = 0; port_index < port_count(); ++port_index) {
    index_of_port[static_cast<std::size_t>(ports[static_cast<std::size_t>(port_index)])] =
        static_cast<std::uint16_t>(port_index);
    port_index_of.insert(port_index_of.end(), static_cast<std::size_t>(channels),
                         static_cast<std::uint16_t>(port_index));
  }
}

int words_for(const RouterShape& shape) {
  return shape.size() <= ChannelSet<1>::capacity && shape.port_count() <= most_ports<1> ? 1 : any_words;
}

std::vector<Port> arbiter_order(const LinkNetwork& network) {
  std::vector<Port> order;
  if (const Grid* grid = network.as<Grid>()) {
    for (const int axis : grid->route_axes())
      for (const int sign : {1, -1}) order.push_back(grid->port_along(axis, sign));
    return order;
  }
  for (Port port = 0; port < network.graph.ports(); ++port) order.push_back(port);
  return order;
}

}  // namespace starloom::router
