// SPDX-License-Identifier: Apache-2.0
#include <starloom/router/router_engine.hpp>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include <starloom/control/links/pipeline.hpp>
#include <starloom/core/random.hpp>
#include <starloom/router/router_declaration.hpp>

namespace starloom::links {
namespace {

/// The number of steps beyond the latency of a link for which events are scheduled.
std::int32_t reach_of(const EngineSetup& setup) {
  const NetworkGraph& graph = setup.network->graph;
  const Declaration& declaration = *setup.declaration;
  std::int32_t of_router =
      declaration.pipelines.greatest(std::mem_fn(&router::Pipeline::exit_credit)) + declaration.credit_extra;
  // The sender learns of the fate of a flit when its link has been crossed twice.
  if (repeats_flits(setup.errors) && !setup.wiring.latency.empty()) {
    const std::int32_t entry = declaration.pipelines.greatest(std::mem_fn(&router::Pipeline::link_entry));
    of_router =
        std::max(of_router, entry + *std::max_element(setup.wiring.latency.begin(), setup.wiring.latency.end()));
  }
  if (!graph.has_clocks()) return of_router;
  std::int32_t slowest = 1, crossing = 0;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    slowest = std::max(slowest, graph.period(node));
    for (const Port port : graph.out_ports(node)) {
      const ClockCrossing link = graph.crossing(node, port);
      std::int32_t waiting = 0;  // flits in the FIFO, if the receiver is slower than the link
      if (link.receiver > graph.interval(node, port)) waiting = declaration.channels * declaration.capacity;
      if (link.fifo > 0) waiting = std::min(waiting, link.fifo);
      crossing = std::max(
          {crossing, (1 + link.synchroniser + waiting) * link.receiver, (1 + link.synchroniser) * link.sender});
    }
  }
  return of_router * slowest + crossing;
}

/// True if the FIFO of a link has a limit.
bool has_full_links(const NetworkGraph& graph) {
  if (!graph.has_clocks()) return false;
  for (NodeId node = 0; node < graph.nodes(); ++node)
    for (const Port port : graph.out_ports(node))
      if (graph.crossing(node, port).fifo > 0) return true;
  return false;
}

}  // namespace

/// With sets of channels of the right width.
std::unique_ptr<Engine> make_router_engine(EngineSetup& setup) {
  const router::RouterShape shape(setup.declaration->port_order, setup.declaration->channels);
  if (shape.size() > most_channels)
    throw std::invalid_argument("a router has at most " + std::to_string(most_channels) + " channels");
  if (router::words_for(shape) == 1) return std::make_unique<RouterEngine<1>>(setup);
  return std::make_unique<RouterEngine<router::any_words>>(setup);
}

template <int words>
RouterEngine<words>::RouterEngine(EngineSetup& setup)
    : Engine(setup, reach_of(setup)),
      shape_(declaration_.port_order, declaration_.channels),
      size_(static_cast<std::size_t>(shape_.size())),
      port_count_(static_cast<std::size_t>(shape_.port_count())),
      local_(shape_.local_index()),
      capacity_(declaration_.capacity),
      speedup_(declaration_.pipelines.common.speedup),
      credit_extra_(declaration_.credit_extra),
      times_(times_of(declaration_.pipelines.common, 1)),
      times_of_nodes_(times_of_all()),
      clocked_(clocked_links()),
      stall_threshold_(bernoulli_threshold(setup.stall_rate)),
      stalls_(stall_threshold_ != 0 || has_intervals() || has_full_links(graph_)),
      shares_places_(declaration_.shared.is_shared()),
      rooms_(rooms_of_nodes()),
      several_subnets_(graph_.subnets() > 1),
      nodes_(controllers_.size()),
      router_numbers_(numbers_of_routers()),
      inputs_((router_numbers_.empty()
                   ? nodes_.size()
                   : 1 + static_cast<std::size_t>(*std::max_element(router_numbers_.begin(), router_numbers_.end()))) *
              size_),
      outputs_(nodes_.size() * size_),
      sources_(nodes_.size() * static_cast<std::size_t>(shape_.channels)),
      rings_(inputs_.size() * static_cast<std::size_t>(capacity_)),
      flit_records_(declaration_.flit_records ? rings_.size() : 0),
      sequences_(declaration_.flit_records ? nodes_.size() : 0, -1),
      places_(shares_places_ ? nodes_.size() * port_count_ : 0,
              router::PortPlaces(declaration_.shared, shape_.channels)),
      source_places_(shares_places_ ? nodes_.size() : 0, router::PortPlaces(declaration_.shared, shape_.channels)),
      queues_(speedup_.has_fifo() ? nodes_.size() : 0, router::PortQueues<words>(shape_.port_count())),
      errors_(setup.errors),
      corrupts_packets_(errors_ != nullptr && errors_->any() && !repeats_flits(errors_)),
      replays_(replay_buffers()),
      full_replays_(replays_.empty() ? 0 : nodes_.size()),
      forks_(declaration_.multicast != nullptr ? nodes_.size() : 0, router::Forks<words>(shape_.size())),
      faults_(this->hardware() == nullptr ? nullptr : std::make_unique<router::RouterFaults<words>>(nodes_.size())),
      reply_rules_(declaration_.replies_by_class()),
      sinks_(router::FiniteSink::needed(reply_rules_) ? nodes_.size() : 0,
             router::FiniteSink(shape_.channels, reply_rules_)),
      subnets_(several_subnets_ ? 1 : 0, router::SubnetSources(memory_, graph_.subnets())),
      terminal_index_(nodes_.size(), -1),
      downstream_(nodes_.size() * port_count_),
      upstream_(downstream_.size()),
      arrived_(calendar_.phases() * partition_.lanes()),
      credits_(arrived_.size()),
      credited_(calendar_.phases(), WakeCalendar::Bitmap((partition_.lanes() + 63) / 64, 0)),
      parts_(this->template make_parts<RouterPart>()) {
  const auto side = [this](NodeId node, int port_index, const LinkEnd& end, int delay) {
    const int shift =
        graph_.is_terminal(end.node) ? FarPort::no_channels : shape_.channel(end.port, 0) - shape_.first(port_index);
    const NodeId there = partition_.lane(partition_[partition_.part_of(node)], end.node);
    return FarPort{there, static_cast<std::int16_t>(shift), delay};
  };
  for (NodeId node = 0; node < wiring_.nodes; ++node) {
    NodeState& state = nodes_[static_cast<std::size_t>(node)];
    state.controller = dynamic_cast<ChannelController<words>*>(controllers_[static_cast<std::size_t>(node)]);
    if (state.controller == nullptr)
      throw std::invalid_argument("a network with virtual channels needs a ChannelController in every node");
    state.table.attach(&inputs_[first_channel(node)], &outputs_[static_cast<std::size_t>(node) * size_], shape_);
    for (int out = 0; out < shape_.size(); ++out)
      for (int credit = 0; credit < room_behind(node, out); ++credit) state.table.credit(out, 0);
    state.rings = &rings_[first_slot(node, 0)];
    state.downstream = &downstream_[static_cast<std::size_t>(node) * port_count_];
    state.upstream = &upstream_[static_cast<std::size_t>(node) * port_count_];
    if (!queues_.empty()) state.queues = &queues_[static_cast<std::size_t>(node)];
    for (int port_index = 0; port_index < local_; ++port_index) {
      const std::size_t link = wiring_.index(node, shape_.ports[static_cast<std::size_t>(port_index)]);
      const std::size_t at = static_cast<std::size_t>(node) * port_count_ + static_cast<std::size_t>(port_index);
      if (const LinkEnd to = wiring_.out[link]; to.connected()) {
        const int delay = times(node).link_entry + wiring_.latency[link];
        Downstream& far = downstream_[at];
        static_cast<FarPort&>(far) = side(node, port_index, to, delay);
        far.link = static_cast<LinkId>(link);
        if (!far.is_terminal())
          far.ring_shift = static_cast<std::int64_t>(first_slot(to.node, 0)) + far.shift * capacity_;
        if (graph_.is_terminal(node)) {
          terminal_index_[static_cast<std::size_t>(node)] = static_cast<std::int16_t>(port_index);
          has_terminals_ = true;
        }
      }
      if (const LinkEnd from = wiring_.in[link]; from.connected()) {
        const std::size_t back = wiring_.index(from.node, from.port);
        const int delay = router::credit_word * graph_.period(node) + wiring_.wire_latency(back);
        const int extra = graph_.is_terminal(from.node) ? 0 : credit_extra_ * graph_.period(from.node);
        upstream_[at] = side(node, port_index, from, delay + extra);
      }
    }
  }
  for (std::size_t source = 0; source < sources_.size(); ++source)
    sources_[source].credits = static_cast<std::uint16_t>(
        room_behind_source(static_cast<NodeId>(source / static_cast<std::size_t>(shape_.channels))));
  for (NodeId node = 0; node < wiring_.nodes; ++node)
    nodes_[static_cast<std::size_t>(node)].source_credits = Set::range(0, channels_behind_source(node));
  for (RouterPart& part : parts_) {
    part.pending.resize(calendar_.phases());
    for (std::size_t phase = 0; phase < calendar_.phases(); ++phase) {
      PendingEvents& pending = part.pending[phase];
      pending.arrived = &arrived_[phase * partition_.lanes()];
      pending.credits = &credits_[phase * partition_.lanes()];
      pending.credited = credited_[phase].data();
      pending.calendar = calendar_.flags(static_cast<Step>(phase), part.number);
    }
    for (int twice = 0; twice < 2; ++twice)
      for (PendingEvents& pending : part.pending) part.pending_twice.push_back(&pending);
    part.frame.owners = decltype(part.frame.owners)(shape_.size());
    part.frame.passing = decltype(part.frame.passing)(shape_.size());
    part.frame.grid = grid_;
    part.frame.packets = &record_.packets;
    part.frame.memory = &memory_;
    part.frame.seed = seed_;
    part.frame.shape = &shape_;
    part.frame.sources = sources_.data();
    part.frame.random_choices = &random_choices_;
    part.frame.capacity = capacity_;
  }
  if (faults_ != nullptr) begin_faults();
}

template <int words>
typename RouterEngine<words>::Times RouterEngine<words>::times_of(const router::Pipeline& pipeline, int cycle) const {
  return {cycle * pipeline.link_entry(),
          cycle * pipeline.consumption(),
          cycle * (pipeline.exit_credit() + credit_extra_),
          cycle * (pipeline.link_entry() + pipeline.switch_steps - 1),
          cycle,
          pipeline.switch_steps > 1};
}

template <int words>
std::vector<typename RouterEngine<words>::Times> RouterEngine<words>::times_of_all() const {
  std::vector<Times> all;
  if (declaration_.pipelines.alike() && !graph_.has_clocks()) return all;
  for (NodeId node = 0; node < wiring_.nodes; ++node)
    all.push_back(times_of(declaration_.pipelines.at(node), graph_.period(node)));
  return all;
}

/// Empty if all buffers are alike.
template <int words>
std::vector<std::int32_t> RouterEngine<words>::rooms_of_nodes() const {
  std::vector<std::int32_t> rooms;
  const Faults* const faults = declaration_.faults;
  if (declaration_.capacities.empty() && faults == nullptr) return rooms;
  for (NodeId node = 0; node < wiring_.nodes; ++node)
    for (int out = 0; out < shape_.size(); ++out)
      rooms.push_back(declaration_.capacity_at(node_behind(node, shape_.port_index(out))) -
                      (faults == nullptr ? 0 : faults->dead_places(node, shape_.port(out), shape_.number(out))));
  return rooms;
}

/// Nodes with a router have numbers of their own, and all terminals have the next one: nothing enters their buffers.
/// Empty if no node is a terminal.
template <int words>
std::vector<std::int32_t> RouterEngine<words>::numbers_of_routers() const {
  std::vector<std::int32_t> numbers;
  std::int32_t routers = 0;
  for (NodeId node = 0; node < wiring_.nodes; ++node) numbers.push_back(graph_.is_terminal(node) ? -1 : routers++);
  if (routers == wiring_.nodes) return {};
  std::replace(numbers.begin(), numbers.end(), -1, routers);
  return numbers;
}

template <int words>
void RouterEngine<words>::run_nodes(Step step, WakeCalendar::Bitmap& awake) {
  if (measuring_ ? measured_to_ != no_step && step >= measured_to_ : !record_.use && step >= measured_from_)
    measure_until(step);
  make_room();
  if (faults_ != nullptr) show_changes();
  if (!sinks_.empty()) give_places();
  if (several_subnets_) advance_sources(awake);
  if (!clocked_.empty() || faults_ != nullptr) count_more_credits(awake);
  this->for_each_part(parts_, [&](RouterPart& part) { run_part(part, awake); });
  for (RouterPart& part : parts_) join(part);
  if (errors_ == nullptr) return;
  for (RouterPart& part : parts_) record_.errors += std::exchange(part.errors, {});
}

/// Reserves memory, because lists must not grow while the partitions run.
template <int words>
void RouterEngine<words>::make_room() {
  record_.injected.resize(record_.packets.size(), no_step);
  if (parts_.size() > 1) random_choices_.make_room(record_.packets.size());
  if (!watched() && !observed()) return;
  for (std::vector<Passed>& passed : passed_) passed.resize(downstream_.size());
  if (observed()) shown_.resize(wiring_.out.size());
}

template <int words>
void RouterEngine<words>::run_part(RouterPart& part, WakeCalendar::Bitmap& awake) {
  part.pending_in = &part.pending_twice[calendar_.phase(now_)];
  PendingEvents& now = part.ahead(0);
  take_mirrored(part, awake, [&now](NodeId mirror, NodeId lane) {
    const Arrivals arrived = std::exchange(now.arrived[mirror], Arrivals{});
    now.arrived[lane].flits |= arrived.flits;
    now.arrived[lane].heads |= arrived.heads;
  });
  part.hops = std::exchange(now.hops, 0);
  if (watched() || observed()) show_links(part, now);
  if (!replays_.empty()) run_replays(part, now);
  part.errors.corrupt += static_cast<std::int64_t>(now.corrupted.size());
  part.corrupted.swap(now.corrupted);
  if (!now.ejections.empty() && sinks_.empty()) eject(part, now);
  if (!sinks_.empty()) fill_sinks(part, now);
  count_credits(part, awake);
  if (!clocked_.empty()) defer(part, awake);
  part.frame.step = part.frame.cycle = now_;
  part.frame.first_packet = record_.first;
  const bool plain = !watched() && observers_.empty() && !stalls_ && !has_terminals_ && flit_records_.empty() &&
                     !speedup_.any() && memory_.queues() == 1 && !shares_places_ && rooms_.empty() &&
                     declaration_.channels_of_nodes.empty() && times_of_nodes_.empty() && sinks_.empty() &&
                     !several_subnets_ && forks_.empty() && faults_ == nullptr && errors_ == nullptr;
  if (plain && !observed() && !counting()) {
    this->for_each_awake(part, awake, [this, &part](NodeId node) { run_node<Mode::plain>(part, node); });
  } else if (plain && !observed()) {
    this->for_each_awake(part, awake, [this, &part](NodeId node) { run_node<Mode::counted>(part, node); });
  } else {
    const bool as_plain = plain && !counting();
    this->for_each_awake(part, awake, [this, &part, as_plain](NodeId node) {
      if (as_plain && !observed(node)) run_node<Mode::plain>(part, node);
      else if (at_edge(node)) run_node<Mode::general>(part, node);
    });
  }
  if (part.crossed == 0) return;
  PendingEvents& entry = part.ahead(times_.link_entry);
  entry.hops += std::exchange(part.crossed, 0);
  entry.calendar.mark();
}

template <int words>
void RouterEngine<words>::show_links(Part& part, PendingEvents& pending) {
  for (const Crossing& crossing : pending.crossings) {
    if (observed()) touch_twice(part, crossing.node);
    const Port port = shape_.port(crossing.out);
    if (port == shape_.local) continue;
    const std::size_t link = wiring_.index(crossing.node, port);
    if (tracing())
      row(part, TraceEvent::hop, crossing.flit.packet, crossing.flit.index, crossing.node, port, wiring_.out[link].node,
          crossing.flit.channel);
    if (observed()) shown_[link] = {now_, crossing.flit, false};
  }
  pending.crossings.clear();
  for (const CreditWord& word : pending.credit_words) {
    if (observed()) touch_twice(part, word.node);
    credit_row(part, word.node, shape_.port(word.in), shape_.number(word.in));
  }
  pending.credit_words.clear();
}

template <int words>
void RouterEngine<words>::eject(Part& part, PendingEvents& pending) {
  for (const Ejection& ejection : pending.ejections) deliver_flit(part, ejection.flit.whole(), ejection.node);
  pending.ejections.clear();
}

template <int words>
void RouterEngine<words>::count_credits(RouterPart& part, WakeCalendar::Bitmap& awake) {
  Credits* const pending = part.ahead(0).credits;
  WakeCalendar::Bitmap& credited = credited_[calendar_.phase(now_)];
  take_mirrored(part, credited, [pending](NodeId mirror, NodeId lane) {
    const Credits back = std::exchange(pending[mirror], Credits{});
    pending[lane] |= back;
  });
  for (std::size_t w = part.nodes.first_word(); w < part.nodes.last_word(); ++w)
    for (std::uint64_t left = std::exchange(credited[w], 0); left != 0; left &= left - 1) {
      const std::size_t lane = 64 * w + static_cast<std::size_t>(__builtin_ctzll(left));
      const NodeId node = static_cast<NodeId>(lane) - part.nodes.shift;
      take_credits(node, std::exchange(pending[lane], Credits{}));
      if (holds(node, nodes_[static_cast<std::size_t>(node)])) awake[w] |= left & -left;
      if (observed()) touch_twice(part, node);
    }
}

template <int words>
inline void RouterEngine<words>::take_credits(NodeId node, const Credits& back) {
  const auto n = static_cast<std::size_t>(node);
  NodeState& state = nodes_[n];
  back.outputs.for_each([&](int out) { state.table.credit(out, now_); });
  if (!back.source.empty()) {
    back.source.for_each(
        [&](int channel) { ++sources_[n * static_cast<std::size_t>(shape_.channels) + channel].credits; });
    state.source_credits |= back.source;
  }
  if (shares_places_) return_places(node, state, back);
}

/// Of channels that get several credits in this step, all but the first. They are entered before the parts run, because
/// those that write them may be others than those of the nodes.
template <int words>
void RouterEngine<words>::count_more_credits(WakeCalendar::Bitmap& awake) {
  for (RouterPart& part : parts_) {
    auto& more = part.pending[calendar_.phase(now_)].more_credits;
    for (const auto& [node, back] : more) {
      take_credits(node, back);
      RouterPart& own = parts_[partition_.part_of(node)];
      const auto lane = static_cast<std::size_t>(own.lane(node));
      if (holds(node, nodes_[static_cast<std::size_t>(node)])) awake[lane >> 6] |= std::uint64_t{1} << (lane & 63);
      if (observed()) touch_twice(own, node);
    }
    more.clear();
  }
}

/// Links that stall at random, whose interval will not be over when a flit that requests the switch now reaches them,
/// or whose FIFO between two clocks is full. Flits wait for the latter two in the FIFO of the out-port, if it has one.
template <int words>
router::PortIndices<words> RouterEngine<words>::stalled_ports(NodeId node) {
  PortIndices stalled{};
  for (int port_index = 0; port_index < local_; ++port_index) {
    const Port port = shape_.ports[static_cast<std::size_t>(port_index)];
    if (downstream(node, port_index).lane == no_node) continue;
    const bool by_chance =
        stall_threshold_ != 0 && !downstream(node, port_index).is_terminal() &&
        random_word(seed_, Purpose::stalls, node, now_, static_cast<std::uint32_t>(port)) < stall_threshold_;
    if (by_chance || (queues_.empty() && (!link_is_free(static_cast<std::size_t>(downstream(node, port_index).link),
                                                        now_ + times(node).request_to_link) ||
                                          is_full(node, port_index))))
      stalled.add(port_index);
  }
  return stalled;
}

/// A terminal sends no flit while its link takes none.
template <int words>
void RouterEngine<words>::withhold_link_of_terminal(RouterPart& part, NodeId node) {
  const Downstream* const link = link_of_terminal(node);
  if (link == nullptr) return;
  const int cycle = cycle_steps(node);
  if (link_is_free(static_cast<std::size_t>(link->link), now_ + cycle * router::terminal_entry) &&
      !is_replay_full(node, terminal_index_[static_cast<std::size_t>(node)]) &&
      !is_full(node, terminal_index_[static_cast<std::size_t>(node)]))
    return;
  part.frame.source_credits = {};
  if (memory_of(node).packets(home(node)) != 0) wake_node(part, node, now_ + cycle);
}

/// The processor sends into channels of packets that it has begun to send, and into no others.
template <int words>
void RouterEngine<words>::withhold_new_packets(ChannelFrame<words>& frame, NodeId node) const {
  for (int channel = 0; channel < shape_.channels; ++channel)
    if (sources_[static_cast<std::size_t>(node * shape_.channels + channel)].queue < 0)
      frame.source_credits.remove(channel);
}

/// For observers. \param crosses it enters its link as soon as it can.
template <int words>
void RouterEngine<words>::note_pass(RouterPart& part, NodeId node, int in, int out, const RingFlit& flit,
                                    bool frees_slot, bool crosses) {
  if (BufferObserver* buffer_observer = observer(node, in); buffer_observer != nullptr && frees_slot)
    buffer_observer->popped(flit.whole());
  const bool enters_link = queues_.empty() && crosses;
  if (counting() && enters_link && shape_.port_index(out) != local_)
    count_head(nodes_[static_cast<std::size_t>(node)], flit);
  if (!watched(node)) return;
  // The crossbar shows the flit in the next step, and not in the one after.
  const int link_entry = times(node).link_entry;
  const int cycle = cycle_steps(node);
  for (const int steps : {cycle * router::credit_word, cycle * (router::credit_word + 1), link_entry})
    part.ahead(steps).calendar.mark();
  std::vector<Passed>& passed = passed_[this->cycle(node) & 1];
  passed[static_cast<std::size_t>(node) * port_count_ + static_cast<std::size_t>(shape_.port_index(out))] = {
      now_, flit.packet};
  if (speedup_.internal == 1 && frees_slot && !is_silent(node, in))
    part.ahead(cycle * router::credit_word).credit_words.push_back({node, in});
  if (enters_link) note_crossing(part, link_entry, node, out, flit);
}

/// For observers, of a flit that enters its link in a number of steps.
template <int words>
void RouterEngine<words>::note_crossing(RouterPart& part, int steps, NodeId node, int out, const RingFlit& flit) {
  part.ahead(steps).crossings.push_back({node, out, flit});
  part.ahead(steps).crossings.back().flit.channel = static_cast<std::uint8_t>(shape_.number(out));
  if (!clocked_.empty()) part.ahead(steps + times(node).cycle).calendar.mark();
}

template <int words>
template <typename RouterEngine<words>::Mode mode>
inline void RouterEngine<words>::pass(RouterPart& part, NodeId node, NodeState& state, int in) {
  constexpr bool plain = mode != Mode::general;
  const router::InputChannel& input = state.table.input(in);
  const int out = input.output;
  const router::OutputChannel& output = state.table.output(out);
  const bool fork = !plain && is_fork(node, in);
  const int slot = fork ? (input.front + forks_[static_cast<std::size_t>(node)].position(in)) % capacity_ : input.front;
  const RingFlit& flit = state.rings[in * capacity_ + slot];
  const bool tail = is_tail(flit.kind);
  const bool frees_slot = !fork || forks_[static_cast<std::size_t>(node)].is_last(in);
  const bool crosses = plain || replays_.empty() || input.out_index == local_ ||
                       crosses_well(part, node, input.out_index, times(node).link_entry);
  if (!plain && part.noted) note_pass(part, node, in, out, flit, frees_slot, crosses);
  if (!plain && state.queues != nullptr) {
    pass_to_fifo(part, node, state, in, flit);
  } else if (input.out_index == local_) {
    arrive_at_processor(part.ahead(times<plain>(node).consumption), node, flit, out - shape_.first(local_));
    if (plain || sinks_.empty()) part.ahead(times<plain>(node).exit_credit).to_output(part.lane(node), out);
    ++state.downstream[local_].flits;
  } else if (!crosses) {
    pass_to_replay(part, node, state, in, slot);
  } else {
    Downstream& to = state.downstream[input.out_index];
    if (!plain && to.is_terminal()) {
      pass_to_terminal(part, node, out, to, flit,
                       until_readable(node, input.out_index, times(node).link_entry, to.delay));
    } else {
      RingFlit onward = flit;
      onward.channel = static_cast<std::uint8_t>(out - shape_.first(input.out_index));
      count_hop(onward);
      if constexpr (plain) rings_[static_cast<std::size_t>(to.ring_shift + out * capacity_ + output.back)] = onward;
      else write_ahead(node, state, in, out, onward, slot);
      const int readable = plain ? to.delay : until_readable(node, input.out_index, times(node).link_entry, to.delay);
      part.ahead(readable).arrive(to.lane, out + to.shift, is_head(flit.kind));
    }
    if (plain || times_of_nodes_.empty()) ++part.crossed;
    else note_entry(part, times(node).link_entry);
    ++to.flits;
    if constexpr (mode == Mode::counted) count_head(state, flit);
    if (!plain && corrupts_packets_) expose(part, node, out, flit.packet, times(node).link_entry);
    if (!plain && stalls_ && has_intervals() && !times(node).reserves)
      occupy_link(static_cast<std::size_t>(to.link), now_ + times(node).link_entry);
  }
  bool last;
  if (fork) {
    if (!forks_[static_cast<std::size_t>(node)].send(state.table, in, tail, capacity_, now_)) return;
    return_credit<plain>(part, node, state, in);
    last = state.table.remove_front(in, capacity_, now_);
  } else {
    if (!plain && speedup_.internal > 1)
      state.queues->add_credit(input.port_index, in, round_number(node, part.frame.round));
    else return_credit<plain>(part, node, state, in);
    last = state.table.send(in, tail, capacity_, now_ + cycle_steps<plain>(node) - 1);
  }
  state.packets -= static_cast<std::int32_t>(tail | last);
}

/// A flit is consumed on arrival, and its channel gets the credit back after the time of a local port.
/// \param arrival steps until then.
template <int words>
void RouterEngine<words>::pass_to_terminal(RouterPart& part, NodeId node, int out, const Downstream& to,
                                           const RingFlit& flit, int arrival) {
  PendingEvents& then = part.ahead(arrival);
  arrive_at_processor(then, wiring_.out[static_cast<std::size_t>(to.link)].node, flit, shape_.number(out));
  count_hop(then.ejections.back().flit);
  if (sinks_.empty()) return_credit_of_exit(part, node, out, terminal_credit(node, shape_.port_index(out), arrival));
}

/// From the memory of a terminal over its link, as its output channel `out`, into a ring of its switch.
template <int words>
void RouterEngine<words>::cross_from_terminal(RouterPart& part, NodeId node, Downstream& to, int out, RingFlit& flit) {
  const int entry = cycle_steps(node) * router::terminal_entry;
  count_hop(flit);
  if (!replays_.empty() && !crosses_well(part, node, shape_.port_index(out), entry))
    return keep(part, node, out, flit, entry);
  note_entry(part, entry);
  if (corrupts_packets_) expose(part, node, out, flit.packet, entry);
  if (watched(node)) note_crossing(part, entry, node, out, flit);
  const int arrival = to.delay - times(node).link_entry + entry;
  part.ahead(until_readable(node, shape_.port_index(out), entry, arrival))
      .arrive(to.lane, out + to.shift, is_head(flit.kind));
  ++to.flits;
  if (has_intervals()) occupy_link(static_cast<std::size_t>(to.link), now_ + entry);
}

template <int words>
void RouterEngine<words>::remove_before(PacketId first) {
  random_choices_.remove_first(record_.at(first));
  for (router::SubnetSources& subnets : subnets_) subnets.remove_before(first);
  Engine::remove_before(first);
}

template <int words>
void RouterEngine<words>::note_draw(const RouterPart& part, PacketId packet) {
  if (part.frame.random_choice != 0) random_choices_.set(record_.at(packet), part.frame.random_choice);
}

template <int words>
template <bool plain>
const char* RouterEngine<words>::inject(RouterPart& part, NodeId node, NodeState& state, int channel) {
  const int number = plain ? 0 : part.frame.injected_queue;
  SourceMemory& memory = plain ? memory_ : memory_of(node);
  const NodeId queue = plain ? node : memory.queue_of(home(node), number);
  if (memory.packets(queue) == 0) return "injected a flit although the memory is empty";
  if (channel >= shape_.channels || !state.source_credits.has(channel))
    return "injected a flit into a channel that has no room for it";
  const std::size_t first = static_cast<std::size_t>(node) * static_cast<std::size_t>(shape_.channels);
  SourceChannel& source = sources_[first + static_cast<std::size_t>(channel)];
  const PacketId packet = memory.front(queue);
  Downstream* const link = plain ? nullptr : link_of_terminal(node);
  const int in = shape_.first(local_) + channel;
  const int out_of_terminal =
      link == nullptr ? 0 : shape_.first(terminal_index_[static_cast<std::size_t>(node)]) + channel;
  const std::size_t ring =
      link == nullptr ? first_slot(node, in) : static_cast<std::size_t>(link->ring_shift + out_of_terminal * capacity_);
  RingFlit& there = rings_[ring + source.back];
  there = RingFlit(memory.take_flit(queue, record_.packets[record_.at(packet)]));
  there.channel = static_cast<std::uint8_t>(channel);
  if (!plain && !flit_records_.empty()) {
    std::int64_t& own = sequences_[static_cast<std::size_t>(node)];
    own += is_head(there.kind) ? 1 : 0;
    const std::int64_t sequence = several_subnets_       ? subnets_.front().sequence(queue)
                                  : memory.queues() == 1 ? own
                                                         : part.frame.sequence;
    flit_records_[ring + source.back] = {now_, no_step, sequence, 0};
  }
  if (is_head(there.kind)) {
    if (source.queue >= 0) return "injected a packet into a channel that another packet is still using";
    record_.injected[record_.at(packet)] = now_;
    note_draw(part, packet);
  } else if (source.queue != number) {
    return "injected the flits of a packet into two channels";
  }
  source.queue = static_cast<std::int16_t>(is_tail(there.kind) ? -1 : number);
  if (!plain && !sinks_.empty() && is_tail(there.kind)) note_answer(part, node, record_.packets[record_.at(packet)]);
  ++state.injected;
  if (--source.credits == 0) state.source_credits.remove(channel);
  if (!plain && shares_places_) take_source_place(node, state, channel, there.kind);
  source.back = static_cast<std::uint16_t>(source.back + 1 == capacity_ ? 0 : source.back + 1);
  if (!plain && tracing()) row(part, TraceEvent::inject, packet, there.index, node, no_port, no_node, channel);
  if (link == nullptr)
    part.ahead(cycle_steps<plain>(node) * router::injection).arrive(part.lane(node), in, is_head(there.kind));
  else cross_from_terminal(part, node, *link, out_of_terminal, there);
  if (!plain && several_subnets_ && is_tail(there.kind)) {
    part.left_queues.push_back(queue);
    part.ahead(1).calendar.mark();
  }
  if (memory.packets(plain ? node : home(node)) != 0) wake_node(part, node, now_ + cycle_steps<plain>(node));
  return nullptr;
}

template <int words>
template <typename RouterEngine<words>::Mode mode>
inline void RouterEngine<words>::carry_out(RouterPart& part, NodeId node, NodeState& state) {
  constexpr bool plain = mode != Mode::general;
  ChannelFrame<words>& frame = part.frame;
  for (int i = 0; i < frame.owned; ++i) {
    const auto [in, out] = frame.owners[i];
    bool requesting = in < size_ && state.table.occupied().has(in) && !state.table.active().has(in);
    const bool fork = !plain && requesting && out < size_ && is_fork(node, in);
    if (fork) requesting = forks_[static_cast<std::size_t>(node)].at(in).wants(shape_.port_index(out));
    if (!requesting || !is_head(front_of(node, in).kind))
      return refuse(part, node, "gave an output channel to a channel that has no head at its front, or that owns one");
    if (out >= size_ || !state.table.free().has(out) ||
        (shape_.port_index(out) != local_ && downstream(node, shape_.port_index(out)).lane == no_node) ||
        (!plain && !declaration_.channels_of_nodes.empty() && !has_channel(node, out)))
      return refuse(part, node, "gave away an output channel that is not free, or that its link does not have");
    if (fork) forks_[static_cast<std::size_t>(node)].allocate(state.table, in, out);
    else state.table.allocate(in, out, now_ + cycle_steps<plain>(node) - 1);
  }
  if (!plain && stalls_ && queues_.empty())
    frame.reserved.for_each([&](int out_index) {
      if (out_index == local_) return;
      if (has_intervals())
        occupy_link(static_cast<std::size_t>(state.downstream[out_index].link), now_ + times(node).request_to_link);
      if (!clocked_.empty()) promise_link(node, out_index);
    });
  if (!plain && speedup_.any()) std::sort(frame.passing.data(), frame.passing.data() + frame.passed);
  PortIndices ins{}, outs{};
  if (!times<plain>(node).reserves) outs = frame.stalled | frame.full;
  for (int i = 0; i < frame.passed; ++i) {
    const int in = frame.passing[i];
    if (static_cast<std::size_t>(in) >= size_ || !state.table.ready().has(in))
      return refuse(part, node, "sent from a channel that has no flit, no output channel or no credit");
    const router::InputChannel& input = state.table.input(in);
    const bool clash = plain || !speedup_.any() ? !ins.insert(input.port_index) | !outs.insert(input.out_index)
                                                : outs.has(input.out_index) || clashes(state, frame, i);
    if (clash)
      return refuse(part, node,
                    "let two flits leave an in-port, or take an out-port, in one step, or used a stalled link");
    pass<mode>(part, node, state, in);
  }
  if (!plain && shares_places_) take_places(node, state, frame);
  if (!plain && frame.round > 0 && frame.injected >= 0)
    return refuse(part, node, "injected a flit in a later round of a step");
  if (frame.injected >= 0)
    if (const char* rule = inject<plain>(part, node, state, frame.injected)) return refuse(part, node, rule);
  if (frame.wake != no_step) wake_node(part, node, frame.wake);
  if (frame.again && holds(node, state)) wake_node(part, node, now_ + cycle_steps<plain>(node));
}

template <int words>
template <bool plain>
inline void RouterEngine<words>::take_arrivals(NodeId node, NodeState& state, const Arrivals& arrived) {
  arrived.flits.for_each([&](int in) {
    state.table.arrive(in, now_);
    const std::int32_t flits = state.table.input(in).flits;
    state.packets += static_cast<std::int32_t>(arrived.heads.has(in) | (flits == 1));
    if constexpr (!plain) {
      if (!flit_records_.empty())
        flit_records_[first_slot(node, in) +
                      static_cast<std::size_t>((state.table.input(in).front + flits - 1) % capacity_)]
            .readable = now_;
      if (BufferObserver* buffer_observer = observer(node, in))
        buffer_observer->pushed(ring_flit(first_channel(node) + static_cast<std::size_t>(in), flits - 1).whole());
    }
  });
}

/// The out-port indices of the copies of a flit.
template <int words>
std::uint64_t RouterEngine<words>::branches_at(NodeId node, NodeId destination) const {
  std::uint64_t indices = 0;
  for (std::uint64_t left = declaration_.tree_of(destination).at(node); left != 0; left &= left - 1)
    indices |= std::uint64_t{1} << shape_.index_of_port[static_cast<std::size_t>(__builtin_ctzll(left))];
  return indices;
}

/// Packets to several destinations at the front of a channel become forks, which then choose their branches.
template <int words>
void RouterEngine<words>::choose_branches(NodeId node, NodeState& state) {
  router::Forks<words>& forks = forks_[static_cast<std::size_t>(node)];
  (state.table.occupied() - state.table.active() - forks.channels()).for_each([&](int in) {
    const RingFlit& front = front_of(node, in);
    if (is_group(front.destination)) forks.begin(in, branches_at(node, front.destination));
  });
  forks.choose(state.table, now_);
}

template <int words>
template <typename RouterEngine<words>::Mode mode>
inline bool RouterEngine<words>::run_round(RouterPart& part, NodeId node, NodeState& state) {
  constexpr bool plain = mode != Mode::general;
  ChannelFrame<words>& frame = part.frame;
  if (!plain && speedup_.fifo > 0) frame.full = full_ports(state, round_number(node, frame.round));
  frame.clear_decisions();
  ChannelView<words> view(frame);
  if (mode == Mode::plain || (mode == Mode::general && !counting())) {
    run_controller(part, node, *state.controller, view, frame);
  } else {
    struct {
      ChannelController<words>& controller;
      RequestCounts& requests;
      void step(ChannelView<words>& of_step) { controller.step_counted(of_step, requests); }
    } counted{*state.controller, part.counts->requests};
    run_controller(part, node, counted, view, frame);
  }
  if (frame.breach != nullptr) {
    refuse(part, node, std::exchange(frame.breach, nullptr));
    return false;
  }
  carry_out<mode>(part, node, state);
  return true;
}

template <int words>
template <typename RouterEngine<words>::Mode mode>
void RouterEngine<words>::run_node(RouterPart& part, NodeId node) {
  constexpr bool plain = mode != Mode::general;
  const auto n = static_cast<std::size_t>(node);
  NodeState& state = nodes_[n];
  ChannelFrame<words>& frame = part.frame;
  Arrivals& pending = part.ahead(0).arrived[part.lane(node)];
  if (!pending.flits.empty()) take_arrivals<plain>(node, state, std::exchange(pending, Arrivals{}));

  frame.node = node;
  frame.channels = &state.table;
  frame.rings = state.rings;
  if (!plain && !flit_records_.empty()) frame.flit_records = &flit_records_[first_slot(node, 0)];
  frame.source_credits = state.source_credits;
  if (!plain && several_subnets_) enter_subnet(frame, node);
  if (!plain && shares_places_) frame.places = &places_[n * port_count_];
  if (!plain && !rooms_.empty()) {
    frame.rooms = &rooms_[n * size_];
    frame.source_room = room_behind_source(node);
  }
  if constexpr (!plain) part.noted = watched(node) || !observers_.empty() || counting();
  if (!plain && this->is_draining()) withhold_new_packets(frame, node);
  if (!plain && (stalls_ || !replays_.empty())) {
    frame.stalled = stalls_ ? stalled_ports(node) : PortIndices{};
    if (!replays_.empty() && !full_replays_[n].empty()) frame.stalled |= full_replays(node);
    if (has_terminals_) withhold_link_of_terminal(part, node);
  }
  ++part.activations;
  if (!plain && !forks_.empty()) {
    choose_branches(node, state);
    frame.forks = &forks_[n];
  }
  if (!plain) {
    frame.round = 0;
    frame.cycle = cycle(node);
  }
  do {
    if (!run_round<mode>(part, node, state)) return;
  } while (!plain && ++frame.round < speedup_.internal);
  if (!plain && state.queues != nullptr) empty_queues(part, node, state);
  // A maximum that did not grow in this step has been seen.
  const QueueMaximum& most = part.queue;
  if (state.packets > most.max || (state.packets == most.max && most.step == now_))
    part.queue.update(packets_in_buffers(node), node, now_);
}

/// Each packet once: a worm whose path returns to a node is in two of its buffers.
template <int words>
std::int64_t RouterEngine<words>::packets_in_buffers(NodeId node) const {
  std::vector<PacketId> packets;
  for (int in = 0; in < shape_.size(); ++in)
    for (std::int32_t i = 0; i < inputs_[first_channel(node) + static_cast<std::size_t>(in)].flits; ++i)
      packets.push_back(ring_flit(first_channel(node) + static_cast<std::size_t>(in), i).packet);
  std::sort(packets.begin(), packets.end());
  return std::unique(packets.begin(), packets.end()) - packets.begin();
}

/// Calls `visit(link, is a head)` for each flit that has passed a switch, or left a terminal, but enters its link in
/// `step` or later. All clocks are alike.
template <int words>
template <class Visit>
void RouterEngine<words>::for_each_before_link(Step step, const Visit& visit) const {
  for (std::size_t at = 0; at < downstream_.size(); ++at) {
    const Downstream& to = downstream_[at];
    if (to.lane == no_node || to.is_terminal()) continue;
    const Set of_link = Set::range(shape_.first(static_cast<int>(at % port_count_)) + to.shift, shape_.channels);
    const int link_entry = times(static_cast<NodeId>(at / port_count_)).link_entry;
    for (Step entry = step; entry < next_ + link_entry; ++entry) {
      const std::size_t phase = calendar_.phase(entry - link_entry + to.delay);
      const Arrivals& there = arrived_[phase * partition_.lanes() + static_cast<std::size_t>(to.lane)];
      if (!(there.flits & of_link).empty()) visit(static_cast<std::size_t>(to.link), !(there.heads & of_link).empty());
    }
  }
  // Flits on their way to terminals.
  for (const RouterPart& part : parts_)
    for (Step pending = next_; pending < next_ + static_cast<Step>(part.pending.size()); ++pending)
      for (const Ejection& ejection : part.pending[calendar_.phase(pending)].ejections) {
        if (link_of_terminal(ejection.node) == nullptr) continue;
        const Port in = graph_.in_ports(ejection.node).lowest();
        const LinkEnd from = wiring_.in[wiring_.index(ejection.node, in)];
        const std::size_t link = wiring_.index(from.node, from.port);
        if (pending - wiring_.latency[link] >= step) visit(link, is_head(ejection.flit.kind));
      }
}

/// [link] Flits that have passed a switch, but enter their links in `step` or later, have not crossed those links
/// before.
template <int words>
std::vector<std::int64_t> RouterEngine<words>::flits_entered_before(Step step) const {
  std::vector<std::int64_t> flits(wiring_.out.size(), 0);
  for (std::size_t at = 0; at < downstream_.size(); ++at) {
    const Downstream& to = downstream_[at];
    if (to.lane == no_node) continue;
    flits[static_cast<std::size_t>(to.link)] = to.flits;
    if (!clocked_.empty()) flits[static_cast<std::size_t>(to.link)] -= clocked_[at].entering_from(step);
  }
  if (clocked_.empty()) for_each_before_link(step, [&flits](std::size_t link, bool /*head*/) { --flits[link]; });
  return flits;
}

template <int words>
EventCounts RouterEngine<words>::events_before(Step step) const {
  EventCounts events = Engine::events_before(step);
  events.flits = flits_entered_before(step);
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    events.injected[node] = nodes_[node].injected;
    events.heads[node] += nodes_[node].heads;
  }
  for_each_before_link(step, [&](std::size_t link, bool head) {
    if (head) --events.heads[link / static_cast<std::size_t>(wiring_.ports)];
  });
  return events;
}

template <int words>
PortFlits RouterEngine<words>::port_flits_before(Step step) const {
  PortFlits flits{flits_entered_before(step), std::vector<std::int64_t>(nodes_.size(), 0), {}};
  flits.to_processor = flits.from_processor;
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    if (link_of_terminal(static_cast<NodeId>(node)) != nullptr) continue;
    flits.from_processor[node] = nodes_[node].injected;
    flits.to_processor[node] = nodes_[node].downstream[local_].flits;
  }
  // Flits that have passed the switch, but are consumed in `step` or later.
  for (const RouterPart& part : parts_)
    for (Step pending = step; pending < next_ + static_cast<Step>(part.pending.size()); ++pending)
      for (const Ejection& ejection : part.pending[calendar_.phase(pending)].ejections)
        if (link_of_terminal(ejection.node) == nullptr) --flits.to_processor[static_cast<std::size_t>(ejection.node)];
  for (std::size_t node = 0; node < sinks_.size(); ++node)
    if (link_of_terminal(static_cast<NodeId>(node)) == nullptr) flits.to_processor[node] -= sinks_[node].flits();
  return flits;
}

template <int words>
void RouterEngine<words>::measure_until(Step step) {
  if (!measuring_ && !record_.use && step >= measured_from_) {
    measuring_ = true;
    for (NodeState& state : nodes_) {
      if (is_terminal(state)) continue;
      for (int in = 0; in < shape_.size(); ++in) state.table.begin_use(in, edge_of(state, measured_from_));
    }
    // Waits of forks that go on have begun before.
    for (std::size_t node = 0; node < forks_.size(); ++node)
      forks_[node].channels().for_each([&](int in) {
        if (forks_[node].at(in).stalled) nodes_[node].table.stall(in, true, measured_from_);
      });
  }
  if (measuring_ && measured_to_ != no_step && step >= measured_to_) end_measuring(measured_to_);
}

template <int words>
void RouterEngine<words>::end_measuring(Step to) {
  measuring_ = false;
  ChannelUse& use = record_.use.emplace();
  use.steps = to - measured_from_;
  use.buffers.reserve(nodes_.size() * size_);
  for (std::size_t node = 0; node < forks_.size(); ++node)
    forks_[node].channels().for_each([&](int in) {
      if (forks_[node].at(in).stalled) nodes_[node].table.stall(in, false, to);
    });
  for (const NodeState& state : nodes_) {
    if (is_terminal(state)) {
      use.buffers.resize(use.buffers.size() + size_);
      continue;
    }
    for (Port port = 0; port <= shape_.local; ++port)
      for (int channel = 0; channel < shape_.channels; ++channel)
        use.buffers.push_back(state.table.use(shape_.channel(port, channel), edge_of(state, to)));
  }
}

template <int words>
void RouterEngine<words>::close_record(Step last) {
  if (last >= measured_from_) measure_until(last + 1);  // the last steps may have been skipped
  if (measuring_) end_measuring(last + 1);
  record_.link_load = flits_entered_before(last + 1);
}

template <int words>
Flit RouterEngine<words>::stored(NodeId node, std::int32_t buffer, std::int32_t i) const {
  return ring_flit(channel_of(node, buffer), i).whole();
}

template <int words>
void RouterEngine<words>::observe(NodeId node, std::int32_t buffer, BufferObserver* observer) {
  if (observers_.empty()) observers_.resize(inputs_.size(), nullptr);
  observers_[channel_of(node, buffer)] = observer;
}

template <int words>
void RouterEngine<words>::publish(NodeId node, std::uint32_t* values) const {
  const NodeState& state = nodes_[static_cast<std::size_t>(node)];
  router::Entries<PacketId, router::most_ports<words>> crossbar(shape_.port_count());
  const Step now = next_ - 1;
  const std::vector<Passed>& passed = passed_[(now / cycle_steps(node) + 1) & 1];
  for (std::size_t port_index = 0; port_index < port_count_; ++port_index) {
    const Passed last = passed.empty() ? Passed{} : passed[static_cast<std::size_t>(node) * port_count_ + port_index];
    const bool before = last.step != no_step && last.step / cycle_steps(node) + 1 == now / cycle_steps(node);
    crossbar[static_cast<int>(port_index)] = before ? last.packet : no_packet;
  }
  router::Entries<std::uint32_t, router::most_ports<words>> fifos(shape_.port_count(), 0);
  for (int port_index = 0; port_index < shape_.port_count() && state.queues != nullptr; ++port_index)
    fifos[port_index] =
        static_cast<std::uint32_t>(state.queues->length(port_index, (now / cycle_steps(node) + 1) * speedup_.internal));
  ChannelFrame<words> frame;
  frame.node = node;
  frame.packets = &record_.packets;
  frame.first_packet = record_.first;
  frame.shape = &shape_;
  frame.channels = &state.table;
  frame.rings = state.rings;
  frame.capacity = capacity_;
  if (!flit_records_.empty()) frame.flit_records = &flit_records_[first_slot(node, 0)];
  if (!forks_.empty()) frame.forks = &forks_[static_cast<std::size_t>(node)];
  state.controller->show(ChannelView<words>(frame),
                         {crossbar.data(), state.queues == nullptr ? nullptr : fifos.data(), shares_places_}, values);
}

template <int words>
std::optional<Flit> RouterEngine<words>::on_link(NodeId node, Port out) const {
  if (shown_.empty()) return std::nullopt;
  const auto& [step, flit, repeated] = shown_[wiring_.index(node, out)];
  const bool entering = step != no_step && now_ - step < cycle_steps(node);
  return entering ? std::optional<Flit>(flit.whole()) : std::nullopt;
}

template <int words>
Engine::LinkReplay RouterEngine<words>::replay_of(NodeId node, Port out) const {
  if (replays_.empty() || shown_.empty()) return {};
  const Shown& shown = shown_[wiring_.index(node, out)];
  const auto index = static_cast<std::size_t>(shape_.port_index(shape_.channel(out, 0)));
  return {shown.step == now_ && shown.repeated,
          replays_[static_cast<std::size_t>(node) * port_count_ + index].taken_at(now_)};
}

template class RouterEngine<1>;
template class RouterEngine<router::any_words>;

}  // namespace starloom::links
