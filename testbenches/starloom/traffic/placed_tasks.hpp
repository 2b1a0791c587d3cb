// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The tasks of an application on the nodes where they run: what `check`, results and pictures say of them.
#include <string>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom {

struct PlacedTasks {
  /// Both by node.
  struct Edge {
    NodeId source = no_node;
    NodeId destination = no_node;
    double flits = 0;  ///< a step, above 0
  };

  std::vector<std::string> names;  ///< [task]
  std::vector<NodeId> node;        ///< [task] where it runs; no two on one
  std::vector<Edge> edges;         ///< in the order of the file; without those that have no bandwidth
};

}  // namespace starloom
