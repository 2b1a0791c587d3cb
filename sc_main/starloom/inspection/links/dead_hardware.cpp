// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/dead_hardware.hpp>

#include <algorithm>

#include <starloom/topology/cables.hpp>
#include <starloom/trace_io/links/faults_csv.hpp>

namespace starloom::links {

std::vector<std::string> hardware_names(const NetworkGraph& graph, const HardwarePlaces& places) {
  const auto has = [&places](NodeId node, Port port) {
    return std::binary_search(places.begin(), places.end(), std::pair(node, port));
  };
  std::vector<std::string> names;
  for (const auto& [node, port] : places) {
    if (port == no_port) {
      names.push_back(graph.node_name(node));
    } else if (port == graph.ports()) {
      if (!has(node, no_port)) names.push_back("the processor of " + graph.node_name(node));
    } else {
      const LinkEnd partner = partner_of(graph, {node, port});
      const bool named = partner.connected() && std::pair(partner.node, partner.port) < std::pair(node, port) &&
                         has(partner.node, partner.port);
      const bool of_router = has(node, no_port) || has(graph.far_end(node, port).node, no_port);
      if (!named && !of_router) names.push_back(graph.link_name(node, port));
    }
  }
  return names;
}

HardwarePlaces dead_in(const Faults& start, const std::vector<FaultEvent>& events, Step step) {
  HardwarePlaces places;
  for (const DeadTime& time : dead_times(start, events))
    if (time.from <= step && (time.until == no_step || step < time.until)) places.emplace_back(time.node, time.port);
  return places;
}

Step RoutingChanges::draining_since(Step step) const {
  for (const Drain& drain : drains)
    if (drain.from <= step && (drain.to == no_step || step < drain.to)) return drain.from;
  return no_step;
}

RoutingChanges read_routing_changes(const std::filesystem::path& folder) {
  RoutingChanges changes;
  for (const FaultRow& row : read_faults(folder / "faults.csv")) {
    if (row.event == FaultRow::Event::stopped) changes.drains.push_back({row.step});
    if (row.event != FaultRow::Event::changed) continue;
    changes.steps.push_back(row.step);
    if (!changes.drains.empty() && changes.drains.back().to == no_step) changes.drains.back().to = row.step;
  }
  return changes;
}

}  // namespace starloom::links
