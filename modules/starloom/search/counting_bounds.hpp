// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Lower bounds for all schedules of some packets that take no more than counting. They hold for any paths and
/// any number of waiting places.
#include <vector>

#include <starloom/control/links/plan.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// Least lengths: stages until the last flit of the last packet is at its destination. 0 if nothing moves.
struct CountingBounds {
  Step distance = 0;  ///< the greatest distance, and flits - 1 for the tail
  Step cut = 0;       ///< flits that cross a straight cut in one direction, by its links in that direction
  /// Flits that end, or begin, in one node, by its links: of those that come x links far or more, none does so in the
  /// first x - 1 stages.
  Step degree = 0;

  Step greatest() const;
};

/// Straight cuts part a grid at right angles to an axis: on a mesh between two neighbouring coordinates, on a torus
/// at two places of the ring. O(packets x axes), on a torus times the side.
/// \param flits  of every packet
/// \throws InputError as `check_packets` does.
CountingBounds counting_bounds(const Grid& grid, const std::vector<Packet>& packets, std::int32_t flits = 1);

}  // namespace starloom::links
