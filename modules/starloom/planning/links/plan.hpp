// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What an offline planner computes before the run: when each packet leaves and which way it goes. Stages of a
/// plan are steps of the run and count from 0.
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// The way of one packet. It waits at its source for free, leaves in stage `start`, and makes one move a stage from then
/// on; `no_port` as a move: it stays where it is for that stage. A packet for its own node makes no moves.
struct Journey {
  Step start = 0;  ///< `no_step`: the packet has no place in the plan
  std::vector<Port> moves;

  bool planned() const { return start != no_step; }

  /// The stage in which the packet's last flit is readable at the destination; 0 for a packet for its own node.
  Step arrival(std::int32_t flits = 1) const {
    return moves.empty() ? 0 : start + static_cast<Step>(moves.size()) + flits - 1;
  }
};

/// A whole plan, written out move by move.
struct Plan {
  std::vector<Journey> journeys;  ///< by packet
  std::int32_t flits = 1;         ///< of every packet; flit j makes each move j stages after the first flit

  Step length() const;  ///< the last arrival, 0 if nothing moves
};

/// Greatest distance of a packet: no plan is shorter. 0 if there are no packets.
std::int32_t greatest_distance(const Grid& grid, const std::vector<Packet>& packets);

/// True for a two-dimensional mesh: nodes have a row and a column.
inline bool has_rows_and_columns(const Grid& grid) { return grid.kind() == GridKind::mesh && grid.dimensions() == 2; }

/// \throws InputError if a packet has a source or a destination outside the grid.
void check_packets(const Grid& grid, const std::vector<Packet>& packets);

}  // namespace starloom::links
