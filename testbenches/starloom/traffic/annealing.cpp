// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/annealing.hpp>

#include <algorithm>

#include <starloom/core/random.hpp>
#include <starloom/traffic/placement.hpp>

namespace starloom {
namespace {

constexpr int temperatures = 200;
constexpr double cooling = 0.95;
constexpr std::int64_t most_moves = 20'000;  ///< at a temperature

constexpr std::size_t no_task = static_cast<std::size_t>(-1);

class Annealing {
 public:
  Annealing(const ApplicationGraph& graph, const Processors& processors, std::uint64_t seed)
      : graph_(graph),
        processors_(processors),
        random_(seed, Purpose::permutation, 0, 1),
        node_of_(place_tasks(graph, processors)),
        task_at_(static_cast<std::size_t>(processors.count), no_task),
        edges_of_(graph.tasks.size()) {
    for (std::size_t task = 0; task < node_of_.size(); ++task) task_at_[node_of_[task]] = task;
    for (std::size_t edge = 0; edge < graph.edges.size(); ++edge) {
      edges_of_[graph.edges[edge].from].push_back(edge);
      edges_of_[graph.edges[edge].to].push_back(edge);
    }
  }

  std::vector<NodeId> best() {
    if (graph_.edges.empty() || processors_.count < 2) return node_of_;
    double cost = 0, temperature = 0;
    for (const ApplicationEdge& edge : graph_.edges) {
      cost += cost_of(edge);
      temperature = std::max(temperature, edge.bandwidth);
    }
    double lowest = cost;
    std::vector<NodeId> best = node_of_;
    const std::int64_t moves = std::min(most_moves, static_cast<std::int64_t>(graph_.tasks.size()) * processors_.count);
    for (int i = 0; i < temperatures; ++i, temperature *= cooling)
      for (std::int64_t move = 0; move < moves; ++move) {
        cost += try_move(temperature);
        if (cost >= lowest) continue;
        lowest = cost;
        best = node_of_;
      }
    return best;
  }

 private:
  /// Makes a move or undoes it; returns the change of the cost.
  double try_move(double temperature) {
    const std::size_t task = random_.bounded(static_cast<std::uint32_t>(graph_.tasks.size()));
    const auto others = static_cast<std::uint32_t>(processors_.count - 1);
    const NodeId old = node_of_[task];
    const auto drawn = static_cast<NodeId>(random_.bounded(others));
    const NodeId node = drawn + (drawn >= old ? 1 : 0);
    const std::size_t other = task_at_[node];
    const double before = cost_around(task, other);
    move(task, other, node, old);
    const double rise = cost_around(task, other) - before;
    const bool taken = random_.bernoulli(probability(rise, temperature));
    if (taken) return rise;
    move(task, other, old, node);
    return 0;
  }

  void move(std::size_t task, std::size_t other, NodeId to, NodeId left) {
    node_of_[task] = to;
    task_at_[to] = task;
    task_at_[left] = other;
    if (other != no_task) node_of_[other] = left;
  }

  /// The cost of the edges of a task, and of another one if it is given.
  double cost_around(std::size_t task, std::size_t other) const {
    double cost = 0;
    for (const std::size_t edge : edges_of_[task]) cost += cost_of(graph_.edges[edge]);
    if (other == no_task) return cost;
    for (const std::size_t edge : edges_of_[other]) {
      const ApplicationEdge& one = graph_.edges[edge];
      if (one.from != task && one.to != task) cost += cost_of(one);
    }
    return cost;
  }
  double cost_of(const ApplicationEdge& edge) const {
    return edge.bandwidth * processors_.distance(node_of_[edge.from], node_of_[edge.to]);
  }

  /// A rational approximation, because std::exp differs in its last digits between machines.
  static double probability(double rise, double temperature) {
    if (rise <= 0) return 1;
    if (temperature <= 0) return 0;
    double power = 1 + rise / (16 * temperature);
    for (int i = 0; i < 4; ++i) power *= power;
    return 1 / power;
  }

  const ApplicationGraph& graph_;
  const Processors& processors_;
  RandomStream random_;
  std::vector<NodeId> node_of_;       ///< [task]
  std::vector<std::size_t> task_at_;  ///< [processor], or `no_task`
  std::vector<std::vector<std::size_t>> edges_of_;
};

}  // namespace

double placement_cost(const ApplicationGraph& graph, const Processors& processors, const std::vector<NodeId>& mapping) {
  double cost = 0;
  for (const ApplicationEdge& edge : graph.edges)
    cost += edge.bandwidth * processors.distance(mapping[edge.from], mapping[edge.to]);
  return cost;
}

std::vector<NodeId> anneal_placement(const ApplicationGraph& graph, const Processors& processors, std::uint64_t seed) {
  return Annealing(graph, processors, seed).best();
}

}  // namespace starloom
