// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Placement of the tasks of an application whose file has no mapping.
#include <starloom/traffic/application_graph.hpp>

namespace starloom {

/// [task] its processor; no two tasks on one. Greedy and deterministic:
/// 1. The task with the greatest bandwidth (all its edges, both directions) goes to the centre: coordinate (k-1)/2,
///    rounded down, on every axis of the arrangement; processor 0 if there is none.
/// 2. Then, until all are placed, the task with the greatest bandwidth to placed tasks (ties: greatest bandwidth of
///    all, then lower number) goes to the free processor with the least sum of bandwidth x distance to the placed
///    tasks that it communicates with (ties: nearest to the centre, then lower number). There are at most as many tasks
///    as processors.
std::vector<NodeId> place_tasks(const ApplicationGraph& graph, const Processors& processors);

}  // namespace starloom
