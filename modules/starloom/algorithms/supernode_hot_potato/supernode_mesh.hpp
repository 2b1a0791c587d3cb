// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A mesh of nodes as a mesh of supernodes.
#include <cstdint>

#include <starloom/algorithms/supernode_hot_potato/geometry.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// The supernode, row * N + column, and the cell in it, of a node.
struct SupernodeMesh {
  const Grid& grid;
  const SupernodeGeometry& geometry;

  /// Supernodes per row, N.
  std::int32_t side() const { return grid.side(1) / geometry.size().side(); }
  Cell cell(NodeId node) const {
    const std::int32_t s = geometry.size().side();
    return geometry.cell(grid.coordinate(node, 0) % s, grid.coordinate(node, 1) % s);
  }
  std::int32_t supernode(NodeId node) const {
    const std::int32_t s = geometry.size().side();
    return grid.coordinate(node, 0) / s * side() + grid.coordinate(node, 1) / s;
  }
  NodeId node(std::int32_t supernode, Cell cell) const {
    const std::int32_t s = geometry.size().side();
    return (supernode / side() * s + geometry.row(cell)) * grid.side(1) + supernode % side() * s +
           geometry.column(cell);
  }
};

}  // namespace starloom::links
