// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Routing functions that combine others, each in channels of its own.
///
/// At the destination all of them offer the local port with the channels of all parts. Only the combinator may
/// require a random choice, not its parts.
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <starloom/routing/channel_classes.hpp>
#include <starloom/routing/routing_function.hpp>
#include <starloom/topology/faults.hpp>

namespace starloom::routing {

struct Part {
  std::unique_ptr<RoutingFunction> function;
  ChannelRange channels;  ///< those of every port that its packets use
};

/// Selects whether packets that have entered an escape channel may leave the escape channels again.
enum class Stay { may_return, for_good };

/// Any choice of `adaptive`, with priority 1, then those of `escape`, with priority 0: heads may always wait for
/// these (J. Duato, "A New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks", IEEE Trans. Parallel and
/// Distributed Systems 4(12), 1993). `escape` sees a head that came over other channels as if it came from its
/// source. If the escape function depends on the path so far, as up*/down* does, packets have to stay for good (F.
/// Silla and J. Duato, "High-Performance Routing in Networks of Workstations with Irregular Topology", IEEE Trans.
/// Parallel and Distributed Systems 11(7), 2000).
/// \param local the local port. \throws InputError for parts with random choices.
std::unique_ptr<RoutingFunction> escape(Port local, Part adaptive, Part escape, Stay stay = Stay::may_return);

/// The intermediate destinations of two-phase routing.
struct Intermediate {
  std::uint32_t random_choices = 1;  ///< each packet makes a random choice below this number
  /// If the choices of a packet depend on its source and destination: their number, and the choice with a number. Null:
  /// all numbers below `random_choices`.
  std::function<std::uint32_t(NodeId source, NodeId destination)> count{};
  std::function<std::uint32_t(NodeId source, NodeId destination, std::uint32_t number)> choice{};
  /// The destination of the first phase.
  std::function<NodeId(std::uint32_t random_choice)> node;
  /// True if the first phase ends in this node, which may be before the intermediate destination.
  std::function<bool(NodeId at, std::uint32_t random_choice, NodeId destination)> over;
};
/// The random choice is the number of a node, one of all nodes.
Intermediate any_node(NodeId nodes);
/// Each packet chooses an intermediate destination at random, goes there first, and then to its destination. Its
/// channel encodes its phase.
/// \param local the local port. \throws InputError for parts with random choices.
std::unique_ptr<RoutingFunction> two_phase(Port local, Part first, Part second, Intermediate intermediate);

/// Packets of pairs that have no path in `first` follow `backup`, from their source on.
/// \param faults those of the parts; null: none. \throws InputError for parts with random choices.
std::unique_ptr<RoutingFunction> with_backup(const NetworkGraph& graph, const Faults* faults, Part first, Part backup);

/// Selects how a packet chooses one of several parts.
enum class ChooseBy {
  chance,  ///< at random
  /// The router of the source: the part whose out-port there has the fewest used places. Among equals, the one that the
  /// packet has chosen at random, or the first.
  load,
};
/// Each packet chooses one of the parts, and follows it.
/// \param local the local port. \throws InputError for parts with random choices.
std::unique_ptr<RoutingFunction> one_of(Port local, std::vector<Part> parts, ChooseBy choose_by = ChooseBy::chance);

}  // namespace starloom::routing
