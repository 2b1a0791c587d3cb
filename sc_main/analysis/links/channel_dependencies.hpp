#pragma once
/// \file Can packets that hold links or buffers wait for each other in a circle? The channel dependency graph of
/// W. J. Dally and C. L. Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection Networks", 1987.
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/controllers/links/algorithm.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// A directed link with the buffers at its end, or one class of its virtual channels.
struct Channel {
  NodeId node = no_node;  ///< where it begins
  Port port = no_port;
  std::int32_t first = -1;  ///< the first virtual channel of the class; -1: all channels of a link are alike
};

/// What follows from the graph: its vertices are the links, and an edge leads from a link to each link that some packet
/// asks for when it arrives there. Where a routing function divides the virtual channels of links, the vertices are the
/// classes of channels that it never divides.
struct ChannelDependencies {
  std::int32_t classes = 1;       ///< of the channels of a link
  std::int64_t channels = 0;      ///< links, or classes of their channels, that some packet uses
  std::int64_t dependencies = 0;  ///< edges
  std::int64_t components = 0;    ///< strong components of more than one link
  std::int64_t in_circles = 0;    ///< links in those
  /// A shortest circle through the first link that lies on one; empty: there is none, and so no deadlock.
  std::vector<Channel> circle;

  bool acyclic() const { return circle.empty(); }
};

/// The graph of the algorithm's routing function for packets from all processors to all processors; nothing if that is not fixed.
/// The time grows with the square of the number of nodes.
std::optional<ChannelDependencies> channel_dependencies(const NetworkGraph& graph, const Algorithm& algorithm);

}  // namespace starloom::links
