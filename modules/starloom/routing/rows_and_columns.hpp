// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Meshes of rows and columns, as routing functions see them.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// The offset of a destination from a node of a mesh of rows and columns.
struct Offset {
  std::int32_t east = 0;   ///< columns
  std::int32_t south = 0;  ///< rows

  Offset(const Grid& mesh, NodeId node, NodeId destination)
      : east(mesh.offset(node, destination, 1)), south(mesh.offset(node, destination, 0)) {}
};

/// Ports of a mesh of rows and columns.
enum Direction : Port { north, east, south, west };

}  // namespace starloom::routing
