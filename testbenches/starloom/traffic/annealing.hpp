// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Placement of tasks by simulated annealing.
#include <cstdint>

#include <starloom/traffic/application_graph.hpp>

namespace starloom {

/// Bandwidth x links between the nodes of its tasks, summed over all edges, in 10^6 bytes/s. `mapping`: [task] its
/// processor.
double placement_cost(const ApplicationGraph& graph, const Processors& processors, const std::vector<NodeId>& mapping);

/// [task] its processor, by simulated annealing (S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by
/// Simulated Annealing", 1983), which lowers `placement_cost`, starting from `place_tasks`; returns the best
/// placement found. A move takes a uniform task to another uniform processor, and exchanges it with the task there,
/// if any. A move that raises the cost by d is made with probability (1 + d/(16 T))^-16, nearly exp(-d/T), and the
/// same on every machine. T begins at the greatest bandwidth of an edge, and falls 200 times by 5 %, after min(20000,
/// tasks x processors) moves each time. Random words: word(seed, 1, 0, 1, i), i = 0, 1, .., in the order task,
/// processor, probability.
std::vector<NodeId> anneal_placement(const ApplicationGraph& graph, const Processors& processors, std::uint64_t seed);

}  // namespace starloom
