// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Permutations on which the multistage method does not reach the greatest distance, although TR 477 reports
/// that it always did. Entry i is the destination of node i.
#include <utility>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/topology/grid/grid.hpp>
#include "support/permutations.hpp"

namespace starloom::links {

/// Five exchanges on the 4 x 4 mesh, greatest distance 3: without waiting on the path, no schedule at all has length
/// 3.
inline std::vector<NodeId> five_swaps() { return {0, 13, 14, 3, 7, 10, 6, 4, 11, 9, 5, 8, 12, 1, 2, 15}; }

/// On the 3 x 4 mesh, greatest distance 3: a schedule of length 3 exists, the method finds 4 with every tie-break.
inline std::vector<NodeId> twelve_nodes() { return {9, 10, 11, 7, 6, 3, 0, 4, 1, 2, 5, 8}; }

/// The n x n mesh turned by a right angle: (r, c) goes to (c, n-1-r).
inline std::vector<NodeId> quarter_turn(NodeId n) {
  std::vector<NodeId> destinations;
  for (NodeId r = 0; r < n; ++r)
    for (NodeId c = 0; c < n; ++c) destinations.push_back(c * n + n - 1 - r);
  return destinations;
}

/// For distance >= 3 on the mesh of side 2*distance - 1: the method needs 2*distance - 1 stages with every scheme and
/// tie-break. Rows and columns through the centre z are kept busy in turn, so that the packet of z finds no start.
inline std::vector<NodeId> unbounded_family(NodeId distance) {
  const NodeId n = 2 * distance - 1;
  const NodeId z = distance - 1;
  const NodeId h = (distance - 1) / 2;
  const NodeId v = distance - 1 - h;
  std::vector<NodeId> destinations = identity_permutation(n * n);
  const auto exchange = [&](NodeId r, NodeId c, NodeId other_r, NodeId other_c) {
    const NodeId one = r * n + c;
    const NodeId other = other_r * n + other_c;
    std::swap(destinations[static_cast<std::size_t>(one)], destinations[static_cast<std::size_t>(other)]);
  };
  for (NodeId j = 1; j < distance; ++j) {
    exchange(z, z - j, z, z - j + distance);
    exchange(z - j, z, z - j + distance, z);
  }
  exchange(z - h, z + h, z - h + distance, z + h);
  exchange(z + v, z - v, z + v, z - v + distance);
  exchange(z, z, z + v, z + h);
  return destinations;
}

}  // namespace starloom::links
