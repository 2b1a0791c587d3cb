// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Where the tasks of an application run if its file does not say.
#include <starloom/traffic/application_graph.hpp>

namespace starloom {

/// [task] its processor; no two tasks on one. Greedy and deterministic:
/// 1. The task with the greatest bandwidth (all its edges, both directions) goes to the centre: coordinate (k-1)/2,
///    rounded down, on every axis of the arrangement; processor 0 where there is none.
/// 2. Then, until all are placed, the task with the greatest bandwidth to placed tasks (ties: greatest bandwidth of
///    all, then lower number) goes to the free processor with the least sum of bandwidth x distance to the placed
///    tasks it talks to (ties: nearest to the centre, then lower number). There are at most as many tasks as
///    processors.
std::vector<NodeId> place_tasks(const ApplicationGraph& graph, const Processors& processors);

}  // namespace starloom
