// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The key `mapping` of applications: who says where tasks run.
#include <starloom/traffic/application_graph.hpp>

namespace starloom {

KeySpec mapping_key();

/// [task] its processor, no two on one: as the key says, else as the file of the graph says, else by `place_tasks`.
/// \throws ConfigError: a list that is no such mapping, all that is wrong with it.
std::vector<NodeId> mapping_of(const ApplicationGraph& graph, const TrafficContext& context, const KeyValues& keys);

}  // namespace starloom
