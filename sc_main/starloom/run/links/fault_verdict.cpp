// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/fault_verdict.hpp>

#include <vector>

#include <starloom/analysis/links/channel_dependencies.hpp>
#include <starloom/analysis/links/path_demand.hpp>
#include <starloom/control/links/paths.hpp>
#include <starloom/control/links/reroutes.hpp>
#include <starloom/run/links/offered_load.hpp>

namespace starloom::links {

std::int64_t unreachable_pairs(const Unreachable& unreachable) {
  if (unreachable.without_path() == nullptr) return 0;
  // Pairs with a dead processor have none either.
  const std::int64_t all = unreachable.left().processors(), living = unreachable.faults().processors();
  return unreachable.without_path()->count() - (all * (all - 1) - living * (living - 1));
}

namespace {

/// True if packets never wait for each other in a cycle, whatever the routing functions.
bool never_waits_in_cycles(const Declaration& declared) {
  return declared.storage == StorageModel::store_and_forward || declared.storage == StorageModel::never_standing;
}

/// The same with one routing function.
bool is_always_acyclic(const Declaration& declared) {
  return never_waits_in_cycles(declared) || declared.flow.rule == router::FlowRule::bubble;
}

}  // namespace

std::optional<bool> is_acyclic(const NetworkGraph& graph, const Algorithm& algorithm) {
  if (is_always_acyclic(algorithm.declaration())) return true;
  if (graph.nodes() > most_nodes_for_pairs) return std::nullopt;
  const auto found = channel_dependencies(graph, algorithm);
  if (!found || found->too_many_paths) return std::nullopt;
  return found->acyclic();
}

std::vector<EventVerdict> verdicts_of_events(const Unreachable& unreachable, const Algorithm& algorithm) {
  const NetworkGraph& graph = unreachable.faults().graph();
  std::vector<EventVerdict> verdicts;
  const Algorithm* before = &algorithm;
  const auto judge = [&](EventVerdict& verdict, const Algorithm& after, bool meets) {
    if (is_always_acyclic(after.declaration())) {
      if (!meets || never_waits_in_cycles(after.declaration())) verdict.acyclic = true;
      return;
    }
    if (graph.nodes() > most_nodes_for_pairs) return;
    const auto found = meets ? dependencies_of_change(graph, *before, after) : channel_dependencies(graph, after);
    if (!found || found->too_many_paths) return;
    verdict.acyclic = found->acyclic();
    verdict.on_cycles = found->on_cycles;
    verdict.shortest_cycle = found->cycle.size();
  };
  const Reroutes* const reroutes = unreachable.reroutes();
  if (reroutes == nullptr) {
    EventVerdict verdict{0, "never"};
    judge(verdict, algorithm, false);
    for (const FaultEvent& event : unreachable.timeline()->events()) {
      if (event.step == verdict.step) continue;
      verdict.step = event.step;
      verdicts.push_back(verdict);
    }
    return verdicts;
  }
  const Transition transition = reroutes->rules().transition;
  for (std::size_t i = 0; i < reroutes->changes().size(); ++i) {
    const RerouteKnowledge& change = *reroutes->changes()[i];
    EventVerdict& verdict = verdicts.emplace_back();
    verdict.step = change.reroute.event;
    if (i + 1 < reroutes->changes().size() && reroutes->changes()[i + 1]->reroute.event <= change.reroute.due) {
      verdict.transition = "postponed";
      judge(verdict, *before, false);
      continue;
    }
    verdict.transition = transition_names[static_cast<std::size_t>(transition)];
    judge(verdict, *change.algorithm, transition == Transition::keep);
    before = change.algorithm.get();
  }
  return verdicts;
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
