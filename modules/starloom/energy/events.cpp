// SPDX-License-Identifier: Apache-2.0
#include <starloom/energy/events.hpp>

#include <starloom/energy/hardware.hpp>

namespace starloom::energy {

using links::TraceEvent;

namespace {

/// [node] True if it has no router, so that the events there cost nothing.
std::vector<bool> terminals(const NetworkGraph& graph, const links::Declaration& declaration) {
  std::vector<bool> list;
  for (NodeId node = 0; node < graph.nodes(); ++node) list.push_back(!links::has_router(graph, declaration, node));
  return list;
}

/// \param busy [node] steps in which its clock runs; empty: all
void count_clock(Events& events, const std::vector<bool>& terminal, Step steps,
                 const std::vector<std::int64_t>& busy = {}) {
  events.steps = steps;
  for (std::size_t node = 0; node < terminal.size(); ++node)
    if (!terminal[node])
      events.routers[node][static_cast<std::size_t>(Event::clock)] = busy.empty() ? steps : busy[node];
}

}  // namespace

Events events_of(const NetworkGraph& graph, const links::Declaration& declaration, const links::EventCounts& counts,
                 Step steps) {
  const std::vector<bool> terminal = terminals(graph, declaration);
  const bool worms = links::moves_worms(declaration.storage);
  Events events;
  events.routers.resize(terminal.size());
  events.crossings = counts.flits;
  if (declaration.storage == StorageModel::virtual_channels) events.credits = counts.flits;
  for (std::size_t link = 0; link < counts.others.size(); ++link) events.crossings[link] += counts.others[link];
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const auto n = static_cast<std::size_t>(node);
    events.ejected += counts.ejected[n];
    if (terminal[n]) continue;
    std::int64_t arrived = counts.injected[n], left = 0, consumed = counts.ejected[n] + counts.stored[n];
    for (const Port in : graph.in_ports(node)) {
      const LinkEnd from = graph.near_end(node, in);
      arrived += counts.flits[graph.index(from.node, from.port)];
    }
    for (const Port out : graph.out_ports(node)) left += counts.flits[graph.index(node, out)];
    const auto set = [&](Event event, std::int64_t count) {
      events.routers[n][static_cast<std::size_t>(event)] = count;
    };
    if (worms) {
      set(Event::latch, arrived + consumed);
    } else {
      left += consumed;
      set(Event::buffer_write, arrived);
      set(Event::buffer_read, left);
    }
    set(Event::switch_grant, left);
    set(Event::crossbar, left);
    set(Event::route, counts.heads[n]);
    if (declaration.storage == StorageModel::virtual_channels) set(Event::channel, counts.heads[n]);
  }
  count_clock(events, terminal, steps, counts.busy);
  return events;
}

EventTally::EventTally(const NetworkGraph& graph, const links::Declaration& declaration, Step from, Step to)
    : graph_(graph), storage_(declaration.storage), from_(from), to_(to), terminal_(terminals(graph, declaration)) {
  clear();
}

void EventTally::clear() {
  events_.ejected = 0;
  events_.routers.assign(terminal_.size(), ByEvent{});
  events_.crossings.assign(graph_.link_slots(), 0);
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

Events EventTally::events(Step steps, const std::vector<std::int64_t>& busy) const {
  Events events = events_;
  count_clock(events, terminal_, steps, busy);
  return events;
}

Events EventTally::take(Step steps, const std::vector<std::int64_t>& busy) {
  Events events = this->events(steps, busy);
  clear();
  return events;
}

}  // namespace starloom::energy
