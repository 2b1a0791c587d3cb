// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/placement.hpp>

#include <cstddef>
#include <map>
#include <tuple>

namespace starloom {
namespace {

NodeId centre_of(const Processors& processors) {
  if (!processors.arrangement) return 0;
  const Grid& grid = *processors.arrangement;
  std::vector<std::int32_t> at;
  at.reserve(static_cast<std::size_t>(grid.dimensions()));
  for (int axis = 0; axis < grid.dimensions(); ++axis) at.push_back((grid.side(axis) - 1) / 2);
  return grid.node_at(at);
}

class Placer {
 public:
  Placer(const ApplicationGraph& graph, const Processors& processors)
      : tasks_(graph.tasks.size()),
        processors_(processors),
        centre_(centre_of(processors)),
        neighbours_(tasks_),
        total_(tasks_),
        to_placed_(tasks_),
        node_of_(tasks_, no_node),
        taken_(static_cast<std::size_t>(processors.count)) {
    for (const ApplicationEdge& edge : graph.edges) {
      neighbours_[edge.from][edge.to] += edge.bandwidth;
      neighbours_[edge.to][edge.from] += edge.bandwidth;
      total_[edge.from] += edge.bandwidth;
      total_[edge.to] += edge.bandwidth;
    }
  }

  std::vector<NodeId> place() {
    // Before the first task is placed, every cost is 0, so that task goes to the centre by the tie break.
    for (std::size_t placed = 0; placed < tasks_; ++placed) {
      const std::size_t task = next_task();
      const NodeId node = best_node(task);
      node_of_[task] = node;
      taken_[node] = true;
      for (const auto& [other, bandwidth] : neighbours_[task]) to_placed_[other] += bandwidth;
    }
    return node_of_;
  }

 private:
  std::size_t next_task() const {
    std::size_t best = tasks_;
    for (std::size_t task = 0; task < tasks_; ++task) {
      if (node_of_[task] != no_node) continue;
      if (best == tasks_ || std::tie(to_placed_[task], total_[task]) > std::tie(to_placed_[best], total_[best]))
        best = task;
    }
    return best;
  }

  NodeId best_node(std::size_t task) const {
    NodeId best = no_node;
    double best_cost = 0;
    std::int32_t best_distance = 0;
    for (NodeId node = 0; node < processors_.count; ++node) {
      if (taken_[node]) continue;
      double cost = 0;
      for (const auto& [other, bandwidth] : neighbours_[task])
        if (node_of_[other] != no_node) cost += bandwidth * processors_.distance(node, node_of_[other]);
      const std::int32_t away = processors_.distance(node, centre_);
      if (best != no_node && std::tie(cost, away) >= std::tie(best_cost, best_distance)) continue;
      best = node;
      best_cost = cost;
      best_distance = away;
    }
    return best;
  }

  std::size_t tasks_;
  const Processors& processors_;
  NodeId centre_;
  std::vector<std::map<std::size_t, double>> neighbours_;  ///< [task] bandwidth of both directions, by the other task
  std::vector<double> total_;
  std::vector<double> to_placed_;
  std::vector<NodeId> node_of_;
  std::vector<bool> taken_;
};

}  // namespace

std::vector<NodeId> place_tasks(const ApplicationGraph& graph, const Processors& processors) {
  return Placer(graph, processors).place();
}

}  // namespace starloom
