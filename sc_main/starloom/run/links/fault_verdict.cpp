// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/fault_verdict.hpp>

#include <vector>

#include <starloom/analysis/links/channel_dependencies.hpp>
#include <starloom/analysis/links/path_demand.hpp>
#include <starloom/control/links/paths.hpp>
#include <starloom/run/links/offered_load.hpp>

namespace starloom::links {

std::int64_t unreachable_pairs(const Unreachable& unreachable) {
  if (unreachable.without_path() == nullptr) return 0;
  // Pairs with a dead processor have none either.
  const std::int64_t all = unreachable.left().processors(), living = unreachable.faults().processors();
  return unreachable.without_path()->count() - (all * (all - 1) - living * (living - 1));
}

std::optional<bool> is_acyclic(const NetworkGraph& graph, const Algorithm& algorithm) {
  const Declaration& declared = algorithm.declaration();
  if (declared.storage == StorageModel::store_and_forward || declared.storage == StorageModel::never_standing ||
      declared.flow.rule == router::FlowRule::bubble)
    return true;
  if (graph.nodes() > most_nodes_for_pairs) return std::nullopt;
  const auto found = channel_dependencies(graph, algorithm);
  if (!found || found->too_many_paths) return std::nullopt;
  return found->acyclic();
}

std::optional<LinkDemand> pair_load(const NetworkGraph& graph, const Algorithm& algorithm) {
  const routing::PairsWithoutPath* const lost = algorithm.without_path();
  std::vector<Flow> flows;
  std::int64_t crossings = 0;
  for (NodeId one = 0; one < graph.processors(); ++one)
    for (NodeId other = 0; other < graph.processors(); ++other) {
      const NodeId source = graph.processor(one), destination = graph.processor(other);
      if (one == other || (lost != nullptr && lost->contains(source, destination))) continue;
      flows.push_back({source, destination, 1});
      crossings += least_links(algorithm.declaration(), graph, source, destination);
    }
  return crossings > most_crossings ? std::nullopt : demand_of_paths(graph, algorithm, flows, false);
}

FaultVerdict verdict_of(const Unreachable& unreachable, const Algorithm& algorithm) {
  const NetworkGraph& graph = unreachable.faults().graph();
  FaultVerdict verdict;
  verdict.parts = parts_of(unreachable.faults(), unreachable.left()).count;
  verdict.unreachable = unreachable_pairs(unreachable);
  verdict.acyclic = is_acyclic(graph, algorithm);
  if (const auto load = pair_load(graph, algorithm)) verdict.load = load->most();
  return verdict;
}

}  // namespace starloom::links
