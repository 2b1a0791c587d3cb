// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/router_audit.hpp>

#include <algorithm>
#include <string>

namespace starloom::links {
namespace {

// The pipeline, stated independently of the program that simulates it (modules/starloom/control/links/pipeline.hpp).
// All times are cycles of the node. A flit that the processor sends in s is readable in s + 2. See also
// RouterAudit::link_register.
constexpr Step injection = 2;
// The credit of a flit that leaves in step t is a word on the side wire in t + 1; the processor may use it
// in the step after.
constexpr Step word = 1, source_credit = 1;
// A flit that a terminal sends in s enters its link in s + 1; the credit of a channel towards a terminal is available
// two steps after the flit.
constexpr Step onto_link = 1, exit_credit = 2;

/// The first step from this one on in which a clock has an edge.
Step edge_behind(Step step, Step cycle) { return step % cycle == 0 ? step : step + cycle - step % cycle; }

}  // namespace

RouterAudit::RouterAudit(const CheckContext& context)
    : context_(context),
      rules_(*context.rules().router),
      waits_(context.rules().waits_behind_switch() || context.rules().limits_requests()),
      at_exit_(context.rules().limits_requests() ? static_cast<std::size_t>(context.graph().nodes()) : 0),
      buffers_((context.link_slots() + static_cast<std::size_t>(context.graph().nodes())) *
               static_cast<std::size_t>(context.rules().channels)),
      terminals_(static_cast<std::size_t>(context.graph().nodes())),
      passed_(rules_.has_fifo ? context.link_slots() + terminals_.size() : 0),
      last_word_(context.link_slots() + terminals_.size(), no_step),
      last_head_(terminals_.size() * context.rules().classes.size(), no_packet) {
  for (NodeId node = 0; node < context.graph().nodes(); ++node)
    terminals_[static_cast<std::size_t>(node)] = context.graph().is_terminal(node);
  if (repeats_flits(context.rules().errors.get())) retries_.emplace(context);
  if (context.rules().hardware_changes() && !retries_) purges_.emplace(context);
  if (context.rules().hardware_changes() && retries_ && rules_.credits) retry_purges_.emplace(context);
  if (context.rules().faults == nullptr || context.rules().faults->dead_places().empty()) return;
  dead_places_.resize(buffers_.size(), 0);
  for (const auto& [place, dead] : context.rules().faults->dead_places()) {
    const auto [node, port, channel] = place;
    dead_places_[static_cast<std::size_t>(context.link(node, port)) *
                     static_cast<std::size_t>(context.rules().channels) +
                 static_cast<std::size_t>(channel)] = dead;
  }
}

/// \param location of the buffers, or the local in-port of a terminal, which has the channels of its link.
std::size_t RouterAudit::buffer_of(const TraceRow& row, std::size_t location) const {
  const std::int32_t channels = context_.rules().channels;
  NodeId node = node_at(location);
  if (row.event == TraceEvent::inject && is_terminal(node))
    node = context_.graph().far_end(node, context_.graph().out_ports(node).lowest()).node;
  const std::int32_t there = context_.rules().channels_at(node);
  if (row.channel < 0 || row.channel >= there)
    context_.reject(row, "is in channel " + std::to_string(row.channel) + ", but there are " + std::to_string(there));
  if (!context_.rules().classes.empty()) {
    const RefereeRules::Class& own = context_.rules().classes[context_.packet(row.packet).traffic_class];
    if (row.channel < own.first || row.channel > own.last)
      context_.reject(row, "is in channel " + std::to_string(row.channel) + ", but the channels of its class are " +
                               std::to_string(own.first) + " to " + std::to_string(own.last));
  }
  return location * static_cast<std::size_t>(channels) + static_cast<std::size_t>(row.channel);
}

std::string RouterAudit::name(std::size_t buffer) const {
  const auto channels = static_cast<std::size_t>(context_.rules().channels);
  const std::string channel = "channel " + std::to_string(buffer % channels) + " of ";
  const std::size_t location = buffer / channels;
  if (location >= context_.link_slots())
    return channel + "the local in-port of " +
           context_.node_name(static_cast<NodeId>(location - context_.link_slots()));
  return channel + context_.link_name(static_cast<LinkId>(location));
}

void RouterAudit::check_slots(const TraceRow& row, std::size_t buffer) const {
  // A flit counts until this row even if its crossbar takes longer than one step: for as long as no other flit can be
  // readable in its slot, which takes a cycle to its credit, and at least three steps from there. If it may wait behind
  // the switch, it counts until its credit.
  if (waits_ && !rules_.credits) return;
  const Step step =
      row.step - (waits_ ? 0 : cycle(node_of(buffer)) * (stages_behind(buffer).crossbar_steps + link_register) - 2);
  const auto flits_in = [&](const Buffer& b) {
    return std::count_if(b.flits.begin(), b.flits.end(),
                         [&](const Entry& e) { return e.readable <= step && (!waits_ || e.credited == no_step); });
  };
  // Most buffers have room for all flits that are on the way to them or there, of which there may be thousands.
  const auto expected_in = [](const Buffer& b) { return static_cast<std::ptrdiff_t>(b.flits.size()); };
  const Buffer& own = buffers_[buffer];
  const auto there = expected_in(own) > capacity_of(buffer) ? flits_in(own) - most_gone(buffer) : 0;
  if (there > capacity_of(buffer))
    context_.reject(row, "finds " + std::to_string(there) + " flits in " + name(buffer) + ", which has room for " +
                             std::to_string(capacity_of(buffer)));
  if (rules_.places == 0 || sum_of_port(buffer, expected_in) <= rules_.places) return;
  const auto of_port = sum_of_port(buffer, flits_in);
  if (of_port > rules_.places)
    context_.reject(row, "finds " + std::to_string(of_port) + " flits in all channels of the in-port of " +
                             name(buffer) + ", which has " + std::to_string(rules_.places) + " places");
}

NodeId RouterAudit::node_at(std::size_t location) const {
  return location >= context_.link_slots() ? static_cast<NodeId>(location - context_.link_slots())
                                           : context_.far_end(static_cast<LinkId>(location));
}

/// A class has one queue in a processor.
void RouterAudit::check_queue(const TraceRow& row) {
  const std::size_t classes = context_.rules().classes.size();
  if (classes == 0 || row.flit != 0) return;
  PacketId& last = last_head_[static_cast<std::size_t>(row.node) * classes + context_.packet(row.packet).traffic_class];
  if (row.packet < last)
    context_.reject(row, "leaves its processor after packet " + std::to_string(last) +
                             ", which is behind it in the queue of their class");
  last = row.packet;
}

void RouterAudit::open_channel(const TraceRow& row, std::size_t buffer) {
  Buffer& b = buffers_[buffer];
  if (row.flit == 0 && b.open != no_packet)
    context_.reject(row, "enters " + name(buffer) + " before the tail of packet " + std::to_string(b.open));
  if (row.flit != 0 && b.open != row.packet)
    context_.reject(row, "enters " + name(buffer) + ", which does not carry its packet");
  b.open = is_tail(row) ? no_packet : row.packet;
}

/// \param sent the last step in which a credit that is used can have been returned.
void RouterAudit::spend_credit(const TraceRow& row, std::size_t buffer, Step sent) {
  Buffer& b = buffers_[buffer];
  for (; !b.returning.empty() && b.returning.front() <= sent; b.returning.pop_front()) --b.spent;
  const std::int64_t spent = b.spent - most_gone(buffer);
  if (rules_.waits_for_tail_credit && row.flit == 0 && spent > 0)
    context_.reject(row, "enters " + name(buffer) + " before the credit of the tail before it is back");
  if (rules_.places > 0) take_place(row, buffer, sent);
  ++b.spent;
  if (spent >= capacity_of(buffer)) context_.reject(row, "enters " + name(buffer) + " without a credit");
}

/// The places of other channels count with their credits that are not back, but at least as those of them alone. A flit
/// that requests the switch may lose its place to one of another channel, so it counts in the step in which it leaves.
void RouterAudit::take_place(const TraceRow& row, std::size_t buffer, Step sent) {
  const bool of_router = row.event == TraceEvent::hop && !is_terminal(row.node);
  const Step left = of_router ? sent + cycle(row.node) * (stages(row.node).flit_steps - 1) : sent;
  const Buffer& own = buffers_[buffer];
  const std::int64_t taken = sum_of_port(buffer, [&](const Buffer& b) -> std::int64_t {
    const auto back = std::upper_bound(b.returning.begin(), b.returning.end(), left) - b.returning.begin();
    return &b == &own ? b.spent - back : std::max<std::int64_t>(b.spent - back, rules_.own_places);
  });
  if (taken >= rules_.places)
    context_.reject(row, "enters " + name(buffer) + ", but its in-port has " + std::to_string(rules_.places) +
                             " places, which other flits have taken or which are left to other channels");
  if (!rules_.divides_places) return;
  // The channel of a head may have been given to it in the same step.
  const std::int64_t carrying =
      sum_of_port(buffer, [&](const Buffer& b) { return &b == &own ? row.flit > 0 : b.open != no_packet; });
  const std::int64_t most = rules_.places / std::max<std::int64_t>(carrying, 1);
  if (own.spent >= most)
    context_.reject(row, "enters " + name(buffer) + " as flit " + std::to_string(own.spent + 1) + ", but with " +
                             std::to_string(carrying) + " channels in use each has at most " + std::to_string(most));
}

/// \param allocated the last step in which the channel can have been allocated to a head.
void RouterAudit::check_room(const TraceRow& row, std::size_t buffer, std::int32_t needed, Step allocated) const {
  if (row.flit != 0 || needed <= 1 || !rules_.credits) return;
  const Buffer& b = buffers_[buffer];
  const auto back = std::upper_bound(b.returning.begin(), b.returning.end(), allocated) - b.returning.begin();
  const std::int64_t room = capacity_of(buffer) - (b.spent - most_gone(buffer) - back);
  if (room < needed)
    context_.reject(row, "enters " + name(buffer) + ", which has room for " + std::to_string(room) +
                             " flits, but its flow control needs room for " + std::to_string(needed));
}

void RouterAudit::enter(const TraceRow& row, std::size_t buffer, Step readable) {
  Buffer& b = buffers_[buffer];
  if (b.flits.empty() && is_in_doubt(buffer)) b.spent -= retry_purges_->settle(buffer, row.step);
  const Step cycle = this->cycle(node_of(buffer));
  const Step at_front = std::max(readable, rules_.rounds > 1 ? b.may_leave : b.may_leave + cycle);
  b.may_leave = at_front + cycle * (steps_of(stay(buffer, row.flit)) - 1);
  const MulticastTree* const tree = tree_of(row.packet);
  b.flits.push_back(
      {row.packet, row.flit, readable, at_front, no_step, tree == nullptr ? 0 : tree->at(node_of(buffer))});
  check_slots(row, buffer);
}

/// \param out_port the link, or the processor, to which it goes.
/// \param after_switch steps from leaving the buffer to this row; at least, with FIFOs.
/// \return the step in which it left its buffer, at the latest.
RouterAudit::Left RouterAudit::leave(const TraceRow& row, std::size_t out_port, Step after_switch) {
  if (tree_of(row.packet) != nullptr) return {leave_as_copy(row, out_port, after_switch)};
  Worm& worm = worms_.at(row.packet);
  const std::size_t buffer = worm.path[worm.at[static_cast<std::size_t>(row.flit)]];
  Buffer& b = buffers_[buffer];
  check_slots(row, buffer);
  // Flits leave a buffer in order, but if they wait behind it, they may go on in another one.
  const auto at = waits_ ? std::find_if(b.flits.begin(), b.flits.end(),
                                        [&](const Entry& e) { return e.packet == row.packet && e.flit == row.flit; })
                         : b.flits.begin();
  Entry entry = *at;
  if (entry.packet != row.packet || entry.flit != row.flit)
    context_.reject(row, "leaves " + name(buffer) + " before flit " + std::to_string(entry.flit) + " of packet " +
                             std::to_string(entry.packet));
  b.flits.erase(at);
  const Step cycle = this->cycle(row.node);
  const Step at_front = waits_ ? entry.at_front : std::max({entry.readable, b.left + cycle, entry.behind_vanished});
  const Step least = at_front + cycle * steps_of(stay(buffer, row.flit) + stages(row.node).crossbar_steps) +
                     after_switch - to_link(row.node);
  if (row.step < least)
    context_.reject(row, "moves before step " + std::to_string(least) + ", faster than the pipeline of its router");
  if (purges_ && rules_.credits) take_credit(row, buffer, entry, row.step - after_switch);
  const bool credited = entry.credited != no_step, in_doubt = is_in_doubt(buffer);
  if (in_doubt) retry_purges_->leave(buffer);
  if (rules_.credits && !credited && !in_doubt) {
    if (rules_.rounds == 1) context_.reject(row, "leaves " + name(buffer) + ", but no credit is returned for it");
    owe_credit(row, buffer);
  }
  const Step left = row.step - after_switch;
  const bool to_processor = out_port >= context_.link_slots();
  if (retries_ && !to_processor) return credited ? Left{entry.credited - cycle * word} : Left{left, false};
  if (to_processor && context_.rules().limits_requests()) {
    if (credited) --at_exit_[static_cast<std::size_t>(row.node)];
    return {credited ? entry.credited - cycle * word : left};
  }
  if (!rules_.has_fifo) {
    if (rules_.credits && (credited || !in_doubt) && left != entry.credited - cycle * word)
      context_.reject(row, "moves in another step than its credit of step " + std::to_string(entry.credited) + " says");
    if (!waits_) b.left = left;
    return {left};
  }
  if (!credited) return {left};
  if (rules_.rounds == 1) check_fifo(row, out_port, entry.credited - cycle * word, after_switch);
  return {std::min(left, entry.credited - cycle * word)};
}

/// Other flits of its packet may still be in front of it, for other ports. The first copy of a head takes the time of
/// the pipeline, the others may follow in the next cycles.
Step RouterAudit::leave_as_copy(const TraceRow& row, std::size_t out_port, Step after_switch) {
  const std::size_t buffer = worms_.at(row.packet).buffer_in.at(row.node);
  Buffer& b = buffers_[buffer];
  check_slots(row, buffer);
  auto at = b.flits.begin();
  while (at->packet == row.packet && at->flit != row.flit) ++at;
  if (at->packet != row.packet)
    context_.reject(row, "leaves " + name(buffer) + " before flit " + std::to_string(at->flit) + " of packet " +
                             std::to_string(at->packet));
  const Port port = out_port >= context_.link_slots() ? context_.graph().ports() : row.port;
  const bool first = at->copies == tree_of(row.packet)->at(row.node);
  at->copies &= ~(std::uint64_t{1} << port);
  const Step turn = b.left + 1, left = row.step - after_switch;
  const Step in_pipeline = (first ? std::max(at->readable, turn) : at->readable) + stay(buffer, row.flit) - 1;
  if (const Step least = std::max(in_pipeline, turn) + after_switch; row.step < least)
    context_.reject(row, "moves before step " + std::to_string(least) + ", faster than the pipeline of its router");
  b.left = left;
  if (at->copies != 0) return left;
  if (rules_.credits && at->credited == no_step)
    context_.reject(row, "leaves " + name(buffer) + ", but no credit is returned for it");
  if (rules_.credits && left != at->credited - word)
    context_.reject(row, "moves in another step than its credit of step " + std::to_string(at->credited) + " says");
  b.flits.erase(at);
  return left;
}

/// Credits wait for earlier credit words of their in-port, of which each step takes one.
void RouterAudit::owe_credit(const TraceRow& row, std::size_t buffer) {
  ++buffers_[buffer].owed;
  if (last_word_[buffer / static_cast<std::size_t>(context_.rules().channels)] != row.step)
    context_.reject(row, "leaves " + name(buffer) + ", but its in-port returns no credit in this step");
}

/// The step in which a flit left its buffer is known.
void RouterAudit::check_fifo(const TraceRow& row, std::size_t out_port, Step left, Step after_switch) {
  Queue<Passed>& passed = passed_[out_port];
  const RouterRules::Stages& stages = rules_.stages_at(row.node);
  const Step cycle = this->cycle(row.node);
  const Step requested = left - cycle * (stages.flit_steps - 1);
  const bool has_link = out_port < context_.link_slots();
  // The last one stays in the list, because the link is free only its interval later.
  const Step interval = has_link ? context_.graph().interval(row.node, row.port) : cycle;
  const Step free = passed.empty() ? 0 : passed.back().step + interval;
  Step due = std::max(left + after_switch, free);
  if (has_link) due = room_on_link(static_cast<LinkId>(out_port), due - cycle * link_register) + cycle * link_register;
  if (row.step != due)
    context_.reject(row, "leaves the FIFO of its out-port in another step than " + std::to_string(due));
  // In the FIFO from the end of the crossbar to the step before the link.
  const Step in_link = after_switch - to_link(row.node);
  const auto there = std::count_if(passed.begin(), passed.end(), [&](const Passed& p) {
    return p.left + cycle * stages.crossbar_steps < requested && p.step - in_link > requested;
  });
  if (rules_.fifo > 0 && there >= rules_.fifo)
    context_.reject(row, "passes the switch in step " + std::to_string(left) + " to a FIFO with " +
                             std::to_string(there) + " flits, which is full with " + std::to_string(rules_.fifo));
  const auto together =
      1 + std::count_if(passed.begin(), passed.end(), [&](const Passed& p) { return p.left == left; });
  if (together > rules_.out_port_flits)
    context_.reject(row, "passes the switch in step " + std::to_string(left) + " as number " +
                             std::to_string(together) + " to its out-port, which takes " +
                             std::to_string(rules_.out_port_flits));
  while (!passed.empty() && passed.front().left < left && passed.front().step - in_link <= requested)
    passed.pop_front();
  passed.push_back({left, row.step});
}

void RouterAudit::require_edge(const TraceRow& row) const {
  if (row.step % cycle(row.node) != 0)
    context_.reject(row, "moves between two edges of the clock of its node, which has a cycle of " +
                             std::to_string(cycle(row.node)) + " steps");
}

/// The first edge of its sender from this one on in which a link takes a flit: all flits before the next one have been
/// sent, and those that have been read count until the sender knows it.
Step RouterAudit::room_on_link(LinkId link, Step from) const {
  const ClockCrossing clocks = crossing(link);
  const auto flits = read_.find(link);
  if (clocks.fifo == 0 || flits == read_.end() || static_cast<std::int32_t>(flits->second.size()) < clocks.fifo)
    return from;
  const Step known = flits->second[flits->second.size() - static_cast<std::size_t>(clocks.fifo)] +
                     Step{clocks.synchroniser} * clocks.sender;
  return std::max(from, edge_behind(known, clocks.sender));
}

/// \param sent the step in which the flit asked for the link. \return the step in which its receiver reads it.
Step RouterAudit::read_link(const TraceRow& row, LinkId link, Step sent) {
  const Step arrival = row.step + context_.latency(link);
  if (!context_.graph().has_clocks()) return arrival;
  if (rules_.has_fifo && !is_terminal(row.node)) sent = row.step - cycle(row.node) * link_register;
  const ClockCrossing clocks = crossing(link);
  if (room_on_link(link, sent) > sent)
    context_.reject(row, "is sent over " + context_.link_name(link) +
                             ", whose FIFO between two clocks may be full with " + std::to_string(clocks.fifo));
  Queue<Step>& flits = read_[link];
  Step read = edge_behind(arrival, clocks.receiver) + Step{clocks.synchroniser} * clocks.receiver;
  if (!flits.empty()) read = std::max(read, flits.back() + clocks.receiver);
  flits.push_back(read);
  while (static_cast<std::int32_t>(flits.size()) > std::max(clocks.fifo, 1)) flits.pop_front();
  return read;
}

/// The step in which a credit that reaches the sender of a link in this one is available.
Step RouterAudit::at_sender(LinkId link, Step arrival) const {
  if (!context_.graph().has_clocks()) return arrival;
  const ClockCrossing clocks = crossing(link);
  return edge_behind(arrival, clocks.sender) + Step{clocks.synchroniser} * clocks.sender;
}

/// The step in which the credit of a flit that arrives at a terminal is available: a cycle of the terminal and those of
/// the sender later.
Step RouterAudit::credit_of_terminal(LinkId link, Step arrival) const {
  const Step own = cycle(context_.far_end(link)), of_sender = cycle(context_.near_end(link));
  return at_sender(link, arrival + own + of_sender * (exit_credit - 1 + rules_.credit_extra));
}

void RouterAudit::inject(const TraceRow& row) {
  require_edge(row);
  const std::size_t buffer = buffer_of(row, local(row.node));
  Worm& worm = worms_[row.packet];
  check_queue(row);
  if (row.flit == 0)
    worm = {{buffer}, std::vector<std::size_t>(static_cast<std::size_t>(context_.packet(row.packet).flits))};
  if (const MulticastTree* const tree = tree_of(row.packet); tree != nullptr && row.flit == 0) {
    worm.buffer_in[row.node] = buffer;
    worm.ends_left = tree->group.destinations.size();
  }
  if (is_terminal(row.node))
    leaving_[row.node].push_back({row.packet, row.flit, row.channel, row.step + cycle(row.node) * onto_link});
  else {
    if (rules_.whole_packets) check_room(row, buffer, context_.packet(row.packet).flits, row.step);
    open_channel(row, buffer);
    enter(row, buffer, row.step + cycle(row.node) * injection);
    if (rules_.credits) spend_credit(row, buffer, row.step);
  }
}

void RouterAudit::end_step() {
  // A flit that is consumed in a step has passed the switch before one that enters a link in it.
  for (const Hop& hop : hops_) cross(hop);
  hops_.clear();
  for (const PacketId packet : vanished_) worms_.erase(packet);
  vanished_.clear();
}

/// \return the step of its injection.
Step RouterAudit::leave_terminal(const Hop& hop) {
  const auto& [row, link, crossing] = hop;
  Queue<InTransit>& leaving = leaving_[row.node];
  if (leaving.empty() || leaving.front().packet != row.packet || leaving.front().flit != row.flit)
    context_.reject(row, "leaves a terminal, which does not forward packets, but was not injected there");
  const InTransit flit = leaving.front();
  leaving.pop_front();
  if (retries_) retries_->enter(row, link, flit.step - onto_link, onto_link, crossing.free_from);
  else if (flit.step != row.step)
    context_.reject(row, "enters the link of its terminal in another step than " + std::to_string(flit.step) +
                             ", the one after its injection");
  if (flit.channel != row.channel)
    context_.reject(row, "enters channel " + std::to_string(row.channel) + ", but was injected for channel " +
                             std::to_string(flit.channel));
  return flit.step - cycle(row.node) * onto_link;
}

void RouterAudit::enter_terminal(const TraceRow& row, std::size_t buffer, Step arrival, LinkId link) {
  if (!context_.rules().limits_requests()) buffers_[buffer].returning.push_back(credit_of_terminal(link, arrival));
  arriving_[row.to].push_back({row.packet, row.flit, row.channel, arrival});
}

void RouterAudit::cross(const Hop& hop) {
  const auto& [row, link, crossing] = hop;
  const std::size_t buffer = buffer_of(row, behind(link));
  const auto arrive = [&, &row = row, &link = link](Step step) {
    if (is_terminal(row.to)) enter_terminal(row, buffer, step, link);
    else enter(row, buffer, step);
  };
  if (row.event == TraceEvent::resend) {
    if (crossing.refutes) refute(row);
    if (crossing.accepted) arrive(row.step + context_.latency(link));
    return;
  }
  const bool injected = is_terminal(row.node);
  // A credit is used by the request for the switch.
  require_edge(row);
  const Step cycle = this->cycle(row.node);
  const auto [left, is_known] = injected ? Left{leave_terminal(hop)} : leave(row, behind(link), to_link(row.node));
  if (retries_ && !injected && is_known) retries_->enter(row, link, left, to_link(row.node), crossing.free_from);
  const Step sent = injected ? left : left - cycle * (stages(row.node).flit_steps - 1);
  Worm& worm = worms_.at(row.packet);
  if (row.flit == 0) {
    const std::size_t channels = static_cast<std::size_t>(context_.rules().channels),
                      before = buffer_before(row, worm) / channels;
    const Port in = before < context_.link_slots() ? in_port_of(static_cast<LinkId>(before)) : context_.graph().ports();
    const std::int32_t flits = context_.packet(row.packet).flits;
    const bool whole = rules_.whole_copies && !worm.buffer_in.empty();
    const std::int32_t needed = whole ? flits : rules_.needed_slots(in, row.port, flits);
    check_room(row, buffer, needed, injected ? sent : sent - cycle * rules_.allocated_before);
    if (worm.buffer_in.empty()) worm.path.push_back(buffer);
    else worm.buffer_in[row.to] = buffer;
  }
  follow_head(row, buffer, worm);
  if (is_terminal(row.to) && row.to != context_.packet(row.packet).destination)
    context_.reject(row, "goes to a terminal, which does not forward packets, and is not its destination");
  open_channel(row, buffer);
  if (is_terminal(row.to)) spend_credit(row, buffer, sent);
  const Step readable = read_link(row, link, sent);
  if (crossing.accepted) arrive(readable);
  if (!is_terminal(row.to) && rules_.credits) spend_credit(row, buffer, sent);
}

void RouterAudit::follow_head(const TraceRow& row, std::size_t buffer, Worm& worm) const {
  const std::size_t of_head =
      worm.buffer_in.empty() ? worm.path[++worm.at[static_cast<std::size_t>(row.flit)]] : worm.buffer_in.at(row.to);
  check_way_of_head(row, of_head, buffer);
}

void RouterAudit::check_way_of_head(const TraceRow& row, std::size_t of_head, std::size_t buffer) const {
  if (of_head != buffer)
    context_.reject(row, "enters " + name(buffer) + ", or was to, but its head took " + name(of_head));
}

void RouterAudit::consume(const TraceRow& row) {
  require_edge(row);
  if (is_terminal(row.node)) {
    if (context_.rules().limits_requests()) consume_waiting(row);
    else consume_arriving(row);
  } else {
    leave(row, local(row.node), to_processor(row.node));
  }
  if (is_tail(row) && --worms_.at(row.packet).ends_left == 0) worms_.erase(row.packet);
}

void RouterAudit::consume_arriving(const TraceRow& row) {
  Queue<InTransit>& arriving = arriving_[row.node];
  const InTransit flit = arriving.empty() ? InTransit{no_packet, 0, 0, no_step} : arriving.front();
  if (flit.packet != row.packet || flit.flit != row.flit || flit.step != row.step)
    context_.reject(row, "is consumed at a terminal in another step than that in which it arrives there");
  arriving.pop_front();
}

/// At a terminal, the flits of each channel are consumed in their order, and return their credits then.
void RouterAudit::consume_waiting(const TraceRow& row) {
  Queue<InTransit>& arriving = arriving_[row.node];
  const auto flit = std::find_if(arriving.begin(), arriving.end(), [&](const InTransit& waiting) {
    return waiting.packet == row.packet && waiting.flit == row.flit;
  });
  if (std::any_of(arriving.begin(), flit, [&](const InTransit& other) { return other.channel == flit->channel; }))
    context_.reject(row, "is consumed before another flit of its channel, which arrived before it");
  const LinkEnd from = context_.graph().near_end(row.node, context_.graph().in_ports(row.node).lowest());
  const std::size_t channels = static_cast<std::size_t>(context_.rules().channels);
  const LinkId link = context_.link(from.node, from.port);
  const std::size_t buffer = behind(link) * channels + static_cast<std::size_t>(flit->channel);
  buffers_[buffer].returning.push_back(credit_of_terminal(link, row.step));
  arriving.erase(flit);
}

void RouterAudit::credits(const std::vector<CreditRow>& of_one_step) {
  if (purges_) settle(of_one_step.front().step);
  const CreditRow* first_of_port = nullptr;
  for (const CreditRow& row : of_one_step) {
    const auto reject = [&row, this](const std::string& text) {
      CheckContext::reject(row.step, row.node,
                           context_.has_node(row.node) ? context_.node_name(row.node) : "the network", text);
    };
    if (first_of_port == nullptr || row.node != first_of_port->node || row.port != first_of_port->port)
      first_of_port = &row;
    const bool hardware_changes = purges_ || retry_purges_;
    const bool second = !hardware_changes && std::any_of(first_of_port, &row, [&](const CreditRow& other) {
      return (row.channel - other.channel) % rules_.in_port_flits == 0;
    });
    if (!(hardware_changes ? !(row < last_credit_) : last_credit_ < row) || second)
      reject(std::string("a credit is out of order, or the second of its ") +
             (rules_.in_port_flits > 1 ? "sub-port" : "in-port") + " in one step");
    last_credit_ = row;
    if (!context_.has_node(row.node) || row.port < 0 || row.port > context_.graph().ports() || row.channel < 0 ||
        row.channel >= context_.rules().channels_at(row.node))
      reject("a credit is for a node, port or channel that does not exist");
    const bool is_local = row.port == context_.graph().ports();
    const LinkEnd from = is_local ? LinkEnd{row.node, 0} : context_.graph().near_end(row.node, row.port);
    if (!from.connected()) reject("a credit comes from an in-port that has no link");
    if (is_terminal(row.node)) reject("a credit comes from a terminal, which has no buffers");
    const Step cycle = this->cycle(row.node);
    if (row.step % cycle != 0)
      reject("a credit is returned between two edges of the clock, which has a cycle of " + std::to_string(cycle) +
             " steps");
    const bool is_source = is_local || is_terminal(from.node);
    const LinkId link = is_local ? -1 : context_.link(from.node, from.port);
    const std::size_t location = is_local ? local(row.node) : behind(link);
    const std::size_t buffer =
        location * static_cast<std::size_t>(context_.rules().channels) + static_cast<std::size_t>(row.channel);
    Buffer& b = buffers_[buffer];
    using Word = RetryPurgeAudit::Word;
    const Word of = retry_purges_ ? retry_purges_->word(row.step, buffer) : Word::of_flit;
    // The credit was spent without a row, too.
    if (of == Word::of_reserved) continue;
    if (purges_) {
      purges_->word(row.step, buffer);
    } else if (of != Word::of_flit || is_in_doubt(buffer)) {
      // It shows no flit that has left.
    } else if (b.owed > 0) {
      if (last_word_[location] < row.step - cycle) reject("a credit of " + name(buffer) + " is late");
      --b.owed;
    } else {
      const auto flit =
          std::find_if(b.flits.begin(), b.flits.end(), [](const Entry& e) { return e.credited == no_step; });
      if (flit == b.flits.end() || flit->readable > row.step - cycle * word)
        reject("a credit is returned by " + name(buffer) + ", but no flit has left it");
      flit->credited = row.step;
      if (waits_ && rules_.rounds == 1) leave_early(row, buffer, *flit);
      if (waits_for_processor(flit->packet, row.node)) wait_at_exit(row);
    }
    last_word_[location] = row.step;
    const Step extra = is_source ? 0 : this->cycle(from.node) * rules_.credit_extra;
    b.returning.push_back(is_local ? row.step + cycle * source_credit
                                   : at_sender(link, row.step + context_.wire_latency(link) + extra));
  }
}

/// Its credit is found by the step in which it left its buffer, because others may be those of flits that vanished.
void RouterAudit::take_credit(const TraceRow& row, std::size_t buffer, Entry& entry, Step left) {
  const std::size_t location = buffer / static_cast<std::size_t>(context_.rules().channels);
  if (const auto [last, first] = last_left_.emplace(location, left); !first && last->second == left)
    context_.reject(row, "is the second flit that leaves its in-port in step " + std::to_string(left));
  else last->second = left;
  if (!purges_->take(buffer, left)) return;
  // A repair has counted it among the flits in the buffer.
  if (purges_->was_repaired(location, left, row.step)) --buffers_[buffer].spent;
  entry.credited = left + word;
}

void RouterAudit::settle(Step now) {
  for (const PurgeAudit::Places& places : purges_->settle(now)) buffers_[places.buffer].spent += places.more;
}

/// The credit of a flit shows the step in which it left its buffer.
void RouterAudit::leave_early(const CreditRow& row, std::size_t buffer, const Entry& flit) {
  Buffer& b = buffers_[buffer];
  const Step cycle = this->cycle(row.node);
  const Step least =
      std::max({flit.readable, b.left + cycle, flit.behind_vanished}) + cycle * (stay(buffer, flit.flit) - 1);
  b.left = row.step - cycle * word;
  if (b.left < least)
    context_.reject(b.left, row.node, flit.packet, flit.flit,
                    "leaves " + name(buffer) + " before step " + std::to_string(least) +
                        ", faster than the pipeline of its router");
}

/// A flit that has left its buffer waits for its processor.
void RouterAudit::wait_at_exit(const CreditRow& row) {
  const std::int64_t room =
      std::int64_t{context_.rules().channels_at(row.node)} * context_.rules().capacity_at(row.node);
  if (++at_exit_[static_cast<std::size_t>(row.node)] > room)
    CheckContext::reject(row.step, row.node, context_.node_name(row.node),
                         "more than " + std::to_string(room) +
                             " flits wait for the processor, which is all the room of "
                             "its channels");
}

/// The most steps between two flits that wait for a link.
Step RouterAudit::longest_turn() const {
  const NetworkGraph& graph = context_.graph();
  Step longest = graph.greatest_interval();
  if (!graph.has_clocks()) return longest;
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (const Port port : graph.out_ports(node)) {
      const ClockCrossing clocks = graph.crossing(node, port);
      longest = std::max<Step>(longest, clocks.sender + graph.latency(node, port) +
                                            (1 + clocks.synchroniser) * (clocks.sender + clocks.receiver));
    }
  return longest;
}

void RouterAudit::finish(Step last) {
  if (purges_ && rules_.credits) settle(last + 1);
  for (const auto* in_flight : {&leaving_, &arriving_})
    for (const auto& [terminal, flits] : *in_flight)
      if (!flits.empty() && flits.front().step < last && !(in_flight == &leaving_ && retries_) &&
          (in_flight == &leaving_ || !context_.rules().limits_requests()))
        context_.reject(flits.front().step, terminal, flits.front().packet, flits.front().flit,
                        in_flight == &leaving_ ? "is injected at a terminal, but does not enter its link"
                                               : "arrives at a terminal, but is not consumed");
  // Each flit in a FIFO has the credit of a slot behind it. Links may repeat flits for any time.
  const Step longest_wait =
      rules_.has_fifo ? Step{context_.rules().channels} * context_.rules().capacity * longest_turn() : 0;
  for (std::size_t buffer = 0; buffer < buffers_.size(); ++buffer) {
    for (const Entry& entry : buffers_[buffer].flits)
      if (entry.credited != no_step && !retries_ && !waits_for_processor(entry.packet, node_of(buffer)) &&
          entry.credited + to_processor(node_of(buffer)) - cycle(node_of(buffer)) * word + longest_wait < last)
        context_.reject(entry.credited, node_of(buffer), entry.packet, entry.flit,
                        "has a credit for leaving " + name(buffer) + ", but it does not leave");
    const Step word_step = last_word_[buffer / static_cast<std::size_t>(context_.rules().channels)];
    if (buffers_[buffer].owed > 0 && word_step < last)
      CheckContext::reject(last, node_of(buffer), context_.node_name(node_of(buffer)),
                           "a flit has left " + name(buffer) + ", but no credit is returned for it");
  }
}

}  // namespace starloom::links
