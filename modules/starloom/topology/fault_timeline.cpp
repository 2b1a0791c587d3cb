// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/fault_timeline.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace starloom {
namespace {

void begin(Faults& faults, const Outage& outage) {
  switch (outage.kind) {
    case Outage::Kind::cable: return faults.kill_cable(outage.cable);
    case Outage::Kind::link: return faults.kill_link(outage.cable.lower);
    case Outage::Kind::router: return faults.kill_router(outage.node);
    case Outage::Kind::processor: return faults.kill_processor(outage.node);
  }
}

void end(Faults& faults, const Outage& outage) {
  switch (outage.kind) {
    case Outage::Kind::cable: return faults.repair_cable(outage.cable);
    case Outage::Kind::link: return faults.repair_link(outage.cable.lower);
    case Outage::Kind::router: return faults.repair_router(outage.node);
    case Outage::Kind::processor: return faults.repair_processor(outage.node);
  }
}

using Place = std::pair<NodeId, Port>;  ///< as in FaultEvent

bool is_dead(const Faults& faults, const Place& place) {
  const auto [node, port] = place;
  if (port == no_port) return faults.router_is_dead(node);
  return port == faults.graph().ports() ? faults.processor_is_dead(node) : faults.link_is_dead(node, port);
}

/// All that an outage may change.
std::vector<Place> places_of(const NetworkGraph& graph, const Outage& outage) {
  std::vector<Place> places;
  const auto add_link = [&](LinkEnd link) {
    if (!link.connected()) return;
    places.emplace_back(link.node, link.port);
    for (const NodeId node : {link.node, graph.far_end(link.node, link.port).node})
      if (graph.is_terminal(node)) places.emplace_back(node, graph.ports());
  };
  if (outage.node == no_node) {
    add_link(outage.cable.lower);
    if (outage.kind == Outage::Kind::cable) add_link(outage.cable.upper);
    return places;
  }
  places.emplace_back(outage.node, graph.ports());
  if (outage.kind == Outage::Kind::processor) return places;
  places.emplace_back(outage.node, no_port);
  for (const Port port : graph.out_ports(outage.node)) add_link({outage.node, port});
  for (const Port port : graph.in_ports(outage.node)) add_link(graph.near_end(outage.node, port));
  return places;
}

}  // namespace

FaultTimeline::FaultTimeline(Faults faults, const std::vector<Outage>& outages,
                             const std::optional<Lifetimes>& lifetimes, std::uint64_t seed)
    : start_(std::move(faults)), now_(start_) {
  for (const Outage& outage : outages) {
    if (outage.at <= 0) begin(start_, outage);
    else turns_.push({outage.at, true, outage});
    if (outage.until != no_step) turns_.push({outage.until, false, outage});
    last_scheduled_ = std::max({last_scheduled_, outage.at, outage.until});
  }
  now_ = start_;
  fewest_processors_ = start_.processors();
  if (!lifetimes) {
    while (!turns_.empty()) advance();
    return;
  }
  lifetimes_ = *lifetimes;
  for (const Cable& cable : cables_of(start_.graph())) {
    lives_.push_back({cable, ExponentialTimes(seed, cable.lower.node, cable.lower.port)});
    fail_next(lives_.size() - 1, 0);
  }
}

/// A cable that is alive from a step on.
void FaultTimeline::fail_next(std::size_t life, Step from) {
  Outage outage{Outage::Kind::cable, lives_[life].cable};
  outage.at = from + lives_[life].times.next(lifetimes_.mtbf);
  outage.until = outage.at + lives_[life].times.next(lifetimes_.mttr);
  turns_.push({outage.at, true, outage, life});
}

void FaultTimeline::extend(Step last) {
  while (!turns_.empty() && turns_.top().step <= last) advance();
}

const FaultEvent* FaultTimeline::find(std::size_t index, Step last) {
  while (events_.size() <= index && !turns_.empty() && turns_.top().step <= last) advance();
  return index < events_.size() && events_[index].step <= last ? &events_[index] : nullptr;
}

/// All turns of the next step with one.
void FaultTimeline::advance() {
  const Step step = turns_.top().step;
  std::vector<Turn> turns;
  for (; !turns_.empty() && turns_.top().step == step; turns_.pop()) turns.push_back(turns_.top());
  std::map<Place, bool> before;
  for (const Turn& turn : turns)
    for (const Place& place : places_of(now_.graph(), turn.outage)) before.emplace(place, is_dead(now_, place));
  for (const Turn& turn : turns) {
    (turn.begins ? begin : end)(now_, turn.outage);
    if (!turn.life) continue;
    if (turn.begins) turns_.push({turn.outage.until, false, turn.outage, turn.life});
    else fail_next(*turn.life, step);
  }
  for (const bool dies : {false, true})
    for (const auto& [place, was_dead] : before)
      if (is_dead(now_, place) == dies && was_dead != dies) events_.push_back({step, dies, place.first, place.second});
  fewest_processors_ = std::min(fewest_processors_, now_.processors());
}

std::vector<DeadTime> dead_times(const Faults& start, const std::vector<FaultEvent>& events) {
  const NetworkGraph& graph = start.graph();
  std::map<Place, std::vector<DeadTime>> times;
  const auto begin = [&times](NodeId node, Port port, Step from) {
    times[{node, port}].push_back({node, port, from, no_step});
  };
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    if (start.router_is_dead(node)) begin(node, no_port, 0);
    if (start.processor_is_dead(node)) begin(node, graph.ports(), 0);
    for (const Port port : graph.out_ports(node))
      if (start.link_is_dead(node, port)) begin(node, port, 0);
  }
  for (const FaultEvent& event : events) {
    if (event.dies) begin(event.node, event.port, event.step);
    else times[{event.node, event.port}].back().until = event.step;
  }
  std::vector<DeadTime> all;
  for (const auto& [place, of_place] : times) all.insert(all.end(), of_place.begin(), of_place.end());
  return all;
}

LivingHardware::LivingHardware(const Faults& start) : graph_(start.graph()), dead_links_(graph_.link_slots(), false) {
  for (NodeId node = 0; node < graph_.nodes(); ++node) {
    dead_routers_.push_back(start.router_is_dead(node));
    dead_processors_.push_back(start.processor_is_dead(node));
    for (const Port port : graph_.out_ports(node))
      dead_links_[graph_.index(node, port)] = start.link_is_dead(node, port);
  }
}

void LivingHardware::apply(const FaultEvent& event) {
  if (event.port == no_port) dead_routers_[static_cast<std::size_t>(event.node)] = event.dies;
  else if (event.port == graph_.ports()) dead_processors_[static_cast<std::size_t>(event.node)] = event.dies;
  else dead_links_[graph_.index(event.node, event.port)] = event.dies;
}

}  // namespace starloom
