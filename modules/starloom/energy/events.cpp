// SPDX-License-Identifier: Apache-2.0
#include <starloom/energy/events.hpp>

#include <starloom/energy/hardware.hpp>

namespace starloom::energy {

using links::TraceEvent;

EventTally::EventTally(const NetworkGraph& graph, const links::Declaration& declaration, Step from, Step to)
    : graph_(graph), storage_(declaration.storage), from_(from), to_(to) {
  for (NodeId node = 0; node < graph.nodes(); ++node) terminal_.push_back(is_terminal(graph, declaration, node));
  events_.routers.resize(terminal_.size());
  events_.crossings.assign(graph.link_slots(), 0);
  if (storage_ == StorageModel::virtual_channels) events_.credits = events_.crossings;
}

void EventTally::rows(const std::vector<links::TraceRow>& of_one_step) {
  const Step step = of_one_step.front().step;
  if (step < from_ || (to_ != no_step && step >= to_)) return;
  for (const links::TraceRow& row : of_one_step) count(row);
}

void EventTally::count(const links::TraceRow& row) {
  const auto node = static_cast<std::size_t>(row.node);
  const bool buffered = !links::moves_worms(storage_);
  const Event arrival = buffered ? Event::buffer_write : Event::latch;
  switch (row.event) {
    case TraceEvent::inject:
      if (!terminal_[node]) add(row.node, arrival);
      return;
    case TraceEvent::eject: ++events_.ejected; [[fallthrough]];
    case TraceEvent::store:
      if (terminal_[node]) return;
      if (buffered) pass_switch(row.node, row.flit == 0);
      else add(row.node, Event::latch);
      return;
    case TraceEvent::hop:
      if (!terminal_[node]) pass_switch(row.node, row.flit == 0);
      if (!terminal_[static_cast<std::size_t>(row.to)]) add(row.to, arrival);
      ++events_.crossings[graph_.index(row.node, row.port)];
      if (!events_.credits.empty()) ++events_.credits[graph_.index(row.node, row.port)];
      return;
    case TraceEvent::key:
    case TraceEvent::token:
    case TraceEvent::resend: ++events_.crossings[graph_.index(row.node, row.port)]; return;
    case TraceEvent::discard:
    case TraceEvent::drop: return;
  }
}

void EventTally::pass_switch(NodeId node, bool head) {
  if (!links::moves_worms(storage_)) add(node, Event::buffer_read);
  add(node, Event::switch_grant);
  add(node, Event::crossbar);
  if (!head) return;
  add(node, Event::route);
  if (storage_ == StorageModel::virtual_channels) add(node, Event::channel);
}

Events EventTally::events(Step steps) const {
  Events events = events_;
  events.steps = steps;
  for (std::size_t node = 0; node < terminal_.size(); ++node)
    if (!terminal_[node]) events.routers[node][static_cast<std::size_t>(Event::clock)] = steps;
  return events;
}

}  // namespace starloom::energy
