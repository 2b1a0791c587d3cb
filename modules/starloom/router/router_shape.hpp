// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file How the channels of a router are numbered.
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::router {

/// The ports of a router in the order in which arbiters count them, with `channels` virtual channels each.
///
/// A *place* is the position of a port in that order; the last place is the local port, which leads to and from the
/// processor. Channel v of the port at place p has the index p * channels + v, for in-ports and out-ports alike.
struct RouterShape {
  int channels = 1;
  std::vector<Port> ports{};                  ///< [place] the number of the port; the last is `local`
  std::vector<std::uint8_t> port_index_of{};  ///< [index of a channel] its place
  std::vector<std::uint8_t> index_of_port{};  ///< [port] its place
  Port local = 0;                             ///< the number of the local port: one more than the last port of a link

  RouterShape() = default;
  /// \param order ports of links, all numbers from 0 up, in the order of the arbiters.
  RouterShape(const std::vector<Port>& order, int channel_count);

  int port_count() const { return static_cast<int>(ports.size()); }
  int size() const { return port_count() * channels; }  ///< channels of all in-ports
  int local_index() const { return local; }             ///< ports of links are places 0 .. local - 1
  int first(int port_index) const { return port_index * channels; }
  int port_index(int channel) const { return port_index_of[static_cast<std::size_t>(channel)]; }
  Port port(int channel) const { return ports[static_cast<std::size_t>(port_index(channel))]; }
  /// The number of a channel within its port.
  int number(int channel) const { return channel - first(port_index(channel)); }
  /// The index of channel `number` of a port.
  int channel(Port port, int number) const { return first(index_of_port[static_cast<std::size_t>(port)]) + number; }
};

/// The most places of a router: ports of links, and the local one.
inline constexpr int most_router_ports = max_ports + 1;

}  // namespace starloom::router
