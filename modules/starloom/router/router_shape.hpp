// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The numbering of the channels of a router.
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/topology/network.hpp>

namespace starloom::router {

/// The ports of a router in the order of the arbiters, with `channels` virtual channels each.
///
/// The *index* of a port is its position in that order; the last index is that of the local port, which leads to and
/// from the processor. Channel v of the port with index p is channel p * channels + v, for in-ports and out-ports.
struct RouterShape {
  int channels = 1;
  std::vector<Port> ports{};                   ///< [port index] the number of the port; the last is `local`
  std::vector<std::uint16_t> port_index_of{};  ///< [channel] the index of its port
  std::vector<std::uint16_t> index_of_port{};  ///< [port] its index
  Port local = 0;                              ///< the number of the local port: one more than the last port of a link
  bool has_processor = true;                   ///< false: the local port is a number only

  RouterShape() = default;
  /// \param order ports of links, all numbers from 0 up, in the order of the arbiters.
  /// \param with_processor false if the processors of the network have no routers (NetworkGraph::is_terminal).
  RouterShape(const std::vector<Port>& order, int channel_count, bool with_processor = true);

  int port_count() const { return static_cast<int>(ports.size()); }
  int size() const { return port_count() * channels; }  ///< channels of all in-ports
  /// The ports that allocators match: a router without a processor is a switch between its links.
  int matched_ports() const { return port_count() - (has_processor ? 0 : 1); }
  int local_index() const { return local; }  ///< ports of links have the indices 0 .. local - 1
  int first(int port_index) const { return port_index * channels; }
  int port_index(int channel) const { return port_index_of[static_cast<std::size_t>(channel)]; }
  Port port(int channel) const { return ports[static_cast<std::size_t>(port_index(channel))]; }
  /// The number of a channel within its port.
  int number(int channel) const { return channel - first(port_index(channel)); }
  /// The channel with this number of a port.
  int channel(Port port, int number) const { return first(index_of_port[static_cast<std::size_t>(port)]) + number; }
};

/// The ports of links in the order of the arbiters. In a grid: dimension by dimension in dimension order, towards
/// greater coordinates first; else by their numbers.
std::vector<Port> arbiter_order(const LinkNetwork& network);

/// The greatest number of ports of a router: ports of links, and the local one.
inline constexpr int most_router_ports = max_ports + 1;

/// The words of the sets of channels of a router with this shape.
int words_for(const RouterShape& shape);

}  // namespace starloom::router
