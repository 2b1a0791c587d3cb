// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The links of the paths of routing functions.
#include <cstddef>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/routing/routing_function.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom {

using LinkPaths = std::vector<std::vector<std::size_t>>;

/// The links of the path of each ordered pair that has one, always by the first choice. If a packet does not
/// arrive, only one path, which is a cycle.
/// \param counts selects pairs, by the heads of their packets in their sources.
inline LinkPaths paths_of(
    const routing::RoutingFunction& function, const NetworkGraph& graph,
    const std::function<bool(const routing::Head& at_source)>& counts = [](const routing::Head&) { return true; }) {
  LinkPaths paths;
  const routing::PairsWithoutPath* const without = function.without_path();
  for (NodeId from = 0; from < graph.processors(); ++from)
    for (NodeId to = 0; to < graph.processors(); ++to) {
      const NodeId source = graph.processor(from), destination = graph.processor(to);
      if (source == destination || (without != nullptr && without->contains(source, destination))) continue;
      routing::Head head{source, graph.ports(), 0, destination};
      if (!counts(head)) continue;
      std::vector<std::size_t>& path = paths.emplace_back();
      while (head.node != destination) {
        routing::Choices choices;
        function.route(head, choices);
        if (choices.size() == 0 || path.size() > graph.link_slots()) return {{0, 0}};
        path.push_back(graph.index(head.node, choices.begin()->port));
        const LinkEnd far = graph.far_end(head.node, choices.begin()->port);
        head.node = far.node;
        head.in_port = far.port;
        head.in_channel = choices.begin()->first;
      }
    }
  return paths;
}

/// Removes links that no other one follows, until none is left.
inline bool leave_no_cycle(const LinkPaths& paths) {
  std::set<std::pair<std::size_t, std::size_t>> edges;
  for (const std::vector<std::size_t>& path : paths)
    for (std::size_t i = 1; i < path.size(); ++i) edges.emplace(path[i - 1], path[i]);
  for (bool changed = true; changed && !edges.empty();) {
    changed = false;
    std::set<std::size_t> followed;
    for (const auto& [link, next] : edges) followed.insert(link);
    for (auto edge = edges.begin(); edge != edges.end();)
      if (followed.count(edge->second) == 0) {
        edge = edges.erase(edge);
        changed = true;
      } else {
        ++edge;
      }
  }
  return edges.empty();
}

}  // namespace starloom
