// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Lower bounds for all schedules of a list of packets, by counting. They hold for any paths and any number of
/// residents.
#include <vector>

#include <starloom/control/links/plan.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// Least lengths: stages until the last flit of the last packet is at its destination. 0 if no packet moves.
struct CountingBounds {
  Step distance = 0;  ///< the greatest distance, and flits - 1 for the tail
  Step cut = 0;       ///< flits that cross a straight cut in one direction, by its links in that direction
  /// Flits that end, or begin, in one node, divided by its links: of packets with a distance of at least x links,
  /// none ends or begins in the first x - 1 stages.
  Step degree = 0;

  Step greatest() const;
};

/// Straight cuts divide a grid at right angles to an axis: a mesh between two neighbouring coordinates, a torus at
/// two positions of the ring. O(packets x axes), on a torus times the side.
/// \param flits  of every packet
/// \throws InputError as `check_packets` does.
CountingBounds counting_bounds(const Grid& grid, const std::vector<Packet>& packets, std::int32_t flits = 1);

}  // namespace starloom::links
