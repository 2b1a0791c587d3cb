#pragma once
/// \file A plan as a timetable: which packets leave a node when and where, for paths of any shape.
#include <vector>

#include "core/packet.hpp"
#include "planners/plan.hpp"
#include "topology/topology.hpp"

namespace starloom {

/// The moves of a plan by the node that makes them. A node's part of it is what its controller holds.
class Timetable {
 public:
  struct Move {
    PacketId packet = no_packet;
    Step leaves = 0;
    Port port = no_port;
  };

  Timetable(const Topology& grid, const std::vector<Packet>& packets, const Plan& plan);

  /// The next move of a packet at a node, in step `from` or later; null if there is none.
  const Move* find(NodeId node, PacketId packet, Step from) const;

 private:
  std::vector<std::size_t> first_;  ///< [node], and one more
  std::vector<Move> moves_;         ///< of a node: by (packet, leaves)
};

}  // namespace starloom
