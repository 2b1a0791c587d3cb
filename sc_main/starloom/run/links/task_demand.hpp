// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The requirements of the edges of a task graph for links and local ports, before the run.
#include <string>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/traffic/placed_tasks.hpp>

namespace starloom::links {

struct TaskDemand {
  std::vector<std::string> busiest;  ///< the ten busiest links with the flows over them, a line each
  /// Overloaded edges, links and local ports; at most eleven lines.
  std::vector<std::string> warnings;
  /// The advice that follows the warnings.
  static constexpr const char* advice =
      "lower traffic.scale or units.clock_ns, raise units.flit_bytes, or change the placement of tasks "
      "(traffic.mapping)";
};

/// Edges whose paths depend on the run load no link.
TaskDemand demand_of_tasks(const NetworkGraph& graph, const Algorithm& algorithm, const PlacedTasks& tasks);

}  // namespace starloom::links
