// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/least_latencies.hpp>

#include <functional>
#include <queue>
#include <utility>

namespace starloom {

Step LeastLatencies::between(NodeId from, NodeId to) {
  if (from == to && !graph_.is_terminal(from)) return 0;
  const auto [found, is_new] = from_.try_emplace(from);
  if (is_new) found->second = searched_from(from);
  return found->second[static_cast<std::size_t>(to)];
}

/// Dijkstra's algorithm. The node itself is reached only over links.
std::vector<Step> LeastLatencies::searched_from(NodeId from) const {
  using Reached = std::pair<Step, NodeId>;
  std::vector<Step> steps(static_cast<std::size_t>(graph_.nodes()), no_step);
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
  const auto leave = [&](NodeId node, Step after) {
    for (const Port port : graph_.out_ports(node))
      next.emplace(after + graph_.latency(node, port), graph_.far_end(node, port).node);
  };
  for (leave(from, 0); !next.empty();) {
    const auto [step, node] = next.top();
    next.pop();
    if (steps[static_cast<std::size_t>(node)] != no_step) continue;
    steps[static_cast<std::size_t>(node)] = step;
    if (node != from && !graph_.is_host(node)) leave(node, step);
  }
  return steps;
}

}  // namespace starloom
