// SPDX-License-Identifier: Apache-2.0
#include <starloom/run/links/fault_report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <starloom/control/links/reroutes.hpp>
#include <starloom/results/lines.hpp>
#include <starloom/results/metric_writer.hpp>
#include <starloom/run/links/fault_verdict.hpp>
#include <starloom/run/links/offered_load.hpp>
#include <starloom/support/names.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom::links {
namespace {

/// A line names at most this number of cables.
constexpr std::size_t named_cables = 4;

std::string names_of(const NetworkGraph& graph, const std::vector<Cable>& cables) {
  std::vector<std::string> names;
  for (const Cable& cable : cables) names.push_back(graph.link_name(cable.lower.node, cable.lower.port));
  return joined_with_and(std::move(names), named_cables);
}

/// `routing functions learn of them 20 steps later, after a drain`
std::string learning_text(const Reroutes* reroutes) {
  if (reroutes == nullptr) return "routing functions do not learn of them";
  const RerouteRules& rules = reroutes->rules();
  constexpr std::string_view transitions[] = {"after a drain", "with a flush", "and packets keep their place"};
  return fmt::format("routing functions learn of them {}, {}",
                     rules.floods       ? "by a flood"
                     : rules.after == 0 ? "in the same step"
                                        : counted(rules.after, "step") + " later",
                     transitions[static_cast<std::size_t>(rules.transition)]);
}

/// `2 deaths and 2 repairs in steps 20 to 70; routing functions do not learn of them`
std::string events_text(const FaultTimeline& timeline, const Reroutes* reroutes) {
  if (!timeline.is_known())
    return fmt::format("each cable fails after {} on average, and is repaired after {}; {}",
                       counted(timeline.lifetimes().mtbf, "step"), counted(timeline.lifetimes().mttr, "step"),
                       learning_text(reroutes));
  const std::vector<FaultEvent>& events = timeline.events();
  const auto deaths = std::count_if(events.begin(), events.end(), [](const FaultEvent& event) { return event.dies; });
  const auto repairs = static_cast<std::int64_t>(events.size()) - deaths;
  const Step first = events.front().step, last = events.back().step;
  return fmt::format("{} and {} of links, routers and processors in {}; {}", counted(deaths, "death"),
                     counted(repairs, "repair"),
                     first == last ? fmt::format("step {}", first) : fmt::format("steps {} to {}", first, last),
                     learning_text(reroutes));
}

/// `step 40, keep: may-deadlock while packets of both functions meet; 21 links on cycles, a shortest one of 4`
std::string verdict_text(const EventVerdict& verdict) {
  std::string text = fmt::format("step {}, {}: ", verdict.step, verdict.transition);
  if (!verdict.acyclic) return text + "not known; paths are not fixed, or too many";
  if (*verdict.acyclic) return text + "acyclic";
  text += "may-deadlock";
  if (verdict.transition == transition_names[static_cast<std::size_t>(Transition::keep)])
    text += " while packets of the functions before and after the change meet";
  return text + fmt::format("; {} on cycles, a shortest one of {}", counted(verdict.on_cycles, "link"),
                            verdict.shortest_cycle);
}

void add_events(FaultReport& report, const Unreachable& unreachable, const Algorithm& algorithm) {
  constexpr std::size_t named_changes = 8;
  report.lines.push_back(line_text("events", events_text(*unreachable.timeline(), unreachable.reroutes())));
  if (!unreachable.timeline()->is_known()) return;
  const std::vector<EventVerdict> verdicts = verdicts_of_events(unreachable, algorithm);
  for (std::size_t i = 0; i < verdicts.size() && unreachable.reroutes() != nullptr; ++i) {
    if (i == named_changes) {
      report.lines.push_back(line_text("", fmt::format("and {} more", verdicts.size() - i)));
      break;
    }
    report.lines.push_back(line_text(i == 0 ? "changes" : "", verdict_text(verdicts[i])));
  }
  report.facts["events"] = nlohmann::ordered_json::array();
  for (const EventVerdict& verdict : verdicts) {
    nlohmann::ordered_json facts = {{"step", verdict.step}, {"transition", verdict.transition}};
    facts["verdict"] = nullptr;
    facts["on_circles"] = nullptr;
    if (verdict.acyclic) {
      facts["verdict"] = *verdict.acyclic ? "acyclic" : "may-deadlock";
      facts["on_circles"] = verdict.on_cycles;
    }
    report.facts["events"].push_back(std::move(facts));
  }
  report.may_deadlock = std::any_of(verdicts.begin(), verdicts.end(),
                                    [](const EventVerdict& verdict) { return verdict.acyclic && !*verdict.acyclic; });
}

/// Pairs of two living processors, by the reason why packets between them are lost.
struct Pairs {
  std::int64_t all = 0, disconnected = 0, no_route = 0;
  std::optional<PacketEnds> first{};  ///< of the lost ones

  std::int64_t lost() const { return disconnected + no_route; }
};

Pairs pairs_of(const Unreachable& unreachable) {
  const NetworkGraph& graph = unreachable.left();
  Pairs pairs;
  for (NodeId one = 0; one < graph.processors(); ++one)
    for (NodeId other = 0; other < graph.processors(); ++other) {
      const NodeId source = graph.processor(one), destination = graph.processor(other);
      if (one == other || unreachable.faults().processor_is_dead(source) ||
          unreachable.faults().processor_is_dead(destination))
        continue;
      ++pairs.all;
      const auto cause = unreachable.cause(source, destination);
      if (!cause) continue;
      ++(*cause == LossCause::disconnected ? pairs.disconnected : pairs.no_route);
      if (!pairs.first) pairs.first = PacketEnds{source, destination};
    }
  return pairs;
}

std::string dead_text(const Faults& faults) {
  const NetworkGraph& graph = faults.graph();
  std::vector<Cable> dead;
  for (const Cable& cable : cables_of(graph))
    if (faults.cable_is_dead(cable)) dead.push_back(cable);
  std::string text = counted(static_cast<std::int64_t>(dead.size()), "cable");
  if (!dead.empty()) text += " (" + names_of(graph, dead) + ")";
  return fmt::format("{}, {} and {} dead, of {} processors {} alive", text, counted(faults.links(), "link"),
                     counted(faults.routers(), "router"), graph.processors(), faults.processors());
}

}  // namespace

FaultReport fault_report(const Unreachable& unreachable, const Algorithm& algorithm, const Algorithm& whole) {
  const Faults& faults = unreachable.faults();
  const NetworkGraph& graph = faults.graph();
  const NetworkGraph& left = unreachable.left();
  FaultReport report;
  report.lines.push_back(line_text("faults", dead_text(faults)));
  if (unreachable.timeline() != nullptr) add_events(report, unreachable, algorithm);

  const Parts parts = parts_of(faults, left);
  const std::vector<Cable> bridges = bridges_of(left);
  const auto nodes = std::count_if(parts.of_node.begin(), parts.of_node.end(), [](int part) { return part >= 0; });
  report.lines.push_back(line_text(
      "left", fmt::format("{} and {} in {}, diameter {}; {}", counted(nodes, "node"), counted(left.links(), "link"),
                          counted(parts.count, "part"), left.diameter(),
                          bridges.empty() ? "no cable is a bridge" : "bridges: " + names_of(graph, bridges))));

  if (graph.nodes() > most_nodes_for_pairs) {
    report.lines.push_back(
        line_text("unreachable", fmt::format("not counted for more than {} nodes", most_nodes_for_pairs)));
    return report;
  }
  const Pairs pairs = pairs_of(unreachable);
  report.unreachable = pairs.lost();
  nlohmann::ordered_json& lost = report.facts["unreachable"];
  lost["pairs"] = pairs.lost();
  for (const auto& [cause, count] :
       {std::pair(LossCause::disconnected, pairs.disconnected), std::pair(LossCause::no_route, pairs.no_route)})
    lost[std::string(loss_cause_names[static_cast<std::size_t>(cause)])] = count;
  lost["first"] = nullptr;
  std::string text = fmt::format("none of {} of living processors", counted(pairs.all, "pair"));
  if (pairs.first) {
    const std::string source = graph.node_name(pairs.first->source),
                      destination = graph.node_name(pairs.first->destination);
    lost["first"] = {source, destination};
    text =
        fmt::format("{} of {} of living processors: {} disconnected, {} without a route; the first: {} to {}",
                    pairs.lost(), counted(pairs.all, "pair"), pairs.disconnected, pairs.no_route, source, destination);
  }
  report.lines.push_back(line_text("unreachable", text));

  const auto now = pair_load(graph, algorithm), before = pair_load(graph, whole);
  if (now && before) {
    const std::size_t busiest = now->busiest();
    const auto node = static_cast<NodeId>(busiest / static_cast<std::size_t>(graph.ports()));
    const auto port = static_cast<Port>(busiest % static_cast<std::size_t>(graph.ports()));
    report.facts["load"] = {
        {"max", number_json(now->most())}, {"node", node}, {"port", port}, {"was", number_json(before->most())}};
    report.facts["ways"] = {{"hops", number_json(now->hops)}};
    report.lines.push_back(line_text(
        "pair load", fmt::format("max {}, was {}: flits over {} if each pair sends one; {:.0f} hops, was {:.0f}",
                                 decimal(now->most()), decimal(before->most()), graph.link_name(node, port), now->hops,
                                 before->hops)));
  } else {
    report.lines.push_back(line_text("pair load", "not known: paths are not fixed, or too many"));
  }
  nlohmann::ordered_json& rest = report.facts["left"];
  rest["nodes"] = nodes;
  rest["links"] = left.links();
  rest["parts"] = parts.count;
  rest["diameter"] = left.diameter();
  rest["bridges"] = nlohmann::ordered_json::array();
  for (const Cable& bridge : bridges) rest["bridges"].push_back(graph.link_name(bridge.lower.node, bridge.lower.port));
  return report;
}

}  // namespace starloom::links
