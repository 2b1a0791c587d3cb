// SPDX-License-Identifier: Apache-2.0
#include <starloom/energy/busy_steps.hpp>

namespace starloom::energy {

using links::TraceEvent;
using links::TraceRow;

BusySteps::BusySteps(const NetworkGraph& graph, bool flits_vanish)
    : flits_vanish_(flits_vanish), nodes_(static_cast<std::size_t>(graph.nodes())) {}

/// Arrivals come first, so that a node between two flits that meet in a step is busy in it once.
void BusySteps::rows(const std::vector<TraceRow>& of_one_step) {
  for (const TraceRow& row : of_one_step) {
    if (row.event == TraceEvent::inject) arrive(row, row.node);
    if (row.event == TraceEvent::hop) arrive(row, row.to);
  }
  for (const TraceRow& row : of_one_step) {
    if (row.event == TraceEvent::hop || row.event == TraceEvent::eject || row.event == TraceEvent::store)
      leave(row, row.node);
    if (row.event != TraceEvent::drop) continue;
    // The row of a flit on a link names the node where it entered that.
    const auto place = places_.find(key_of(row));
    if (place == places_.end()) continue;
    leave(row, place->second);
  }
}

void BusySteps::arrive(const TraceRow& row, NodeId node) {
  Node& there = nodes_[static_cast<std::size_t>(node)];
  if (there.flits++ == 0) there.since = row.step;
  if (flits_vanish_) places_[key_of(row)] = node;
}

void BusySteps::leave(const TraceRow& row, NodeId node) {
  Node& there = nodes_[static_cast<std::size_t>(node)];
  if (--there.flits == 0) there.busy += row.step - there.since + 1;
  if (flits_vanish_ && row.event != TraceEvent::hop) places_.erase(key_of(row));
}

std::vector<std::int64_t> BusySteps::before(Step step) const {
  std::vector<std::int64_t> busy;
  busy.reserve(nodes_.size());
  for (const Node& node : nodes_) busy.push_back(node.busy + (node.flits > 0 ? step - node.since : 0));
  return busy;
}

}  // namespace starloom::energy
