// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Application graphs: tasks, the bandwidths between them, their mapping to nodes (YAML, docs/formats.md).
#include <starloom/traffic/traffic.hpp>

namespace starloom {

struct ApplicationEdge {
  std::size_t from = 0;  ///< task
  std::size_t to = 0;    ///< task, different from `from`
  double bandwidth = 0;  ///< 10^6 bytes per second, >= 0
};

struct ApplicationGraph {
  std::vector<std::string> tasks;      ///< names; "0", "1", ... if the file gives a number
  std::vector<ApplicationEdge> edges;  ///< in the order of the file
  std::vector<NodeId> mapping;         ///< [task] its node; empty if the file has no mapping
};

/// \throws InputError if the file cannot be read; DataFileError with all its errors: not YAML; unknown, repeated,
/// missing or mistyped keys; unknown tasks; an edge from a task to itself; a negative bandwidth; more tasks than
/// nodes; a mapping of another length, to something other than a node, or of two tasks to one node (a node is one
/// core).
ApplicationGraph read_application_graph(const TrafficContext& context, const std::string& name);

}  // namespace starloom
