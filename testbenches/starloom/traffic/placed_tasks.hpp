// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The tasks of an application on the nodes where they run, for `check`, results and pictures.
#include <string>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom {

struct PlacedTasks {
  /// Both by node.
  struct Edge {
    NodeId source = no_node;
    NodeId destination = no_node;
    double flits = 0;  ///< per step, above 0
  };

  std::vector<std::string> names;  ///< [task]
  std::vector<NodeId> node;        ///< [task] its node; no two on one
  std::vector<Edge> edges;         ///< in the order of the file; without edges of bandwidth 0
};

}  // namespace starloom
