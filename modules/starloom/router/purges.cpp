// SPDX-License-Identifier: Apache-2.0
/// \file Hardware that dies under packets: those that it cuts, and those all of whose choices are dead, vanish from the
/// whole network and give back what they held; repaired hardware begins anew (docs/faults.md).
#include <algorithm>
#include <utility>

#include <starloom/router/router_engine.hpp>

namespace starloom::links {
namespace {

bool is_one_of(const std::vector<PacketId>& sorted, PacketId packet) {
  return std::binary_search(sorted.begin(), sorted.end(), packet);
}

}  // namespace

template <int words>
void RouterEngine<words>::begin_faults() {
  for (NodeId node = 0; node < wiring_.nodes; ++node) {
    std::vector<NodeId>& lanes = faults_->lanes[static_cast<std::size_t>(node)];
    lanes.push_back(parts_[partition_.part_of(node)].lane(node));
    for (int port_index = 0; port_index < local_; ++port_index)
      for (const NodeId other : {upstream_node(node, port_index), downstream_node(node, port_index)}) {
        if (other == no_node) continue;
        const NodeId lane = partition_.lane(partition_[partition_.part_of(other)], node);
        if (std::find(lanes.begin(), lanes.end(), lane) == lanes.end()) lanes.push_back(lane);
      }
    for (const Port port : shape_.ports)
      if ((port == shape_.local || graph_.far_end(node, port).connected()) && this->hardware()->way_is_dead(node, port))
        kill({0, true, node, port});
    if (this->hardware()->router_is_dead(node)) kill({0, true, node, no_port});
  }
}

/// The order within a step: repairs, deaths, purges.
template <int words>
void RouterEngine<words>::act_on_faults(const std::vector<FaultEvent>& events) {
  std::vector<PacketId> cut;
  for (const FaultEvent& event : events) {
    if (!event.dies) repair(event);
    else
      for (const PacketId packet : cut_by(event)) cut.push_back(packet);
  }
  purge(cut, LossCause::cut);
  for (const FaultEvent& event : events)
    if (event.dies) kill(event);
  for (NodeId node = 0; node < wiring_.nodes && !events.empty(); ++node)
    if (holds(node, nodes_[static_cast<std::size_t>(node)])) wake_node(parts_[partition_.part_of(node)], node, now_);
  if (!events.empty()) purge(heads_without_way(true), LossCause::no_way);
}

/// The packet behind one that vanishes may have no choice that is alive, either.
template <int words>
void RouterEngine<words>::lose_heads() {
  for (;;) {
    const std::vector<PacketId> lost = heads_without_way(false);
    if (lost.empty()) return;
    purge(lost, LossCause::no_way);
  }
}

template <int words>
bool RouterEngine<words>::is_empty() const {
  for (NodeId node = 0; node < wiring_.nodes; ++node) {
    if (!nodes_[static_cast<std::size_t>(node)].table.occupied().empty()) return false;
    for (int queue = 0; queue < memory_.queues(); ++queue)
      if (being_sent(node, queue) != no_packet) return false;
  }
  for (const Arrivals& arrivals : arrived_)
    if (!arrivals.flits.empty()) return false;
  for (const RouterPart& part : parts_)
    for (const PendingEvents& pending : part.pending)
      if (!pending.ejections.empty()) return false;
  return std::all_of(replays_.begin(), replays_.end(), [](const router::ReplayBuffer& buffer) {
    return std::all_of(buffer.kept().begin(), buffer.kept().end(),
                       [](const auto& kept) { return kept.flit.packet == no_packet; });
  });
}

template <int words>
void RouterEngine<words>::flush() {
  std::vector<PacketId> packets;
  for (std::size_t i = 0; i < record_.injected.size(); ++i) {
    const PacketId packet = record_.first + static_cast<PacketId>(i);
    if (record_.injected[i] != no_step && record_.delivered[i] == no_step && record_.lost.count(packet) == 0)
      packets.push_back(packet);
  }
  purge(packets, LossCause::flush);
}

template <int words>
void RouterEngine<words>::reroute(const Algorithm& algorithm) {
  const std::unique_ptr<ControllerArray> others = algorithm.make_controllers();
  for (NodeId node = 0; node < wiring_.nodes; ++node) {
    NodeState& state = nodes_[static_cast<std::size_t>(node)];
    state.controller->reroute(ChannelView<words>(frame_at(node)),
                              dynamic_cast<const ChannelController<words>&>(others->at(node)));
    if (holds(node, state)) wake_node(parts_[partition_.part_of(node)], node, now_);
  }
}

/// For questions to the controller of a node before it decides.
template <int words>
ChannelFrame<words>& RouterEngine<words>::frame_at(NodeId node) {
  NodeState& state = nodes_[static_cast<std::size_t>(node)];
  ChannelFrame<words>& frame = parts_[partition_.part_of(node)].frame;
  frame.node = node;
  frame.channels = &state.table;
  frame.rings = state.rings;
  frame.first_packet = record_.first;
  return frame;
}

/// In the order in which they become readable, which is that of their slots behind the flits of the channel.
template <int words>
std::vector<typename RouterEngine<words>::Arriving> RouterEngine<words>::arriving(NodeId node, int in) {
  std::vector<Arriving> flits;
  for (Step step = now_; step < now_ + static_cast<Step>(calendar_.phases()); ++step)
    for (const NodeId lane : faults_->lanes[static_cast<std::size_t>(node)]) {
      Arrivals& there = arrived_[calendar_.phase(step) * partition_.lanes() + static_cast<std::size_t>(lane)];
      if (there.flits.has(in)) flits.push_back({step, &there});
    }
  return flits;
}

/// The flits of an input channel that its link keeps, behind those that arrive; in their order.
template <int words>
std::vector<router::RingFlit*> RouterEngine<words>::kept_for(NodeId node, int in) {
  std::vector<RingFlit*> flits;
  const int in_index = shape_.port_index(in);
  if (replays_.empty() || in_index == local_ || upstream_node(node, in_index) == no_node) return flits;
  const int out = in + upstream(node, in_index).shift;
  for (router::ReplayBuffer::Kept& kept : replay(upstream_node(node, in_index), shape_.port_index(out)).kept())
    if (kept.out == out && kept.flit.packet != no_packet) flits.push_back(&kept.flit);
  return flits;
}

/// Calls `visit(ejections of a step)`, of flits between the switches and processors.
template <int words>
template <class Visit>
void RouterEngine<words>::for_each_ejection(const Visit& visit) {
  for (RouterPart& part : parts_)
    for (PendingEvents& pending : part.pending) visit(pending.ejections);
}

/// The packet that owns the output channel of an active input channel.
template <int words>
PacketId RouterEngine<words>::owner_of(NodeId node, int in) {
  for (;;) {
    const auto& table = nodes_[static_cast<std::size_t>(node)].table;
    if (table.occupied().has(in) || !arriving(node, in).empty() || !kept_for(node, in).empty())
      return front_of(node, in).packet;
    if (shape_.port_index(in) == local_) return packet_entering(node, shape_.number(in));
    const int out = in + upstream(node, shape_.port_index(in)).shift;
    node = upstream_node(node, shape_.port_index(in));
    in = nodes_[static_cast<std::size_t>(node)].table.output(out).owner;
  }
}

/// The packet of a queue of the processor of a node of which a flit, but not the tail, has been injected; or no_packet.
template <int words>
PacketId RouterEngine<words>::being_sent(NodeId node, int queue) const {
  const NodeId number = memory_.queue_of(node, queue);
  return memory_.flits_sent(number) > 0 ? memory_.front(number) : no_packet;
}

/// The packets that use hardware which dies in this step.
template <int words>
std::vector<PacketId> RouterEngine<words>::cut_by(const FaultEvent& event) {
  std::vector<PacketId> packets;
  const NodeState& state = nodes_[static_cast<std::size_t>(event.node)];
  const auto add_owners = [&](int out_index) {
    (Set::range(shape_.first(out_index), shape_.channels) - state.table.free()).for_each([&](int out) {
      if (state.table.output(out).owner != router::OutputChannel::no_owner)
        packets.push_back(owner_of(event.node, state.table.output(out).owner));
    });
  };
  // Flits of an input channel: those in the buffer, and those that become readable in step `from` or later.
  const auto add_flits = [&](NodeId node, int in, bool of_buffer, Step from) {
    const std::int32_t flits = nodes_[static_cast<std::size_t>(node)].table.input(in).flits;
    const std::size_t channel = first_channel(node) + static_cast<std::size_t>(in);
    for (std::int32_t i = 0; of_buffer && i < flits; ++i) packets.push_back(ring_flit(channel, i).packet);
    std::int32_t i = flits;
    for (const Arriving& arriving : this->arriving(node, in)) {
      if (arriving.readable >= from) packets.push_back(ring_flit(channel, i).packet);
      ++i;
    }
  };
  if (event.port == no_port) {
    for (int in = 0; in < shape_.size(); ++in) add_flits(event.node, in, true, now_);
  } else if (event.port == shape_.local) {
    add_owners(local_);
    for (int queue = 0; queue < memory_.queues(); ++queue)
      if (const PacketId packet = being_sent(event.node, queue); packet != no_packet) packets.push_back(packet);
    for_each_ejection([&](const std::vector<Ejection>& ejections) {
      for (const Ejection& ejection : ejections)
        if (ejection.node == event.node) packets.push_back(ejection.flit.packet);
    });
  } else {
    const int out_index = shape_.port_index(shape_.channel(event.port, 0));
    add_owners(out_index);
    // A flit that becomes readable in this step has crossed the link.
    const FarPort& to = downstream(event.node, out_index);
    for (int out = shape_.first(out_index); out < shape_.first(out_index) + shape_.channels; ++out)
      add_flits(downstream_node(event.node, out_index), out + to.shift, false, now_ + 1);
    if (!replays_.empty())
      for (const router::ReplayBuffer::Kept& kept : replay(event.node, out_index).kept())
        if (kept.flit.packet != no_packet) packets.push_back(kept.flit.packet);
  }
  return packets;
}

template <int words>
void RouterEngine<words>::kill(const FaultEvent& event) {
  const auto node = static_cast<std::size_t>(event.node);
  if (event.port == no_port) {
    const Set of_processor = Set::range(shape_.first(local_), shape_.channels);
    faults_->silent_inputs[node] |= of_processor;
    void_credits(event.node, {{}, Set::range(0, shape_.channels)});
    void_words(event.node, of_processor);
    return;
  }
  const int out_index = shape_.port_index(shape_.channel(event.port, 0));
  const Set outputs = Set::range(shape_.first(out_index), shape_.channels);
  outputs.for_each([&](int out) { nodes_[node].table.kill(out); });
  faults_->dead_outputs[node] |= outputs;
  if (out_index == local_) return this->give_up_memory(event.node);
  if (!replays_.empty()) replay(event.node, out_index).reset();
  const NodeId there = downstream_node(event.node, out_index);
  const Set inputs = Set::range(shape_.first(out_index) + downstream(event.node, out_index).shift, shape_.channels);
  faults_->silent_inputs[static_cast<std::size_t>(there)] |= inputs;
  void_credits(event.node, {outputs, {}});
  void_words(there, inputs);
}

template <int words>
void RouterEngine<words>::repair(const FaultEvent& event) {
  const auto node = static_cast<std::size_t>(event.node);
  const auto behind = [&](NodeId there, int in) {
    const router::InputChannel& input = nodes_[static_cast<std::size_t>(there)].table.input(in);
    return (input.front + input.flits) % capacity_;
  };
  if (event.port == no_port) {
    faults_->silent_inputs[node] -= Set::range(shape_.first(local_), shape_.channels);
    for (int channel = 0; channel < channels_behind_source(event.node); ++channel) {
      SourceChannel& source = sources_[node * static_cast<std::size_t>(shape_.channels) + channel];
      source.credits = static_cast<std::uint16_t>(room_behind_source(event.node));
      source.back = static_cast<std::uint16_t>(behind(event.node, shape_.first(local_) + channel));
      nodes_[node].source_credits.add(channel);
    }
    return;
  }
  const int out_index = shape_.port_index(shape_.channel(event.port, 0));
  const Set outputs = Set::range(shape_.first(out_index), shape_.channels);
  faults_->dead_outputs[node] -= outputs;
  outputs.for_each([&](int out) { nodes_[node].table.repair(out); });
  if (out_index == local_) return;
  const NodeId there = downstream_node(event.node, out_index);
  outputs.for_each([&](int out) {
    const int in = out + downstream(event.node, out_index).shift;
    faults_->silent_inputs[static_cast<std::size_t>(there)].remove(in);
    const int flits = nodes_[static_cast<std::size_t>(there)].table.input(in).flits;
    nodes_[node].table.restore(out, room_behind(event.node, out) - flits, behind(there, in));
  });
}

/// Credits of a node that are on their way are lost.
template <int words>
void RouterEngine<words>::void_credits(NodeId node, const Credits& lost) {
  for (std::size_t phase = 0; phase < calendar_.phases(); ++phase)
    for (const NodeId lane : faults_->lanes[static_cast<std::size_t>(node)]) {
      Credits& back = credits_[phase * partition_.lanes() + static_cast<std::size_t>(lane)];
      back.outputs -= lost.outputs;
      back.source -= lost.source;
    }
  for (RouterPart& part : parts_)
    for (PendingEvents& pending : part.pending)
      for (auto& [to, back] : pending.more_credits) {
        if (to != node) continue;
        back.outputs -= lost.outputs;
        back.source -= lost.source;
      }
}

/// Words of input channels that would be on the side wire in this step or later are not sent.
template <int words>
void RouterEngine<words>::void_words(NodeId node, const Set& ins) {
  for (PendingEvents& pending : parts_[partition_.part_of(node)].pending) {
    auto& all = pending.credit_words;
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const CreditWord& word) { return word.node == node && ins.has(word.in); }),
              all.end());
  }
}

/// The packets of heads whose choices are all dead. \param begun they began to be routed before; else, they begin in
/// this step.
template <int words>
std::vector<PacketId> RouterEngine<words>::heads_without_way(bool begun) {
  std::vector<PacketId> lost;
  for (NodeId node = 0; node < wiring_.nodes; ++node) {
    const auto n = static_cast<std::size_t>(node);
    const Set& dead = faults_->dead_outputs[n];
    if (dead.empty() && !this->may_lack_paths()) continue;
    const NodeState& state = nodes_[n];
    Set heads = state.controller->begun();
    if (!begun) {
      Set fronts = state.table.occupied();
      for (const NodeId lane : faults_->lanes[n])
        fronts |= arrived_[calendar_.phase(now_) * partition_.lanes() + static_cast<std::size_t>(lane)].flits;
      heads = fronts - state.table.active() - heads;
    }
    const ChannelView<words> view(frame_at(node));
    heads.for_each([&](int in) {
      if ((state.controller->offered(view, in) - dead).empty()) lost.push_back(front_of(node, in).packet);
    });
  }
  return lost;
}

/// Packets vanish from the whole network, with all their flits.
template <int words>
void RouterEngine<words>::purge(const std::vector<PacketId>& packets, LossCause cause) {
  if (packets.empty()) return;
  std::vector<PacketId> all = packets;
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<std::pair<NodeId, int>> released;
  for (NodeId node = 0; node < wiring_.nodes; ++node)
    nodes_[static_cast<std::size_t>(node)].table.active().for_each([&](int in) {
      if (is_one_of(all, owner_of(node, in))) released.emplace_back(node, in);
    });
  for (const auto& [node, in] : released) {
    nodes_[static_cast<std::size_t>(node)].table.release(in, now_);
    nodes_[static_cast<std::size_t>(node)].controller->forget(in);
    faults_->changed.push_back(node);
  }
  for (NodeId node = 0; node < wiring_.nodes; ++node)
    for (int in = 0; in < shape_.size(); ++in) purge_channel(node, in, all);
  const auto is_purged = [&all](const auto& of_flit) { return is_one_of(all, of_flit.flit.packet); };
  for_each_ejection([&](std::vector<Ejection>& ejections) {
    for (const Ejection& ejection : ejections)
      if (is_purged(ejection)) {
        drop(ejection.node, ejection.flit);
        --nodes_[static_cast<std::size_t>(ejection.node)].downstream[local_].flits;
      }
    ejections.erase(std::remove_if(ejections.begin(), ejections.end(), is_purged), ejections.end());
  });
  const auto is_purged_packet = [&all](PacketId packet) { return is_one_of(all, packet); };
  const auto remove = [](auto& list, const auto& which) {
    list.erase(std::remove_if(list.begin(), list.end(), which), list.end());
  };
  for (RouterPart& part : parts_)
    for (PendingEvents& pending : part.pending) {
      remove(pending.crossings, is_purged);
      remove(pending.corrupted, is_purged_packet);
      remove(pending.discards, [&all](const Discard& discard) { return is_one_of(all, discard.packet); });
    }
  for (std::vector<Passed>& passed : passed_)
    for (Passed& last : passed)
      if (is_one_of(all, last.packet)) last = {};
  for (const PacketId packet : all) {
    purge_from_memory(packet);
    this->lose(record_.packets[record_.at(packet)], cause);
  }
  for (const NodeId node : faults_->changed)
    if (holds(node, nodes_[static_cast<std::size_t>(node)])) wake_node(parts_[partition_.part_of(node)], node, now_);
}

/// The flits that are left close up to the last one, which keeps its slot: that of the next flit is known where it
/// comes from.
template <int words>
void RouterEngine<words>::purge_channel(NodeId node, int in, const std::vector<PacketId>& packets) {
  NodeState& state = nodes_[static_cast<std::size_t>(node)];
  const router::InputChannel& input = state.table.input(in);
  const std::vector<Arriving> arriving = this->arriving(node, in);
  const std::vector<RingFlit*> kept = kept_for(node, in);
  const auto before_link = static_cast<std::int32_t>(input.flits + arriving.size());
  const auto count = before_link + static_cast<std::int32_t>(kept.size());
  const std::size_t channel = first_channel(node) + static_cast<std::size_t>(in);
  const auto slot_of = [&](std::int32_t i) {
    return channel * static_cast<std::size_t>(capacity_) + static_cast<std::size_t>((input.front + i) % capacity_);
  };
  const auto is_purged = [&](std::int32_t i) { return is_one_of(packets, rings_[slot_of(i)].packet); };
  std::int32_t purged = 0, purged_in_buffer = 0;
  for (std::int32_t i = 0; i < count; ++i)
    if (is_purged(i)) (i < input.flits ? purged_in_buffer : purged) += 1;
  purged += purged_in_buffer;
  if (purged == 0) return;
  if (is_purged(0) && is_head(rings_[slot_of(0)].kind)) state.controller->forget(in);
  faults_->changed.push_back(node);
  state.packets -= packets_in_channel(node, in);
  const int in_index = shape_.port_index(in);
  for (std::int32_t i = 0; i < count; ++i) {
    if (!is_purged(i)) continue;
    return_place(node, in);
    if (i < input.flits) {
      if (BufferObserver* const buffer_observer = observer(node, in))
        buffer_observer->popped(rings_[slot_of(i)].whole());
      drop(node, rings_[slot_of(i)]);
      continue;
    }
    if (i >= before_link) {
      drop_behind_switch(node, in, rings_[slot_of(i)]);
      kept[static_cast<std::size_t>(i - before_link)]->packet = no_packet;
      continue;
    }
    const Arriving& flit = arriving[static_cast<std::size_t>(i - input.flits)];
    flit.among->flits.remove(in);
    flit.among->heads.remove(in);
    const bool on_link = in_index != local_ && flit.readable > now_;
    if (!on_link) {
      drop(node, rings_[slot_of(i)]);
      continue;
    }
    drop_behind_switch(node, in, rings_[slot_of(i)]);
    const NodeId from = upstream_node(node, in_index);
    const int out_index = far_out_index(node, in_index);
    Downstream& link = nodes_[static_cast<std::size_t>(from)].downstream[out_index];
    const Step entry = flit.readable - wiring_.latency[static_cast<std::size_t>(link.link)];
    if (entry < now_) continue;
    --link.flits;
    if (counting() && is_head(rings_[slot_of(i)].kind)) --nodes_[static_cast<std::size_t>(from)].heads;
    --parts_[partition_.part_of(from)].pending[calendar_.phase(entry)].hops;
  }
  std::int32_t to = count - 1;
  for (std::int32_t i = count - 1; i >= 0; --i) {
    if (is_purged(i)) continue;
    rings_[slot_of(to)] = rings_[slot_of(i)];
    if (!flit_records_.empty()) flit_records_[slot_of(to)] = flit_records_[slot_of(i)];
    --to;
  }
  state.table.keep(in, (input.front + to + 1) % capacity_, input.flits - purged_in_buffer, now_);
  state.packets += packets_in_channel(node, in);
}

/// A flit vanishes in front of the link of an input channel, or on it.
template <int words>
void RouterEngine<words>::drop_behind_switch(NodeId node, int in, const RingFlit& flit) {
  const int in_index = shape_.port_index(in);
  const NodeId from = upstream_node(node, in_index);
  if (replays_.empty()) return drop(from, flit);
  const Port port = graph_.near_end(node, shape_.port(in)).port;
  Engine::drop(parts_[partition_.part_of(from)], flit.packet, flit.index, from, port, node, shape_.number(in));
}

/// The place of a flit that vanishes is free, as if the flit had won the switch in this step.
template <int words>
void RouterEngine<words>::return_place(NodeId node, int in) {
  const int in_index = shape_.port_index(in);
  RouterPart& own = parts_[partition_.part_of(node)];
  const auto then = [&](RouterPart& part, int steps) -> PendingEvents& {
    PendingEvents& pending = part.pending[calendar_.phase(now_ + steps)];
    pending.calendar.mark();
    return pending;
  };
  if (in_index == local_) {
    if (this->hardware()->router_is_dead(node)) return;
    then(own, router::source_credit).more_credits.push_back({node, {{}, Set::range(shape_.number(in), 1)}});
  } else {
    const NodeId from = upstream_node(node, in_index);
    if (this->hardware()->link_is_dead(from, graph_.near_end(node, shape_.port(in)).port)) return;
    const FarPort& sender = upstream(node, in_index);
    then(parts_[partition_.part_of(from)], sender.delay)
        .more_credits.push_back({from, {Set::range(in + sender.shift, 1), {}}});
  }
  if (watched(node)) then(own, router::credit_word).credit_words.push_back({node, in});
}

/// Those with a flit in its buffer.
template <int words>
std::int32_t RouterEngine<words>::packets_in_channel(NodeId node, int in) const {
  const std::size_t channel = first_channel(node) + static_cast<std::size_t>(in);
  std::int32_t packets = 0;
  for (std::int32_t i = 0; i < inputs_[channel].flits; ++i)
    packets += i == 0 || is_head(ring_flit(channel, i).kind) ? 1 : 0;
  return packets;
}

/// The flits of a packet that have not been injected never are.
template <int words>
void RouterEngine<words>::purge_from_memory(PacketId packet) {
  const Packet& facts = record_.packets[record_.at(packet)];
  const int queue = memory_.queues() > 1 ? facts.traffic_class : 0;
  const NodeId number = memory_.queue_of(facts.source, queue);
  if (memory_.front(number) != packet) return;
  memory_.take_packet(number);
  faults_->changed.push_back(facts.source);
  for (int channel = 0; channel < shape_.channels; ++channel) {
    SourceChannel& source = sources_[static_cast<std::size_t>(facts.source * shape_.channels + channel)];
    if (source.queue == queue) source.queue = -1;
  }
}

/// For observers.
template <int words>
void RouterEngine<words>::show_changes() {
  for (const NodeId node : faults_->changed)
    if (observed()) this->touch_twice(parts_[partition_.part_of(node)], node);
  faults_->changed.clear();
}

template void RouterEngine<1>::begin_faults();
template void RouterEngine<1>::show_changes();
template void RouterEngine<1>::act_on_faults(const std::vector<FaultEvent>&);
template bool RouterEngine<1>::is_empty() const;
template void RouterEngine<1>::flush();
template void RouterEngine<1>::reroute(const Algorithm&);
template void RouterEngine<1>::lose_heads();
template void RouterEngine<router::any_words>::begin_faults();
template void RouterEngine<router::any_words>::show_changes();
template void RouterEngine<router::any_words>::act_on_faults(const std::vector<FaultEvent>&);
template bool RouterEngine<router::any_words>::is_empty() const;
template void RouterEngine<router::any_words>::flush();
template void RouterEngine<router::any_words>::reroute(const Algorithm&);
template void RouterEngine<router::any_words>::lose_heads();

}  // namespace starloom::links
