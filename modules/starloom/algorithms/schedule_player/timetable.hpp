// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A plan as a timetable: the packets that leave each node, with step and out-port, for paths of any shape.
#include <vector>

#include <starloom/control/links/plan.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// The moves of a plan by the node that makes them.
class Timetable {
 public:
  struct Move {
    PacketId packet = no_packet;
    Step leaves = 0;
    Port port = no_port;
  };

  /// The part of the timetable that the controller of a node has: the moves that this node makes.
  class Part {
   public:
    Part(const Move* begin, const Move* end) : begin_(begin), end_(end) {}
    /// The next move of a packet, in step `from` or later; null if there is none.
    const Move* find(PacketId packet, Step from) const;

   private:
    const Move* begin_;
    const Move* end_;
  };

  Timetable(const Grid& grid, const std::vector<Packet>& packets, const Plan& plan);

  /// Valid as long as the timetable.
  Part part(NodeId node) const {
    return {moves_.data() + first_[static_cast<std::size_t>(node)],
            moves_.data() + first_[static_cast<std::size_t>(node) + 1]};
  }

 private:
  std::vector<std::size_t> first_;  ///< [node], and one more
  std::vector<Move> moves_;         ///< of a node: by (packet, step)
};

}  // namespace starloom::links
