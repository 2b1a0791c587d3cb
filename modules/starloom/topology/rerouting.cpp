// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/rerouting.hpp>

#include <algorithm>
#include <set>

namespace starloom {
namespace {

/// Channels and places are dead throughout the run.
Faults faults_now(const Faults& start, const LivingHardware& hardware) {
  const NetworkGraph& graph = start.graph();
  Faults now = start.of_channels();
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    if (hardware.router_is_dead(node)) now.kill_router(node);
    if (hardware.processor_is_dead(node)) now.kill_processor(node);
    for (const Port port : graph.out_ports(node))
      if (hardware.link_is_dead(node, port)) now.kill_link({node, port});
  }
  return now;
}

/// The greatest distance over living links from an end of what has changed.
Step flood_of(const Faults& faults, const std::set<NodeId>& ends) {
  const NetworkGraph left = faults.left();
  Step greatest = 0;
  for (const NodeId end : ends)
    for (NodeId node = 0; node < left.nodes(); ++node) greatest = std::max<Step>(greatest, left.distance(end, node));
  return greatest;
}

}  // namespace

Reroute reroute_after(const Faults& start, const LivingHardware& hardware, const std::vector<FaultEvent>& events,
                      const RerouteRules& rules) {
  const NetworkGraph& graph = start.graph();
  const Step step = events.front().step;
  Reroute reroute{step, step + rules.after, faults_now(start, hardware)};
  if (!rules.floods) return reroute;
  std::set<NodeId> ends;
  for (const FaultEvent& event : events) {
    ends.insert(event.node);
    if (event.port != no_port && event.port != graph.ports()) ends.insert(graph.far_end(event.node, event.port).node);
  }
  for (auto end = ends.begin(); end != ends.end();) end = reroute.faults.node_is_dead(*end) ? ends.erase(end) : ++end;
  reroute.due = step + flood_of(reroute.faults, ends);
  return reroute;
}

std::vector<Reroute> reroutes_of(const Faults& start, const std::vector<FaultEvent>& events,
                                 const RerouteRules& rules) {
  std::vector<Reroute> reroutes;
  LivingHardware hardware(start);
  for (auto event = events.begin(); event != events.end();) {
    std::vector<FaultEvent> of_step;
    for (const Step step = event->step; event != events.end() && event->step == step; ++event) {
      hardware.apply(*event);
      of_step.push_back(*event);
    }
    reroutes.push_back(reroute_after(start, hardware, of_step, rules));
  }
  return reroutes;
}

}  // namespace starloom
