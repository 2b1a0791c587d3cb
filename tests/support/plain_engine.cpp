// SPDX-License-Identifier: Apache-2.0
#include "support/plain_engine.hpp"

#include <algorithm>
#include <stdexcept>

namespace starloom::links {

PlainEngine::PlainEngine(const LinkNetwork& network, const Algorithm& algorithm, PacketSource& source,
                         const StepperOptions& options)
    : network_(network),
      graph_(network.graph),
      declaration_(algorithm.declaration()),
      options_(options),
      memory_(network.graph.nodes(), declaration_.source_queues()),
      source_(source),
      algorithm_(&algorithm),
      unreachable_(options.unreachable),
      controllers_(algorithm.make_controllers()),
      state_(static_cast<std::size_t>(network.graph.nodes())),
      reverse_words_(static_cast<std::size_t>(network.graph.ports())),
      forward_words_(reverse_words_) {
  record().link_load.resize(network.graph.link_slots());
  last_sent_.resize(network.graph.link_slots(), no_step);
  if (options.unreachable == nullptr) return;
  const Faults& faults = options.unreachable->faults();
  if (options.unreachable->timeline() != nullptr) {
    timeline_ = *options.unreachable->timeline();
    hardware_.emplace(faults);
  }
  for (NodeId node = 0; node < graph_.nodes(); ++node) {
    if (faults.router_is_dead(node)) dead_.insert({node, no_port});
    if (faults.processor_is_dead(node)) dead_.insert({node, graph_.ports()});
    for (const Port port : graph_.out_ports(node))
      if (faults.link_is_dead(node, port)) dead_.insert({node, port});
  }
}

void PlainEngine::change_hardware() {
  if (!timeline_) return;
  const bool was_empty = is_empty();
  std::vector<FaultEvent> now;
  for (; const FaultEvent* const event = timeline_->find(next_event_, now_); ++next_event_) {
    now.push_back(*event);
    hardware_->apply(*event);
    if (event->dies) dead_.insert({event->node, event->port});
    else dead_.erase({event->node, event->port});
  }
  act_on_faults(now);
  if (options_.unreachable->reroutes() != nullptr) change_routing(now, was_empty);
  lose_heads();
}

void PlainEngine::change_routing(const std::vector<FaultEvent>& events, bool was_empty) {
  const Reroutes& reroutes = *options_.unreachable->reroutes();
  if (!events.empty()) {
    next_change_ = reroutes.after(events, *hardware_);
    due_ = reroutes.rules().floods ? next_change_->reroute.due : now_ + reroutes.rules().after;
  }
  if (due_ == no_step || now_ < due_) return;
  if (reroutes.rules().transition == Transition::drain) {
    if (!draining_) record().drains.push_back(now_);
    draining_ = !was_empty;
    if (draining_) return;
  }
  if (reroutes.rules().transition == Transition::flush) flush();
  due_ = no_step;
  changes_.push_back(next_change_);
  algorithm_ = next_change_->algorithm.get();
  unreachable_ = &next_change_->unreachable;
  record().reroutes.push_back(now_);
  reroute(*algorithm_->make_controllers());
  for (PacketId id = 0; id < static_cast<PacketId>(record().packets.size()); ++id) {
    const Packet& p = packet(id);
    const NodeId queue = memory_.queue_of(p.source, memory_.queues() > 1 ? p.traffic_class : 0);
    std::vector<PacketId> waiting;
    for (PacketId in = memory_.front(queue); in != no_packet; in = memory_.after(in)) waiting.push_back(in);
    const auto found = std::find(waiting.begin(), waiting.end(), id);
    if (found == waiting.end() || (found == waiting.begin() && memory_.flits_sent(queue) > 0)) continue;
    if (const auto cause = unreachable_->cause(p.source, p.destination, false)) {
      memory_.take_packet(queue, id);
      lose(id, *cause);
    }
  }
}

void PlainEngine::give_up_memory(NodeId node) {
  for (int queue = 0; queue < memory_.queues(); ++queue)
    while (memory_.packets(memory_.queue_of(node, queue)) > 0)
      lose(memory_.take_packet(memory_.queue_of(node, queue)), LossCause::dead_source);
}

void PlainEngine::lose(PacketId packet, LossCause cause) {
  record().lost[packet] = {cause, now_};
  ++record().lost_count;
}

StepperResult PlainEngine::run() {
  observe_state();
  try {
    while (!ended()) {
      record().steps_run = now_ + 1;
      change_hardware();
      create_packets();
      execute_step();
      for (NodeId node = 0; node < graph_.nodes(); ++node) record().queue.update(queued(node), node, now_);
      observe_state();
      clear_past();
    }
  } catch (const Stopped&) {
    result_.end = StepperEnd::violation;
  }
  std::sort(result_.rows.begin(), result_.rows.end());
  std::sort(result_.credits.begin(), result_.credits.end());
  return std::move(result_);
}

/// Goes on to the next step in which something happens, or says why there is none.
bool PlainEngine::ended() {
  const bool all_created = source_.next_creation(now_ + 1) == no_step;
  const Step next = next_step();
  if (all_created &&
      record().delivered_count + record().lost_count == static_cast<std::int64_t>(record().packets.size()))
    result_.end = StepperEnd::all_delivered;
  // A program that is over explains a standstill at its end better than the standstill itself.
  else if (declaration_.program_end != no_step && (next == no_step ? now_ + 1 : next) >= declaration_.program_end)
    result_.end = StepperEnd::program_end;
  else if (next == no_step) result_.end = StepperEnd::nothing_pending;
  else if (next >= options_.max_steps) result_.end = StepperEnd::step_limit;
  else {
    now_ = next;
    return false;
  }
  return true;
}

Step PlainEngine::next_step() const {
  Step next = source_.next_creation(now_ + 1);
  const auto consider = [&next](Step step) { next = next == no_step ? step : std::min(next, step); };
  if (!wakes_.empty()) consider(wakes_.begin()->first);
  if (draining_ && is_empty()) consider(now_ + 1);
  if (!draining_ && due_ != no_step) consider(due_);
  // While flits are in flight no step is skipped, because `queue` includes flits that are about to arrive.
  if (in_motion() || !reverse_.empty() || !forward_.empty()) consider(now_ + 1);
  if (timeline_) {
    const Step last = next == no_step ? timeline_->last_scheduled() : next;
    if (const FaultEvent* const event = timeline_->find(next_event_, last)) consider(event->step);
  }
  return next != no_step && options_.wake_all ? now_ + 1 : next;
}

void PlainEngine::clear_past() {
  wakes_.erase(wakes_.begin(), wakes_.upper_bound(now_));
  reverse_.erase(reverse_.begin(), reverse_.upper_bound(now_));
  forward_.erase(forward_.begin(), forward_.upper_bound(now_));
}

void PlainEngine::create_packets() {
  std::vector<Packet>& packets = record().packets;
  const std::size_t before = packets.size();
  source_.generate(created_before_, now_ + 1, packets);
  created_before_ = now_ + 1;
  record().delivered.resize(packets.size(), no_step);
  record().hops.resize(packets.size(), 0);
  created_at_.clear();
  for (std::size_t i = before; i < packets.size(); ++i) {
    const Packet& p = packets[i];
    if (declaration_.most_flits != 0 && p.flits > declaration_.most_flits)
      throw std::invalid_argument("the algorithm does not carry packets as long as this");
    if (is_dead({p.source, graph_.ports()})) {
      lose(static_cast<PacketId>(i), LossCause::dead_source);
    } else if (const auto cause =
                   unreachable_ == nullptr ? std::nullopt : unreachable_->cause(p.source, p.destination, false)) {
      lose(static_cast<PacketId>(i), *cause);
    } else if (p.source == p.destination && !declaration_.routes_own) {
      record().delivered[i] = p.created;
      ++record().delivered_count;
      record().flits_delivered += p.flits;
    } else {
      memory_.add(memory_.queue_of(p.source, declaration_.source_queues() > 1 ? p.traffic_class : 0),
                  static_cast<PacketId>(i));
      created_at_.insert(p.source);
    }
  }
}

bool PlainEngine::awake(NodeId node) const {
  if (options_.wake_all || created_at_.count(node) != 0) return true;
  const auto requested = wakes_.find(now_);
  if (requested != wakes_.end() && requested->second.count(node) != 0) return true;
  for (const Words* words : {&reverse_, &forward_}) {
    const auto readable = words->find(now_);
    if (readable != words->end() && first_of(readable->second, node) != readable->second.end()) return true;
  }
  return false;
}

template <class Ports>
void PlainEngine::prepare(FrameOf<Ports>& frame, NodeId node) {
  ++record().activations;
  frame.step = now_;
  frame.node = node;
  frame.grid = network_.as<Grid>();
  frame.packets = &record().packets;
  frame.memory = &memory_;
  frame.seed = options_.seed;
  for (Port port = 0; port < graph_.ports(); ++port) {
    if (graph_.near_end(node, port).connected()) add_port(frame.in_ports, port);
    if (!graph_.far_end(node, port).connected()) continue;
    const Step last = last_sent_[graph_.index(node, port)];
    const bool waits = is_dead({node, port}) || (last != no_step && now_ < last + graph_.interval(node, port));
    add_port(waits ? frame.withheld : frame.out_ports, port);
  }
  fill_words(reverse_, node, frame.reverse_arrived, reverse_words_);
  fill_words(forward_, node, frame.forward_arrived, forward_words_);
  frame.reverse_words = reverse_words_.data();
  frame.forward_words = forward_words_.data();
}

template <class Ports>
void PlainEngine::fill_words(const Words& words, NodeId node, Ports& ports, std::vector<std::uint32_t>& values) {
  const auto readable = words.find(now_);
  if (readable == words.end()) return;
  const std::map<Place, std::uint32_t>& table = readable->second;
  for (auto at = first_of(table, node); at != table.end() && at->first.first == node; ++at) {
    add_port(ports, at->first.second);
    values[static_cast<std::size_t>(at->first.second)] = at->second;
  }
}

template <class Ports>
void PlainEngine::commit(const FrameOf<Ports>& frame) {
  if (frame.breach != nullptr) violate(frame.node, frame.breach);
  if (!has_none(frame.reverse_written) && !declaration_.reverse_wire)
    violate(frame.node, "wrote a side wire it has not got");
  if (!has_none(frame.forward_written) && !declaration_.forward_wire)
    violate(frame.node, "wrote a side wire it has not got");
  if (frame.wake != no_step) wakes_[frame.wake].insert(frame.node);
  for (Port port = 0; port < graph_.ports(); ++port) {
    const auto i = static_cast<std::size_t>(port);
    if (has_port(frame.sent, port)) last_sent_[graph_.index(frame.node, port)] = now_;
    if (has_port(frame.reverse_written, port)) {
      const LinkEnd from = graph_.near_end(frame.node, port);
      reverse_[now_ + graph_.wire_latency(from.node, from.port)][{from.node, from.port}] = frame.reverse_out[i];
    }
    if (has_port(frame.forward_written, port))
      forward_[now_ + graph_.wire_latency(frame.node, port)][far_end({frame.node, port})] = frame.forward_out[i];
  }
}

template void PlainEngine::prepare(FrameOf<PortMask>&, NodeId);
template void PlainEngine::prepare(FrameOf<ManyPorts>&, NodeId);
template void PlainEngine::commit(const FrameOf<PortMask>&);
template void PlainEngine::commit(const FrameOf<ManyPorts>&);

Place PlainEngine::far_end(Place out) const {
  const LinkEnd end = graph_.far_end(out.first, out.second);
  return {end.node, end.port};
}

void PlainEngine::cross(Place out, const Flit& object) {
  const NodeId to = far_end(out).first;
  if (is_control(object.kind)) {
    ++record().control_hops;
    Flit nameless;
    nameless.index = -1;
    row(object.kind == FlitKind::key ? TraceEvent::key : TraceEvent::token, nameless, out, to);
    return;
  }
  ++record().flit_hops;
  ++record().link_load[graph_.index(out.first, out.second)];
  if (object.index == 0) ++crossed_[object.packet];
  row(TraceEvent::hop, object, out, to);
  const LinkErrors* const errors = options_.errors;
  if (errors == nullptr || repeats_flits(errors) || !errors->corrupts(out.first, out.second, now_)) return;
  ++record().errors.corrupt;
  corrupt_.insert(object.packet);
}

void PlainEngine::eject(const Flit& flit, NodeId node) {
  row(TraceEvent::eject, flit, node);
  const Packet& facts = packet(flit.packet);
  if (flit.index == 0 && !is_group(facts.destination))
    record().hops[static_cast<std::size_t>(flit.packet)] = crossed_[flit.packet];
  if (is_group(facts.destination)) {  // its flits count when all destinations have all of them
    const auto copies = static_cast<std::int32_t>(declaration_.tree_of(facts.destination).group.destinations.size());
    if (++ejected_flits_[flit.packet] < facts.flits * copies) return;
    record().hops[static_cast<std::size_t>(flit.packet)] = crossed_[flit.packet];
    record().flits_delivered += facts.flits;
  } else {
    ++record().flits_delivered;
    if (++ejected_flits_[flit.packet] < facts.flits) return;
  }
  if (corrupt_.count(flit.packet) > 0) return lose(flit.packet, LossCause::corrupt);
  record().delivered[static_cast<std::size_t>(flit.packet)] = now_;
  ++record().delivered_count;
}

void PlainEngine::store(const Flit& flit, NodeId node) {
  row(TraceEvent::store, flit, node);
  if (flit.index == 0) record().hops[static_cast<std::size_t>(flit.packet)] = crossed_[flit.packet];
  if (++stored_flits_[flit.packet] < packet(flit.packet).flits) return;
  stored_flits_.erase(flit.packet);
  memory_.add(node, flit.packet);
}

void PlainEngine::row(TraceEvent event, const Flit& flit, Place at, NodeId to) {
  TraceRow r;
  r.step = now_;
  r.event = event;
  r.packet = flit.packet;
  r.flit = flit.index;
  r.node = at.first;
  r.port = at.second;
  r.to = to;
  const bool crosses = event == TraceEvent::hop || event == TraceEvent::resend || event == TraceEvent::drop;
  const bool has_channel = event == TraceEvent::inject || (crosses && r.port != no_port);
  if (declaration_.storage == StorageModel::virtual_channels && has_channel) r.channel = flit.channel;
  result_.rows.push_back(r);
}

void PlainEngine::violate(NodeId node, const std::string& rule) {
  result_.violation =
      Violation{now_, node, "step " + std::to_string(now_) + ": " + graph_.node_name(node) + " " + rule};
  throw Stopped{};
}

void PlainEngine::observe_state() {
  const std::size_t fields = declaration_.state.size();
  std::vector<std::uint32_t> values(fields);
  for (NodeId node = 0; node < graph_.nodes(); ++node) {
    std::vector<std::uint32_t>& known = state_[static_cast<std::size_t>(node)];
    const bool first = now_ < 0;
    if (first) known.resize(fields);
    publish(node, values.data());
    for (std::size_t field = 0; field < fields; ++field) {
      if (!first && known[field] == values[field]) continue;
      known[field] = values[field];
      result_.state.push_back({now_, node, static_cast<std::int32_t>(field), values[field]});
    }
  }
}

}  // namespace starloom::links
