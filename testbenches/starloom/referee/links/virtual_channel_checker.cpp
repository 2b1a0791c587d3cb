// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/virtual_channel_checker.hpp>

namespace starloom::links {

namespace {

/// The slot of packets to several destinations.
constexpr std::int32_t of_copies = 0;

}  // namespace

VirtualChannelChecker::VirtualChannelChecker(CheckContext& context)
    : StorageChecker(context), consumed_in_(static_cast<std::size_t>(context.graph().nodes()), no_step) {
  if (context.rules().trees != nullptr) copies_.emplace(context);
  // A flit in the FIFO of an out-port, in a replay buffer, or at its processor, has left its buffer; one between two
  // clocks has not entered it.
  const bool elsewhere = context.rules().router && (context.rules().waits_behind_switch() ||
                                                    context.rules().limits_requests() || context.graph().has_clocks());
  if (context.rules().capacity > 0 && !elsewhere)
    waiting_.emplace(context.link_slots(), context.graph().greatest_latency());
}

void VirtualChannelChecker::check_capacity(LinkId link, std::int32_t waiting, Step step) const {
  const RefereeRules& rules = context_.rules();
  const NodeId node = context_.far_end(link);
  const std::int64_t channels = rules.channels_at(node);
  std::int64_t dead = 0;
  for (int channel = 0; rules.faults != nullptr && channel < channels; ++channel)
    dead += rules.faults->dead_places(context_.near_end(link), context_.near_port(link), channel);
  if (waiting <= channels * rules.capacity_at(node) - dead || context_.foreign(node)) return;
  CheckContext::reject(step, node, context_.node_name(node),
                       std::to_string(waiting) + " flits that came over " + context_.link_name(link) +
                           " wait in buffers of " + std::to_string(channels) + " times " +
                           std::to_string(rules.capacity_at(node)) + " places" +
                           (dead == 0 ? "" : ", " + std::to_string(dead) + " of them dead"));
}

void VirtualChannelChecker::begin_step(Step step) {
  if (waiting_)
    waiting_->open(step, [this](LinkId link, std::int32_t count, Step at) { check_capacity(link, count, at); });
}

void VirtualChannelChecker::end_step(Step /*step*/) {
  if (waiting_) waiting_->close([this](LinkId link, std::int32_t count, Step at) { check_capacity(link, count, at); });
}

NodeId VirtualChannelChecker::node_of(const Train& train, std::int32_t flit) const {
  const std::int32_t hops = train.flits[static_cast<std::size_t>(flit)].hops;
  return hops == 0 ? train.source : context_.far_end(train.path[static_cast<std::size_t>(hops) - 1]);
}

NodeId VirtualChannelChecker::location_in_network(PacketId packet, const State& state) const {
  if (is_copied(packet)) return copies_->location(packet);
  const Train& train = trains_[static_cast<std::size_t>(state.slot)];
  return node_of(train, train.consumed);
}

void VirtualChannelChecker::inject(const TraceRow& row) {
  State& s = state(row);
  if (s.slot == consumed) context_.reject(row, "is injected a second time");
  if (s.slot == dropped) context_.reject(row, "is injected, but its packet has vanished");
  check_departure(row, s);
  if (is_copied(row.packet)) {
    s.slot = of_copies;
    return copies_->inject(row);
  }
  if (s.slot == in_memory) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::int32_t>(trains_.size()));
      trains_.emplace_back();
    }
    s.slot = free_.back();
    free_.pop_back();
    Train& fresh = trains_[static_cast<std::size_t>(s.slot)];
    fresh.source = row.node;
    fresh.injected = fresh.consumed = 0;
    fresh.path.clear();
    fresh.flits.assign(static_cast<std::size_t>(context_.packet(row.packet).flits), {});
  }
  Train& train = trains_[static_cast<std::size_t>(s.slot)];
  if (row.flit < train.injected) context_.reject(row, "is injected a second time");
  if (row.flit > train.injected)
    context_.reject(row, "is injected before flit " + std::to_string(train.injected) + " of its packet");
  ++train.injected;
  train.flits[static_cast<std::size_t>(row.flit)].ready = row.step;
}

VirtualChannelChecker::FlitState& VirtualChannelChecker::leave(const TraceRow& row, Train& train) {
  if (row.flit >= train.injected) context_.reject(row, "moves, but it was not injected");
  if (row.flit < train.consumed) context_.reject(row, "moves, but it was consumed before");
  FlitState& flit = train.flits[static_cast<std::size_t>(row.flit)];
  if (node_of(train, row.flit) != row.node)
    context_.reject(row, "moves, but it is in " + context_.node_name(node_of(train, row.flit)));
  if (row.step < flit.ready)
    context_.reject(row, "moves before step " + std::to_string(flit.ready) + ", when it is readable");
  if (waiting_ && flit.hops > 0) waiting_->leave(train.path[static_cast<std::size_t>(flit.hops) - 1]);
  return flit;
}

/// A flit stays in its buffer until all of its copies have left.
void VirtualChannelChecker::hop_copy(const TraceRow& row, LinkId link) {
  in_network(row);
  copies_->hop(row, link);
  if (!waiting_) return;
  if (const LinkId from = copies_->link_to(row.packet, row.node); from >= 0 && copies_->has_left(row))
    waiting_->leave(from);
  waiting_->arrive(link, row.step + context_.latency(link));
}

void VirtualChannelChecker::consume_copy(const TraceRow& row) {
  State& s = in_network(row);
  const LinkId from = copies_->link_to(row.packet, row.node);
  const bool complete = copies_->consume(row);
  if (waiting_ && from >= 0 && (complete || copies_->has_left(row))) waiting_->leave(from);
  check_consumed_in(row);
  if (complete) end_of_packet(row, s);
}

void VirtualChannelChecker::hop(const TraceRow& row, LinkId link) {
  if (is_copied(row.packet)) return hop_copy(row, link);
  Train& train = trains_[static_cast<std::size_t>(in_network(row).slot)];
  FlitState& flit = leave(row, train);
  const auto next = static_cast<std::size_t>(flit.hops);
  if (row.flit == 0) {
    train.path.push_back(link);
  } else {
    // A consumed flit has crossed the whole path; other flits must be at least one link behind the flit before.
    const bool overtakes =
        row.flit > train.consumed && train.flits[static_cast<std::size_t>(row.flit) - 1].hops <= flit.hops;
    if (overtakes || next == train.path.size())
      context_.reject(row, "overtakes flit " + std::to_string(row.flit - 1) + " of its packet");
    if (train.path[next] != link)
      context_.reject(row, "leaves the path of its head, which took " + context_.link_name(train.path[next]));
  }
  ++flit.hops;
  flit.ready = row.step + context_.latency(link);
  if (waiting_) waiting_->arrive(link, flit.ready);
}

/// A flit on a link vanishes where it entered that.
void VirtualChannelChecker::drop(const TraceRow& row) {
  Train& train = trains_[static_cast<std::size_t>(in_network(row).slot)];
  if (row.flit >= train.injected) context_.reject(row, "vanishes, but has not been injected");
  if (row.flit < train.consumed) context_.reject(row, "vanishes, but was consumed before");
  const FlitState& flit = train.flits[static_cast<std::size_t>(row.flit)];
  const LinkId over = flit.hops == 0 ? -1 : train.path[static_cast<std::size_t>(flit.hops) - 1];
  const bool on_link = over >= 0 && flit.ready > row.step;
  if (const NodeId there = on_link ? context_.near_end(over) : node_of(train, row.flit); there != row.node)
    context_.reject(
        row, "vanishes, but it is " + (on_link ? "on " + context_.link_name(over) : "in " + context_.node_name(there)));
  if (waiting_ && over >= 0) waiting_->leave(over);
  ++train.dropped;
  drops_.push_back(row);
}

void VirtualChannelChecker::end_drops() {
  for (const TraceRow& row : drops_) {
    State& s = state(row);
    if (s.slot == dropped) continue;
    Train& train = trains_[static_cast<std::size_t>(s.slot)];
    if (train.dropped + train.consumed != train.injected)
      context_.reject(row, "vanishes, but " + std::to_string(train.injected - train.consumed - train.dropped) +
                               " flits of its packet stay in the network");
    train.dropped = 0;
    free_.push_back(s.slot);
    s = {row.step, row.node, dropped};
  }
  drops_.clear();
}

void VirtualChannelChecker::check_consumed_in(const TraceRow& row) {
  Step& last = consumed_in_[static_cast<std::size_t>(row.node)];
  if (last == row.step && !context_.foreign(row.node))
    context_.reject(row, "is the second flit that its node consumes in this step");
  last = row.step;
}

void VirtualChannelChecker::consume(const TraceRow& row) {
  if (is_copied(row.packet)) return consume_copy(row);
  State& s = in_network(row);
  Train& train = trains_[static_cast<std::size_t>(s.slot)];
  const FlitState& flit = leave(row, train);
  if (row.flit != train.consumed)
    context_.reject(row, "is consumed before flit " + std::to_string(train.consumed) + " of its packet");
  if (static_cast<std::size_t>(flit.hops) != train.path.size())
    context_.reject(row, "is consumed before it has followed the whole path of its head");
  check_consumed_in(row);
  if (++train.consumed < context_.packet(row.packet).flits) return;
  free_.push_back(s.slot);
  end_of_packet(row, s);
}

}  // namespace starloom::links
