// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The links of the paths of routing functions.
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/routing/routing_function.hpp>
#include <starloom/topology/faults.hpp>
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

/// True if edges lead from a link to another one.
inline bool leads_to(const std::set<std::pair<std::size_t, std::size_t>>& edges, std::size_t from, std::size_t to) {
  std::set<std::size_t> seen = {from};
  std::vector<std::size_t> list = {from};
  while (!list.empty()) {
    const std::size_t link = list.back();
    list.pop_back();
    for (auto edge = edges.lower_bound({link, 0}); edge != edges.end() && edge->first == link; ++edge)
      if (seen.insert(edge->second).second) list.push_back(edge->second);
  }
  return seen.count(to) > 0;
}

/// The first pair of living processors that has a path although no cables join them, or none although cables do:
/// `1 to 2`; empty if there is none.
inline std::string wrongly_served(const routing::RoutingFunction& function, const Faults& faults) {
  const NetworkGraph left = faults.left_both_ways();
  const routing::PairsWithoutPath* const without = function.without_path();
  for (NodeId from = 0; from < left.processors(); ++from)
    for (NodeId to = 0; to < left.processors(); ++to) {
      const NodeId source = left.processor(from), destination = left.processor(to);
      if (faults.processor_is_dead(source) || faults.processor_is_dead(destination)) continue;
      const bool lost = without != nullptr && without->contains(source, destination);
      if (lost != (left.distance(source, destination) < 0))
        return std::to_string(source) + " to " + std::to_string(destination);
    }
  return "";
}

}  // namespace starloom
