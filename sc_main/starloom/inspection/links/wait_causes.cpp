// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/wait_causes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include <starloom/support/names.hpp>

namespace starloom::links {
namespace {

/// The first departure granted in the step or later.
std::vector<Departure>::const_iterator from_step(const std::vector<Departure>& list, Step step) {
  return std::lower_bound(list.begin(), list.end(), step,
                          [](const Departure& departure, Step at) { return departure.granted < at; });
}

/// The first departure whose row is of the step or later.
std::vector<Departure>::const_iterator with_row_from(const std::vector<Departure>& list, Step step) {
  return std::lower_bound(list.begin(), list.end(), step,
                          [](const Departure& departure, Step at) { return departure.step < at; });
}

}  // namespace

WaitCauses::WaitCauses(const RunFiles& run, const Evidence& evidence, PacketId packet)
    : run_(run),
      graph_(run.network.graph),
      evidence_(evidence),
      packet_(packet),
      dead_(run.rules.fault_events.empty() ? std::vector<DeadTime>()
                                           : dead_times(*run.rules.faults, run.rules.fault_events)) {}

void WaitCauses::explain(const Stay& stay, std::vector<Wait>& waits) const {
  if (stay.stored) add(stay, stay.from, stay.to, {WaitCause::stored}, waits);
  else if (stay.end == StayEnd::trace_ends) at_the_end(stay, waits);
  else if (stay.end == StayEnd::injected) in_memory(stay, waits);
  else if (stay.granted != no_step) in_router(stay, waits);
  else in_queue(stay, waits);
}

void WaitCauses::add(const Stay& stay, Step from, Step to, Found found, std::vector<Wait>& waits) const {
  if (from >= to) return;
  const std::string what = found.what ? *found.what : this->what(stay);
  const bool joins = !waits.empty() && waits.back().to == from && waits.back().node == stay.node &&
                     waits.back().cause == found.cause && waits.back().what == what;
  if (!joins) waits.push_back({stay.node, from, from, what, found.cause, {}, std::move(found.reason)});
  Wait& wait = waits.back();
  wait.to = to;
  if (found.behind != no_packet && std::find(wait.behind.begin(), wait.behind.end(), found.behind) == wait.behind.end())
    wait.behind.push_back(found.behind);
}

std::string WaitCauses::what(const Stay& stay) const {
  return stay.out == no_port || stay.out >= graph_.ports() ? "" : graph_.link_name(stay.node, stay.out);
}

/// It waits for an edge of its clock; then its processor sends other packets before it, and it waits for a buffer slot.
void WaitCauses::in_memory(const Stay& stay, std::vector<Wait>& waits) const {
  const auto& injected = evidence_.injections(stay.node);
  const Step cycle = graph_.period(stay.node);
  Step others = std::min(stay.to, edge_from(stay.from, cycle));
  add(stay, stay.from, others, {WaitCause::crossing}, waits);
  for (auto at = from_step(injected, stay.from); at != injected.end() && at->step < stay.to; ++at) {
    if (at->packet == packet_) continue;
    add_in_memory(stay, others, at->step + cycle, {WaitCause::source, at->packet}, waits);
    others = std::max(others, at->step + cycle);
  }
  const WaitCause rest = run_.rules.router      ? WaitCause::credit
                         : run_.rules.bound > 0 ? WaitCause::bound
                                                : WaitCause::timetable;
  add_in_memory(stay, others, stay.to, {rest}, waits);
}

/// The last flit of a packet that was being sent when the processors stopped is not the reason for the wait after it.
void WaitCauses::add_in_memory(const Stay& stay, Step from, Step to, const Found& found,
                               std::vector<Wait>& waits) const {
  const auto& injected = evidence_.injections(stay.node);
  for (const RoutingChanges::Drain& drain : run_.changes.drains) {
    Step begin = std::max(from, drain.from);
    const Step end = drain.to == no_step ? to : std::min(to, drain.to);
    for (auto at = from_step(injected, begin); at != injected.end() && at->step < end; ++at) begin = at->step + 1;
    if (begin >= end) continue;
    add(stay, from, begin, found, waits);
    add(stay, begin, end, {WaitCause::stopped}, waits);
    from = end;
  }
  add(stay, from, to, found, waits);
}

Step WaitCauses::front_from(const Stay& stay, std::vector<Wait>& waits) const {
  // Packets that left the same buffer meanwhile were in front; a tail that wins the switch makes room from the next
  // step on.
  std::vector<std::pair<Step, PacketId>> ahead;
  for (Port port = 0; port <= evidence_.behind_switches(); ++port) {
    const auto& list = evidence_.departures(stay.node, port);
    for (auto at = from_step(list, stay.from); at != list.end() && at->granted < stay.to; ++at)
      if (at->packet != packet_ && at->in == stay.in && at->in_channel == stay.in_channel)
        ahead.emplace_back(at->granted, at->packet);
  }
  std::sort(ahead.begin(), ahead.end());
  Step front = stay.from;
  for (const auto& [won, packet] : ahead) {
    if (won >= stay.granted) break;
    const Step free = won + graph_.period(stay.node);
    add(stay, front, free, {WaitCause::worm, packet}, waits);
    front = std::max(front, free);
  }
  return front;
}

void WaitCauses::in_router(Stay stay, std::vector<Wait>& waits) const {
  const Step to_row = stay.to - stay.granted;  // at least
  if (run_.rules.waits_behind_switch()) stay.granted = evidence_.granted(stay, packet_);
  const Step cycle = graph_.period(stay.node);
  const bool home = stay.out == graph_.ports();
  const Step front = front_from(stay, waits);
  const Step may_win = std::min(front + run_.timeline->stages(stay.node), std::max(front, stay.granted));
  add(stay, front, may_win, {WaitCause::pipeline}, waits);
  for (Step step = may_win; step < stay.granted;) {
    const bool each_cycle = graph_.has_clocks() || run_.holds_switch || run_.rules.waits_behind_switch() ||
                            (home ? run_.rules.limits_requests() : graph_.interval(stay.node, stay.out) > 1);
    const Step until = each_cycle
                           ? step + cycle
                           : std::min(stay.granted, evidence_.next_change(stay.node, stay.out, stay.out_channel, step));
    add(stay, step, until, lost_switch(stay, step), waits);
    step = until;
  }
  const Step behind_fifo = steps_behind_fifo(stay);
  const Step joins = stay.granted + to_row - behind_fifo, leaves = stay.to - behind_fifo;
  add(stay, std::max(may_win, stay.granted), joins, {WaitCause::pipeline}, waits);
  for (Step step = joins; step < leaves; step += cycle) add(stay, step, step + cycle, in_fifo(stay, step), waits);
  add(stay, std::max(may_win, leaves), stay.to, {WaitCause::pipeline}, waits);
}

Step WaitCauses::steps_behind_fifo(const Stay& stay) const {
  const router::Pipeline& pipeline = run_.timeline->pipelines().at(stay.node);
  const bool home = stay.out == graph_.ports();
  return Step{graph_.period(stay.node)} * (1 + (home ? pipeline.consumption() - pipeline.link_entry() : 0));
}

PacketId WaitCauses::front_of_fifo(const Stay& stay, Step step) const {
  const auto& list = evidence_.departures(stay.node, stay.out);
  const auto front = with_row_from(list, step + steps_behind_fifo(stay));
  return front == list.end() ? no_packet : front->packet;
}

/// It takes no requests, because at the beginning of the step its flits are as many as its limit.
bool WaitCauses::is_fifo_full(const Stay& stay, Step step) const {
  const std::int32_t limit = run_.rules.router->fifo;
  if (limit == 0) return false;
  const auto& list = evidence_.departures(stay.node, stay.out);
  const auto front = with_row_from(list, step + steps_behind_fifo(stay));
  if (list.end() - front < limit) return false;
  const router::Pipeline& pipeline = run_.timeline->pipelines().at(stay.node);
  const Step before_fifo = Step{graph_.period(stay.node)} * (pipeline.link_entry() - 1);
  return (front + (limit - 1))->granted + before_fifo < step;
}

/// The sender of the link keeps as many flits as it can, because their acknowledgements have not come.
bool WaitCauses::is_replay_full(const Stay& stay, Step step) const {
  if (!repeats_flits(run_.rules.errors.get()) || stay.out == graph_.ports()) return false;
  const int latency = graph_.latency(stay.node, stay.out);
  const auto& list = evidence_.departures(stay.node, stay.out);
  auto taken = 0;
  for (auto at = from_step(list, step); at != list.begin() && !is_acknowledged(stay, *std::prev(at), step); --at)
    ++taken;
  return taken >= run_.rules.errors->places(run_.timeline->pipelines().at(stay.node).link_entry(), latency);
}

bool WaitCauses::is_acknowledged(const Stay& stay, const Departure& sent, Step step) const {
  const TraceRow row{sent.step, TraceEvent::hop, sent.packet, sent.flit, stay.node, stay.out};
  return run_.timeline->readable(row) + graph_.latency(stay.node, stay.out) <= step;
}

WaitCauses::Found WaitCauses::in_fifo(const Stay& stay, Step step) const {
  if (repeats_flits(run_.rules.errors.get())) return {WaitCause::retry};
  const PacketId front = front_of_fifo(stay, step);
  if (front != packet_) return {WaitCause::fifo, front};
  const Step entry = step + graph_.period(stay.node);
  const Departure* const last = last_on_link(stay, entry);
  if (is_busy(stay, entry)) return {WaitCause::interval, last->packet};
  return {WaitCause::crossing, last == nullptr ? no_packet : last->packet};
}

const Departure* WaitCauses::last_on_link(const Stay& stay, Step entry) const {
  const auto& list = evidence_.departures(stay.node, stay.out);
  const auto next = with_row_from(list, entry);
  return next == list.begin() ? nullptr : &*std::prev(next);
}

bool WaitCauses::is_busy(const Stay& stay, Step entry) const {
  const Step interval = stay.out == graph_.ports() ? 1 : graph_.interval(stay.node, stay.out);
  const Departure* const last = interval > 1 ? last_on_link(stay, entry) : nullptr;
  return last != nullptr && last->step < stay.to && last->step + interval > entry;
}

WaitCauses::Found WaitCauses::lost_to(const Stay& stay, Step step, const Departure& winner, bool same_out,
                                      WaitCause otherwise) const {
  if (winner.packet == packet_) return {otherwise, no_packet, "a copy of the packet left through another port"};
  // Priorities always select one of the channels of an in-line that request one out-port.
  const bool compared = run_.priorities.compared || (same_out && share_in_line(stay, winner));
  if (run_.priorities.rule == PriorityRule::none || !compared) return {otherwise, winner.packet};
  const std::int64_t own = evidence_.priority(stay.node, stay.in, stay.in_channel, stay.from, step);
  const std::int64_t its =
      evidence_.priority(stay.node, static_cast<Port>(winner.in), winner.in_channel, winner.readable, step);
  if (its <= own) return {otherwise, winner.packet};
  return {WaitCause::priority, winner.packet, evidence_.priorities().reason(winner.packet, its, own)};
}

bool WaitCauses::share_in_line(const Stay& stay, const Departure& other) const {
  const std::int32_t lines = run_.rules.router->in_port_flits;
  return other.in == stay.in && other.in_channel % lines == stay.in_channel % lines;
}

/// \param other to the same out-port.
bool WaitCauses::share_out_line(const Stay& stay, const Departure& other) const {
  const std::int32_t lines = run_.rules.router->out_port_flits;
  if (lines == 1 || other.in < 0) return true;
  const auto line = [&](Port in) { return run_.shape.index_of_port[static_cast<std::size_t>(in)] % lines; };
  return line(static_cast<Port>(other.in)) == line(stay.in);
}

PacketId WaitCauses::holder_of_lines(const Stay& stay, Step step) const {
  if (!run_.holds_switch) return no_packet;
  const Step before = step - graph_.period(stay.node);
  for (Port port = 0; port <= evidence_.behind_switches(); ++port) {
    const auto& list = evidence_.departures(stay.node, port);
    for (auto at = from_step(list, before); at != list.end() && at->granted == before; ++at)
      if (at->next_is_there && (share_in_line(stay, *at) || (port == stay.out && share_out_line(stay, *at))))
        return at->packet;
  }
  return no_packet;
}

WaitCauses::Found WaitCauses::lost_switch(const Stay& stay, Step step) const {
  const bool home = stay.out == graph_.ports();
  if (home)
    if (const PacketId open = evidence_.requests().before(packet_, step + run_.timeline->longest_delay());
        open != no_packet)
      return {WaitCause::places, open};
  if (const PacketId other = holder(stay, step); other != no_packet) return {WaitCause::channel, other};
  const auto before = [&] {
    // The packet that sent the last flit over the channel filled the next buffer.
    const Departure* const last = evidence_.last_before(stay.node, stay.out, stay.out_channel, step, packet_);
    return last == nullptr ? no_packet : last->packet;
  };
  const std::int32_t flits = run_.packets.packets[static_cast<std::size_t>(packet_)].flits;
  const bool whole = run_.rules.router->whole_copies && run_.tree_of(packet_) != nullptr;
  const std::int32_t needed = home ? 1 : whole ? flits : run_.rules.router->needed_slots(stay.in, stay.out, flits);
  if (needed > 1 && evidence_.room(stay.node, stay.out, stay.out_channel, step) < needed)
    return {WaitCause::cut_through, before()};
  if (!evidence_.has_credit(stay.node, stay.out, stay.out_channel, step)) return {WaitCause::credit, before()};
  if (is_fifo_full(stay, step)) return {WaitCause::fifo, front_of_fifo(stay, step)};
  if (is_replay_full(stay, step)) return {WaitCause::retry};
  if (const PacketId other = holder_of_lines(stay, step); other != no_packet) return {WaitCause::hold, other};
  const auto winner = [&](Port port, const auto& shares_line) -> const Departure* {
    const auto& list = evidence_.departures(stay.node, port);
    for (auto at = from_step(list, step); at != list.end() && at->granted == step; ++at)
      if (shares_line(*at)) return &*at;
    return nullptr;
  };
  const auto of_out_line = [&](const Departure& other) { return share_out_line(stay, other); };
  const auto of_in_line = [&](const Departure& other) { return share_in_line(stay, other); };
  if (const Departure* const other = winner(stay.out, of_out_line); other != nullptr)
    return lost_to(stay, step, *other, true, WaitCause::contention);
  for (Port port = 0; port <= evidence_.behind_switches(); ++port)
    if (port != stay.out)
      if (const Departure* const other = winner(port, of_in_line); other != nullptr)
        return lost_to(stay, step, *other, false, WaitCause::in_port);
  if (!home && !run_.rules.waits_behind_switch()) {
    if (is_crossing_full(stay, step)) {
      const Departure* const last = evidence_.last_before(stay.node, stay.out, -1, step, packet_);
      return {WaitCause::crossing, last == nullptr ? no_packet : last->packet};
    }
    const router::Pipeline& pipeline = run_.timeline->pipelines().at(stay.node);
    const Step entry = step + Step{graph_.period(stay.node)} * (pipeline.switch_steps + pipeline.crossbar_steps);
    if (is_busy(stay, entry)) return {WaitCause::interval, last_on_link(stay, entry)->packet};
  }
  if (run_.stalls && !home) return {WaitCause::stall};
  return {WaitCause::allocation};
}

/// The FIFO between two clocks takes no flit: those that have won the switch before, and that the sender has not seen
/// leave it, are as many as its limit.
bool WaitCauses::is_crossing_full(const Stay& stay, Step step) const {
  if (!graph_.has_clocks()) return false;
  const ClockCrossing crossing = graph_.crossing(stay.node, stay.out);
  if (crossing.fifo == 0) return false;
  const auto& list = evidence_.departures(stay.node, stay.out);
  const Step longer = crossing.sender * (run_.timeline->pipelines().at(stay.node).flit_steps() - 1);
  return std::count_if(list.begin(), from_step(list, step + longer), [&](const Departure& sent) {
           const TraceRow row{sent.step, TraceEvent::hop, sent.packet, sent.flit, stay.node, stay.out};
           return run_.timeline->readable(row) + Step{crossing.synchroniser} * crossing.sender > step;
         }) >= crossing.fifo;
}

/// A channel carries a packet from head to tail, so if the next flit in it is not a head, its packet held the channel
/// before. Rows do not name the channels to the processor: if as many packets as there are channels have begun and
/// not ended, all are held.
PacketId WaitCauses::holder(const Stay& stay, Step step) const {
  const auto& list = evidence_.departures(stay.node, stay.out);
  if (stay.out == graph_.ports()) {
    const auto next = from_step(list, step);
    const std::int32_t held = next == list.begin() ? 0 : std::prev(next)->open;
    return held < run_.rules.channels_at(stay.node) || next == list.end() ? no_packet : next->packet;
  }
  for (auto at = from_step(list, step); at != list.end() && at->step < stay.to; ++at)
    if (at->channel == stay.out_channel) return at->flit > 0 ? at->packet : no_packet;
  // A packet that vanishes holds the channel until then.
  const Departure* const last = evidence_.last_before(stay.node, stay.out, stay.out_channel, step, packet_);
  const Step vanishes = last == nullptr ? no_step : evidence_.vanishes_at(*last);
  return vanishes != no_step && vanishes > step ? last->packet : no_packet;
}

void WaitCauses::in_queue(const Stay& stay, std::vector<Wait>& waits) const {
  const bool terminal = run_.rules.router && graph_.is_terminal(stay.node);
  Step from = stay.from;
  if (terminal && stay.end == StayEnd::crosses) {
    from = std::min(stay.to, from + graph_.period(stay.node) * router::terminal_entry);
    add(stay, stay.from, from, {WaitCause::pipeline}, waits);
  }
  if (const Step asked = asks_again_at(stay); asked != no_step) {
    add(stay, from, asked, {WaitCause::dead, no_packet, "", only_dead_link(stay.node, asked - 1)}, waits);
    from = asked;
  }
  for (Step step = from; step < stay.to;) {
    Step until = stay.to;
    Found found = lost_link(stay, step, until);
    add(stay, step, until, std::move(found), waits);
    step = until;
  }
}

/// A link takes a packet that waits for it in the first step in which it is free. One that was idle before routing
/// functions changed was therefore not the one that it waited for.
Step WaitCauses::asks_again_at(const Stay& stay) const {
  if (run_.rules.router || stay.out == no_port || stay.out >= graph_.ports()) return no_step;
  Step found = no_step;
  for (const Step change : run_.changes.steps) {
    if (change <= stay.from || change > stay.to) continue;
    bool may_wait_for_others = false;
    for (const Port port : graph_.out_ports(stay.node))
      may_wait_for_others =
          may_wait_for_others || (port != stay.out && dead_time(stay.node, port, change - 1) != nullptr);
    bool idle = false;
    for (Step step = stay.from; step < change && !idle; ++step) {
      const Departure* const last = evidence_.last_before(stay.node, stay.out, -1, step + 1, packet_);
      const Step free = last == nullptr ? 0 : last->step + graph_.interval(stay.node, stay.out);
      idle = step >= free && dead_time(stay.node, stay.out, step) == nullptr;
    }
    if (may_wait_for_others && idle) found = change;
  }
  return found;
}

const DeadTime* WaitCauses::dead_time(NodeId node, Port out, Step step) const {
  const auto found = std::find_if(dead_.begin(), dead_.end(), [&](const DeadTime& time) {
    return time.node == node && time.port == out && time.from <= step && (time.until == no_step || step < time.until);
  });
  return found == dead_.end() ? nullptr : &*found;
}

std::string WaitCauses::only_dead_link(NodeId node, Step step) const {
  std::string only;
  for (const Port port : graph_.out_ports(node)) {
    if (dead_time(node, port, step) == nullptr) continue;
    if (!only.empty()) return "";
    only = graph_.link_name(node, port);
  }
  return only;
}

/// The step in which the flit that crossed the link before leaves its register; `before.step` if flits do not stay on
/// links.
Step WaitCauses::leaves_register_at(const Stay& stay, const Departure& before) const {
  if (run_.rules.storage != RefereeRules::Storage::links_only || before.packet == no_packet) return before.step;
  const NodeId next = graph_.far_end(stay.node, stay.out).node;
  Step leaves = stay.to;
  for (Port port = 0; port <= graph_.ports(); ++port) {
    const auto& list = evidence_.departures(next, port);
    for (auto at = from_step(list, before.step + 1); at != list.end() && at->step < leaves; ++at)
      if (at->packet == before.packet && at->flit == before.flit) leaves = at->step;
  }
  return leaves;
}

/// The cause why it did not cross in a step; `until` is lowered to the next step in which the cause may change.
WaitCauses::Found WaitCauses::lost_link(const Stay& stay, Step step, Step& until) const {
  if (stay.out == no_port || stay.out >= graph_.ports())
    return run_.rules.limits_requests() ? at_terminal(stay, step, until) : Found{WaitCause::timetable};
  if (const DeadTime* const dead = run_.rules.router ? nullptr : dead_time(stay.node, stay.out, step)) {
    if (dead->until != no_step) until = std::min(until, dead->until);
    return {WaitCause::dead};
  }
  if (repeats_flits(run_.rules.errors.get())) return {WaitCause::retry};
  const auto& list = evidence_.departures(stay.node, stay.out);
  const auto at = from_step(list, step);
  if (at != list.end() && at->step == step) {
    until = step + 1;
    if (at->packet == no_packet) return {WaitCause::timetable, no_packet, "a key or token of the algorithm crossed"};
    return {WaitCause::contention, at->packet, discipline(stay.node, *at, stay.from)};
  }
  if (at != list.end()) until = std::min(until, at->step);
  for (const DeadTime& time : dead_)
    if (time.node == stay.node && time.port == stay.out && time.from > step) until = std::min(until, time.from);
  const Departure* const before = evidence_.last_before(stay.node, stay.out, -1, step, packet_);
  if (before == nullptr) return {WaitCause::timetable};
  const Step free = before->step + graph_.interval(stay.node, stay.out);
  if (step < free) {
    until = std::min(until, free);
    return {WaitCause::interval, before->packet};
  }
  const Step leaves = leaves_register_at(stay, *before);
  if (step <= leaves) {
    until = std::min(until, leaves + 1);
    return {WaitCause::worm, before->packet};
  }
  return {WaitCause::timetable};
}

/// At its destination, whose processor consumes one flit in a step.
WaitCauses::Found WaitCauses::at_terminal(const Stay& stay, Step step, Step& until) const {
  until = step + graph_.period(stay.node);
  if (const PacketId open = evidence_.requests().before(packet_, step); open != no_packet)
    return {WaitCause::places, open};
  const auto& list = evidence_.departures(stay.node, graph_.ports());
  const auto at = from_step(list, step);
  return {WaitCause::contention, at != list.end() && at->step == step ? at->packet : no_packet};
}

/// The keys by which a queue with a discipline chose.
std::string WaitCauses::discipline(NodeId node, const Departure& winner, Step readable) const {
  if (run_.discipline.empty() || contains(run_.network.capabilities(), "express-mesh"))
    return "";  // on their own paths, there
  const Packet& other = run_.packets.packets[static_cast<std::size_t>(winner.packet)];
  const Packet& own = run_.packets.packets[static_cast<std::size_t>(packet_)];
  const auto keys = [&](const std::string& meaning, Step its, Step mine) {
    return fmt::format("{}: packet {} {} {}, this one {}{}", run_.discipline, winner.packet, meaning, its, mine,
                       its == mine ? ", the lower number first" : "");
  };
  if (run_.discipline == "furthest-destination")
    return keys("has still to go", graph_.distance(node, other.destination), graph_.distance(node, own.destination));
  if (run_.discipline == "furthest-origin")
    return keys("has come", graph_.distance(other.source, node), graph_.distance(own.source, node));
  if (run_.discipline == "fifo") return keys("was here in step", winner.readable, readable);
  return "";
}

void WaitCauses::at_the_end(const Stay& stay, std::vector<Wait>& waits) const {
  const NetworkGraph& graph = run_.network.graph;
  for (std::size_t i = 0; i < run_.deadlock.size(); ++i) {
    const CyclePacket& entry = run_.deadlock[i];
    if (entry.packet != packet_) continue;
    Stay blocked = stay;
    if (entry.node == stay.node) {
      blocked.out = entry.port;
    } else {
      // Behind others in the channel that it came over.
      const bool crossed = entry.port != no_port && entry.port < graph.ports();
      if (!crossed || graph.far_end(entry.node, entry.port) != LinkEnd{stay.node, stay.in}) continue;
    }
    add(blocked, stay.from, stay.to, {WaitCause::deadlock, run_.deadlock[(i + 1) % run_.deadlock.size()].packet},
        waits);
    return;
  }
  add(stay, stay.from, stay.to, {WaitCause::open}, waits);
}

}  // namespace starloom::links
