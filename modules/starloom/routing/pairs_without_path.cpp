// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/pairs_without_path.hpp>

#include <utility>

namespace starloom::routing {
namespace {

/// The first host on a path from a node to another that hosts forward; no_node if there is none.
NodeId host_between(const NetworkGraph& graph, NodeId from, NodeId to) {
  if (!graph.has_hosts()) return no_node;
  std::vector<NodeId> reached = {from}, host(static_cast<std::size_t>(graph.nodes()), no_node);
  std::vector<bool> seen(host.size(), false);
  seen[static_cast<std::size_t>(from)] = true;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const NodeId node = reached[next], first = host[static_cast<std::size_t>(node)];
    if (node == to) return first;
    for (const Port port : graph.out_ports(node)) {
      const NodeId neighbour = graph.far_end(node, port).node;
      const auto at = static_cast<std::size_t>(neighbour);
      if (seen[at]) continue;
      seen[at] = true;
      host[at] = first == no_node && neighbour != to && graph.is_host(neighbour) ? neighbour : first;
      reached.push_back(neighbour);
    }
  }
  return no_node;
}

}  // namespace

PairsWithoutPath::PairsWithoutPath(NetworkGraph graph, std::string remedy, const Faults* faults)
    : graph_(std::move(graph)), remedy_(std::move(remedy)) {
  for (NodeId number = 0; faults != nullptr && number < graph_.processors(); ++number) {
    const NodeId node = graph_.processor(number);
    for (NodeId other = 0; faults->processor_is_dead(node) && other < graph_.processors(); ++other) {
      add(node, graph_.processor(other));
      add(graph_.processor(other), node);
    }
  }
}

std::string PairsWithoutPath::remedy(NodeId source, NodeId destination) const {
  if (graph_.distance(source, destination) >= 0) return remedy_;
  if (const NodeId host = host_between(graph_, source, destination); host != no_node)
    return "join the neighbours of host " + graph_.node_name(host) +
           ", which does not forward packets, or make it a processor";
  return "add a link from a node that the first reaches to a node that reaches the second, or make links bidirectional";
}

}  // namespace starloom::routing
