// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Deadlock and delivery: can packets that hold links or buffers wait for each other in a cycle, and do all
/// arrive? Determined from the routing function and the network only.
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// A directed link with the buffers at its end, or one class of its virtual channels.
struct Channel {
  NodeId node = no_node;  ///< where the link begins
  Port port = no_port;
  std::int32_t first = -1;  ///< the first virtual channel of the class; -1: all channels of a link are equivalent
};

/// A packet, given by its source and destination.
struct PacketEnds {
  NodeId source = no_node;
  NodeId destination = no_node;
};

/// A channel of a cycle, and a packet that holds it and may request the next.
struct HeldChannel : Channel {
  PacketEnds packet;
};

/// A node and a packet that has a problem there.
struct PacketAt {
  NodeId node = no_node;
  PacketEnds packet;
};

/// The channel dependency graph of W. J. Dally and C. L. Seitz, "Deadlock-Free Message Routing in Multiprocessor
/// Interconnection Networks", 1987: its vertices are the links, and an edge leads from a link to each link that a
/// packet may request after it has crossed the first. If a routing function divides the virtual channels of links,
/// the vertices are the classes of channels that it never divides. Only heads that come from processors count.
///
/// If a function has channels of several priorities, heads may always wait for those of priority 0, the escape
/// channels, and the graph is the extended one of J. Duato, "A Necessary and Sufficient Condition for Deadlock-Free
/// Adaptive Routing in Wormhole Networks", IEEE Trans. Parallel and Distributed Systems 6(10), 1995: its vertices are
/// the channels that are escape channels of any destination, and an edge leads from one that a packet holds (as an
/// escape channel, or not: a cross dependency) to each escape channel that it may request next (direct), or after
/// channels that are not escape channels for it (indirect). If heads request all choices, of any priority, the graph is
/// the first one.
struct ChannelDependencies {
  bool too_many_paths = false;  ///< to be searched completely; the rest is unknown
  bool extended = false;
  std::int32_t classes = 1;       ///< of the channels of a link
  std::int64_t channels = 0;      ///< links, or classes of their channels, that a packet uses
  std::int64_t vertices = 0;      ///< of the graph: `channels`, or the escape channels among them
  std::int64_t dependencies = 0;  ///< edges
  std::int64_t components = 0;    ///< strongly connected components of more than one link
  std::int64_t on_cycles = 0;     ///< links in those
  /// A shortest cycle; empty: there is none.
  std::vector<HeldChannel> cycle;

  std::int32_t longest = 0;                ///< links of the longest path, if no path is endless
  PacketEnds farthest;                     ///< a packet that may take it; none: paths in two phases may all be shorter
  std::optional<PacketAt> lost;            ///< a packet without a choice in a node
  std::optional<PacketAt> astray;          ///< a packet that may return to a node without limit
  std::optional<PacketAt> without_escape;  ///< if `extended`: a packet that has no escape channel in a node

  /// True if no traffic can end in a deadlock.
  bool acyclic() const { return cycle.empty() && !without_escape; }
};

/// The dependencies of packets from all processors to all processors to which they have a path; empty if the routing
/// function is not fixed. The time grows with the square of the number of nodes, with the random choices of packets and
/// with the choices of heads; `most_looked_at` states of heads, and choices there, take a few seconds.
std::optional<ChannelDependencies> channel_dependencies(const NetworkGraph& graph, const Algorithm& algorithm,
                                                        std::size_t most_looked_at = 80'000'000);
/// The same while packets of two algorithms meet: routers change from one to the other, and each head that begins then
/// asks the second in its next router, from the in-port through which it came (Transition::keep). These are all
/// dependencies of the first one, also over links that have died, those of the second, and those of packets that cross
/// over from one to the other.
std::optional<ChannelDependencies> dependencies_of_change(const NetworkGraph& graph, const Algorithm& before,
                                                          const Algorithm& after,
                                                          std::size_t most_looked_at = 80'000'000);

}  // namespace starloom::links
