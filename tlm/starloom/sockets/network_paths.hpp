// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The stages of packets between two nodes of a network with virtual channels, and their times without
/// contention. Without SystemC.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/control/links/zero_load.hpp>

namespace starloom::links {

/// The path of packets from one node to another.
struct NetworkPath {
  /// A resource that a packet occupies flit by flit: the processor that sends it, every link between routers, the
  /// processor that consumes it.
  struct Stage {
    std::size_t index = 0;  ///< below PathTable::places()
    Step after = 0;         ///< steps from the head's passing of the previous stage (for the first: from its creation)
    std::int32_t interval = 1;  ///< steps between two flits
  };
  std::vector<Stage> stages;
  Step head = 0;                       ///< steps from the creation of a packet to the consumption of its head
  std::int32_t hops = 0;               ///< links, including those of terminals
  std::int32_t interval = 1;           ///< the greatest of the stages
  Step credit_loop = 0;                ///< the longest time until a buffer slot is used again, without `packet`
  std::optional<PacketPath> packet{};  ///< if ZeroLoad computes when its flits are consumed, not this path
};

/// Paths of `vc-wormhole`: by the routing function if that is fixed, else a shortest one.
class PathTable {
 public:
  /// \param algorithm with virtual channels; it outlives the table.
  PathTable(const NetworkGraph& graph, const Algorithm& algorithm);

  NetworkPath path(NodeId from, NodeId to) const;
  /// The links on the path, as NetworkGraph::index numbers them.
  std::vector<std::size_t> links(NodeId from, NodeId to) const;
  /// Steps from the creation of a packet of this number of flits to its delivery in the empty network: the time of
  /// its head, and that of the flits behind it, one per step, or more if intervals of links or credits of small
  /// buffers delay them.
  Step empty_time(const NetworkPath& path, std::int32_t flits) const { return path.head + tail(path, flits); }
  /// The part of it from the consumption of the first flit to that of the last.
  Step tail(const NetworkPath& path, std::int32_t flits) const {
    if (path.packet) return zero_load_.latency(*path.packet, flits) - path.head;
    const Step behind = flits - 1;
    const Step by_credits =
        path.credit_loop > capacity_ ? behind / capacity_ * path.credit_loop + behind % capacity_ : behind;
    return std::max(by_credits, behind * path.interval);
  }
  std::size_t places() const { return graph_.link_slots() + 2 * static_cast<std::size_t>(graph_.nodes()); }

 private:
  Port next_port(NodeId at, NodeId to) const;
  /// A terminal's packets for itself go to its switch and back.
  bool goes_on(NodeId from, NodeId at, NodeId to, std::size_t hops) const {
    return at != to || (hops == 0 && graph_.is_terminal(from));
  }

  const NetworkGraph graph_;
  const Algorithm& algorithm_;
  const Step capacity_;  ///< flits of a buffer
  const ZeroLoad zero_load_;
};

}  // namespace starloom::links
