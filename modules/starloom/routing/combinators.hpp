// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Routing functions that are made of others, each in channels of its own.
///
/// At the destination all of them offer the local port with the channels of all parts. Only the combinator may want a
/// number drawn, not its parts.
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <starloom/routing/channel_classes.hpp>
#include <starloom/routing/routing_function.hpp>

namespace starloom::routing {

struct Part {
  std::unique_ptr<RoutingFunction> function;
  ChannelRange channels;  ///< of every port, in which it leads packets
};

/// Whether packets that have entered an escape channel may leave the escape channels again.
enum class Stay { may_return, for_good };

/// Any choice of `adaptive`, with priority 1, then those of `escape`, with priority 0: heads may always wait for these
/// (J. Duato, "A New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks", IEEE Trans. Parallel and
/// Distributed Systems 4(12), 1993). To `escape` a head that came over other channels comes from its source. Where the
/// escape function depends on the way behind a packet, as up*/down* does, packets stay for good (F. Silla and J. Duato,
/// "High-Performance Routing in Networks of Workstations with Irregular Topology", IEEE Trans. Parallel and Distributed
/// Systems 11(7), 2000).
/// \param local the local port. \throws InputError for parts that draw.
std::unique_ptr<RoutingFunction> escape(Port local, Part adaptive, Part escape, Stay stay = Stay::may_return);

/// Where the first of two legs leads.
struct Intermediate {
  std::uint32_t random_choices = 1;  ///< each packet draws a number below this
  /// The destination of the first leg.
  std::function<NodeId(std::uint32_t drawn)> node;
  /// The first leg ends in this node, which may be sooner.
  std::function<bool(NodeId at, std::uint32_t drawn, NodeId destination)> over;
};
/// Packets draw where they go first, and then go on to their destination. On which leg a packet is, its channel says.
/// \param local the local port. \throws InputError for parts that draw.
std::unique_ptr<RoutingFunction> two_phase(Port local, Part first, Part second, Intermediate intermediate);

/// Packets draw which of the parts they follow.
/// \param local the local port. \throws InputError for parts that draw.
std::unique_ptr<RoutingFunction> one_of(Port local, std::vector<Part> parts);

}  // namespace starloom::routing
