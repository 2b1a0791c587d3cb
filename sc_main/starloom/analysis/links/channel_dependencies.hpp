// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Can packets that hold links or buffers wait for each other in a circle, and do all arrive? Answers from the
/// routing function and the network alone.
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// A directed link with the buffers at its end, or one class of its virtual channels.
struct Channel {
  NodeId node = no_node;  ///< where it begins
  Port port = no_port;
  std::int32_t first = -1;  ///< the first virtual channel of the class; -1: all channels of a link are alike
};

/// A packet by the nodes between which it travels.
struct PacketEnds {
  NodeId source = no_node;
  NodeId destination = no_node;
};

/// A channel of a circle, and a packet that holds it and may ask for the next.
struct HeldChannel : Channel {
  PacketEnds packet;
};

/// A node and a packet in whose way it stands.
struct PacketAt {
  NodeId node = no_node;
  PacketEnds packet;
};

/// The channel dependency graph of W. J. Dally and C. L. Seitz, "Deadlock-Free Message Routing in Multiprocessor
/// Interconnection Networks", 1987: its vertices are the links, and an edge leads from a link to each link that some
/// packet may ask for when it has come over the first. Where a routing function divides the virtual channels of
/// links, the vertices are the classes of channels that it never divides. Only heads that come from processors count.
///
/// Where a function has channels of several priorities, heads may always wait for those of priority 0, the escape
/// channels, and the graph is the extended one of J. Duato, "A Necessary and Sufficient Condition for Deadlock-Free
/// Adaptive Routing in Wormhole Networks", IEEE Trans. Parallel and Distributed Systems 6(10), 1995: its vertices are
/// the channels that are escape channels of any destination, and an edge leads from one that a packet holds (as an
/// escape channel, or not: a cross dependency) to each escape channel that it may ask for next (direct), or after
/// channels that are none for it (indirect).
struct ChannelDependencies {
  bool too_many_paths = false;  ///< to look at all of them; the rest is unknown
  bool extended = false;
  std::int32_t classes = 1;       ///< of the channels of a link
  std::int64_t channels = 0;      ///< links, or classes of their channels, that some packet uses
  std::int64_t vertices = 0;      ///< of the graph: `channels`, or the escape channels among them
  std::int64_t dependencies = 0;  ///< edges
  std::int64_t components = 0;    ///< strong components of more than one link
  std::int64_t on_cycles = 0;     ///< links in those
  /// A shortest circle; empty: there is none.
  std::vector<HeldChannel> cycle;

  std::int64_t pairs = 0;                  ///< of a source and another destination
  std::int32_t longest = 0;                ///< links of the longest way, if no way is endless
  PacketEnds farthest;                     ///< a packet that may take it; none: all ways in two legs are shorter
  std::optional<PacketAt> lost;            ///< a packet that has nowhere to go in a node
  std::optional<PacketAt> astray;          ///< a packet that may come to a node again and again
  std::optional<PacketAt> without_escape;  ///< if `extended`: a packet that has no escape channel in a node

  /// No traffic can end in a deadlock.
  bool acyclic() const { return cycle.empty() && !without_escape; }
};

/// What the routing function says of packets from all processors to all processors; nothing if it is not fixed. The
/// time grows with the square of the number of nodes, with what packets draw and with what heads may choose;
/// `most_looked_at` places of heads, and choices there, take a few seconds.
std::optional<ChannelDependencies> channel_dependencies(const NetworkGraph& graph, const Algorithm& algorithm,
                                                        std::size_t most_looked_at = 80'000'000);

}  // namespace starloom::links
