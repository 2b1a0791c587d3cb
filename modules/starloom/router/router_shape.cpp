// SPDX-License-Identifier: Apache-2.0
#include <starloom/router/router_shape.hpp>

namespace starloom::router {

RouterShape::RouterShape(const std::vector<Port>& order, int channel_count)
    : channels(channel_count), ports(order), place_at(order.size() + 1), local(static_cast<Port>(order.size())) {
  ports.push_back(local);
  for (int place = 0; place < places(); ++place) {
    place_at[static_cast<std::size_t>(ports[static_cast<std::size_t>(place)])] = static_cast<std::uint8_t>(place);
    place_of.insert(place_of.end(), static_cast<std::size_t>(channels), static_cast<std::uint8_t>(place));
  }
}

}  // namespace starloom::router
