// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The key `mapping` of applications, which selects the mapping of tasks to nodes.
#include <starloom/traffic/application_graph.hpp>

namespace starloom {

KeySpec mapping_key();

/// [task] its processor, no two on one: from the key, else from the file of the graph, else from `place_tasks`.
/// \throws ConfigError: a list that is not such a mapping, with all errors in it.
std::vector<NodeId> mapping_of(const ApplicationGraph& graph, const TrafficContext& context, const KeyValues& keys);

}  // namespace starloom
