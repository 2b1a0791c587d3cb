// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The engine of the virtual-channels model: buffers, links, credits and the local port of every router.
#include <limits>
#include <memory>

#include <starloom/engines/engine.hpp>
#include <starloom/router/channel_controller.hpp>
#include <starloom/router/clocked_link.hpp>
#include <starloom/router/credits.hpp>
#include <starloom/router/finite_sink.hpp>
#include <starloom/router/forks.hpp>
#include <starloom/router/port_queues.hpp>
#include <starloom/router/replay_buffer.hpp>
#include <starloom/router/router_faults.hpp>
#include <starloom/router/subnet_sources.hpp>

namespace starloom::links {

/// A flit that passes the switch is written directly to where it will be read: into its slot in the ring behind its
/// link. The slot is free, because the flit has a credit for it; a bit in the mask of the step in which it becomes
/// readable marks its arrival. Credits return as bits, too, which are counted at the beginning of a step and wake a
/// node only if it contains a flit. Between the switch of one router and that of the next a flit is therefore
/// accessed only twice.
template <int words>
class RouterEngine final : public Engine {
 public:
  explicit RouterEngine(EngineSetup& setup);

  std::vector<Waiting> waiting(const Algorithm& algorithm, std::size_t most) const override;
  std::optional<Flit> on_link(NodeId node, Port out) const override;
  LinkReplay replay_of(NodeId node, Port out) const override;
  std::int32_t occupancy(NodeId node, std::int32_t buffer) const override {
    return inputs_[channel_of(node, buffer)].flits;
  }
  Flit stored(NodeId node, std::int32_t buffer, std::int32_t i) const override;
  void observe(NodeId node, std::int32_t buffer, BufferObserver* observer) override;
  void publish(NodeId node, std::uint32_t* values) const override;
  PortFlits port_flits_before(Step step) const override;
  EventCounts events_before(Step step) const override;
  void measure(Step from, Step to) override {
    measured_from_ = from;
    measured_to_ = to;
  }
  void remove_before(PacketId first) override;

 private:
  using Set = router::ChannelSet<words>;
  using PortIndices = router::PortIndices<words>;
  using RingFlit = router::RingFlit;
  using Credits = router::Credits<words>;
  using FarPort = router::FarPort;
  using SourceChannel = router::SourceChannel;
  /// The far end of an out-link.
  struct Downstream : FarPort {
    LinkId link = -1;
    /// From the first slot of a channel in the node here to its ring in the far node, in the numbering of all slots.
    std::int64_t ring_shift = 0;
    /// Flits that passed the switch, or left the terminal, towards the link; at the local out-port, towards the
    /// processor.
    std::int64_t flits = 0;
  };
  /// Times of a router, in steps.
  struct Times {
    // From leaving a buffer to the link, to the consumption, and to the return of the credit at the local out-port.
    int link_entry, consumption, exit_credit;
    int request_to_link;  ///< from the request for the switch to the link
    int cycle;            ///< of the clock
    bool reserves;        ///< switch allocation takes several steps, and the controller reserves the links
  };
  struct alignas(64) NodeState {
    router::ChannelTable<words> table;
    Set source_credits{};  ///< channels of the local in-port with room
    ChannelController<words>* controller = nullptr;
    RingFlit* rings = nullptr;          ///< [channel, slot]
    Downstream* downstream = nullptr;   ///< [out-port index]
    const FarPort* upstream = nullptr;  ///< [in-port index]
    std::int32_t packets = 0;           ///< with a flit in a buffer of the node
    std::int64_t heads = 0;             ///< first flits of packets that passed the switch to a link; only if counted
    std::int64_t injected = 0;          ///< flits that the local in-port, or the link of a terminal, has taken
    router::PortQueues<words>* queues = nullptr;  ///< null: no FIFOs at the out-ports
  };
  /// A flit between the switch and a link.
  struct Crossing {
    NodeId node;
    int out;
    RingFlit flit;
  };
  struct Ejection {
    NodeId node;
    RingFlit flit;
  };
  /// A flit that a receiver discards.
  struct Discard {
    NodeId node;
    Port in;
    PacketId packet;
    std::int32_t index;
  };
  struct CreditWord {
    NodeId node;
    int in;
  };
  struct Arrivals {
    Set flits{};  ///< input channels in which a flit becomes readable
    Set heads{};  ///< those of them in which it is a head
  };
  /// Arrivals, credits, crossings and ejections that one partition has scheduled for one step.
  struct PendingEvents : router::CreditLane<words> {
    using router::CreditLane<words>::calendar;
    void arrive(NodeId lane, int in, bool head) const {
      Arrivals& there = arrived[lane];
      there.flits.add(in);
      there.heads.add_if(head, in);
      calendar.wake(lane);
    }

    Arrivals* arrived = nullptr;  ///< [lane]
    std::int64_t hops = 0;        ///< flits that enter a link
    std::vector<Ejection> ejections;
    std::vector<Crossing> crossings;       ///< only with an observer
    std::vector<CreditWord> credit_words;  ///< on side wires; only with an observer
    // Of links that repeat corrupt flits:
    std::vector<std::pair<NodeId, int>> sends;  ///< nodes and out-port indices whose replay buffers may send
    std::vector<Discard> discards;
    std::vector<PacketId> corrupted;  ///< of which a flit enters a link that corrupts it, and does not repeat it
    /// Credits of channels that get another one in the same step, as between clocks.
    std::vector<std::pair<NodeId, Credits>> more_credits;
  };
  struct RouterPart : Part {
    std::vector<PendingEvents> pending;          ///< [phase]
    std::vector<PendingEvents*> pending_twice;   ///< [phase], twice in succession
    PendingEvents* const* pending_in = nullptr;  ///< [steps ahead of the current one]
    bool noted = false;        ///< flits that pass the switch of the current node are recorded, or counted
    std::int64_t crossed = 0;  ///< flits that passed a switch to a link in the current step, if all routers are alike
    std::vector<NodeId> filled_sinks;              ///< those with flits
    std::vector<std::pair<NodeId, int>> answered;  ///< nodes whose replies to a class left in the current step
    std::vector<NodeId> left_queues;               ///< with subnets: those that a packet left in the current step
    ErrorCounts errors{};                          ///< in the current step
    ChannelFrame<words> frame;

    /// The events of a step that is `steps` ahead of the current one.
    PendingEvents& ahead(int steps) const { return *pending_in[static_cast<std::size_t>(steps)]; }
  };

  void run_nodes(Step step, WakeCalendar::Bitmap& awake) override;
  void run_part(RouterPart& part, WakeCalendar::Bitmap& awake);
  void close_record(Step last) override;
  void act_on_faults(const std::vector<FaultEvent>& events) override;
  bool is_empty() const override;
  void flush() override;
  void reroute(const Algorithm& algorithm) override;
  void lose_heads() override;

  /// Begins or ends the measurement before `step`, in which no event has happened yet.
  void measure_until(Step step);
  void end_measuring(Step to);
  std::vector<std::int64_t> flits_entered_before(Step step) const;
  template <class Visit>
  void for_each_before_link(Step step, const Visit& visit) const;

  void make_room();
  /// Nodes that are awake between two edges of their clocks run at the next one.
  void defer(RouterPart& part, WakeCalendar::Bitmap& awake);
  void show_links(Part& part, PendingEvents& pending);
  void eject(Part& part, PendingEvents& pending);
  // If hardware dies or is repaired during the run (purges.cpp):
  /// A flit that has left a node, and becomes readable in an input channel in this step or later.
  struct Arriving {
    Step readable;
    Arrivals* among;  ///< its bit is set here
  };
  void begin_faults();
  void show_changes();
  std::vector<Arriving> arriving(NodeId node, int in);
  std::vector<RingFlit*> kept_for(NodeId node, int in);
  template <class Visit>
  void for_each_ejection(const Visit& visit);
  PacketId owner_of(NodeId node, int in);
  PacketId being_sent(NodeId node, int queue) const;
  std::vector<PacketId> cut_by(const FaultEvent& event);
  void kill(const FaultEvent& event);
  void repair(const FaultEvent& event);
  void void_credits(NodeId node, const Credits& lost);
  void void_words(NodeId node, const Set& ins);
  ChannelFrame<words>& frame_at(NodeId node);
  std::vector<PacketId> heads_without_way(bool begun);
  void purge(const std::vector<PacketId>& packets, LossCause cause);
  void purge_channel(NodeId node, int in, const std::vector<PacketId>& packets);
  void purge_from_memory(PacketId packet);
  void drop(NodeId node, const RingFlit& flit) {
    Engine::drop(parts_[partition_.part_of(node)], flit.packet, flit.index, node);
  }
  void drop_behind_switch(NodeId node, int in, const RingFlit& flit);
  void return_place(NodeId node, int in);
  std::int32_t packets_in_channel(NodeId node, int in) const;
  bool is_dead(NodeId node, int out) const {
    return faults_ != nullptr && faults_->dead_outputs[static_cast<std::size_t>(node)].has(out);
  }
  /// True if the credits of an input channel are not sent, because their side wire is dead.
  bool is_silent(NodeId node, int in) const {
    return faults_ != nullptr && faults_->silent_inputs[static_cast<std::size_t>(node)].has(in);
  }
  void give_places();
  void fill_sinks(RouterPart& part, PendingEvents& pending);
  void advance_sources(WakeCalendar::Bitmap& awake);
  void enter_subnet(ChannelFrame<words>& frame, NodeId node);
  bool consume(RouterPart& part, NodeId node);
  void note_answer(RouterPart& part, NodeId node, const Packet& packet) const;
  /// \param channel of the port that leads to the processor.
  void arrive_at_processor(PendingEvents& then, NodeId node, const RingFlit& flit, int channel) const {
    then.ejections.push_back({node, flit});
    then.ejections.back().flit.channel = static_cast<std::uint8_t>(channel);
    then.calendar.mark();
  }
  void count_credits(RouterPart& part, WakeCalendar::Bitmap& awake);
  void count_more_credits(WakeCalendar::Bitmap& awake);
  void take_credits(NodeId node, const Credits& back);
  /// How a node runs.
  enum class Mode {
    /// The node has no observer and a single queue, all links have interval 1, all routers are alike, no hardware dies
    /// during the run, and the network has neither clocks nor terminals nor speed-ups nor shared buffers nor finite
    /// sinks nor subnets nor packets to several destinations.
    plain,
    counted,  ///< the same, and events are counted
    general
  };
  template <Mode mode>
  void run_node(RouterPart& part, NodeId node);
  std::int64_t packets_in_buffers(NodeId node) const;
  template <bool plain>
  void take_arrivals(NodeId node, NodeState& state, const Arrivals& arrived);
  PortIndices stalled_ports(NodeId node);
  void withhold_new_packets(ChannelFrame<words>& frame, NodeId node) const;
  void withhold_link_of_terminal(RouterPart& part, NodeId node);
  /// The number of a round of the current step.
  Step round_number(NodeId node, int round) const { return cycle(node) * speedup_.internal + round; }
  PortIndices full_ports(const NodeState& state, Step round) const;
  /// \return false if the controller broke a rule.
  template <Mode mode>
  [[gnu::always_inline]] bool run_round(RouterPart& part, NodeId node, NodeState& state);
  template <Mode mode>
  [[gnu::always_inline]] void carry_out(RouterPart& part, NodeId node, NodeState& state);
  bool clashes(const NodeState& state, const ChannelFrame<words>& frame, int in) const;
  template <Mode mode>
  [[gnu::always_inline]] void pass(RouterPart& part, NodeId node, NodeState& state, int in);
  /// Returns the credit of the slot that a flit frees in an input channel.
  template <bool plain>
  [[gnu::always_inline]] void return_credit(RouterPart& part, NodeId node, const NodeState& state, int in) const {
    if (!plain && is_silent(node, in)) return;
    if (!plain && !clocked_.empty()) return return_clocked_credit(part, node, in);
    router::return_credit<!plain>(part.lane(node), in, state.table.input(in), shape_, state.upstream,
                                  [&part](int steps) -> const PendingEvents& { return part.ahead(steps); });
  }
  void return_clocked_credit(const RouterPart& part, NodeId node, int in) const;
  /// The same of a channel towards a terminal or the processor, in a number of steps.
  void return_credit_of_exit(const RouterPart& part, NodeId node, int out, int steps) const {
    if (!clocked_.empty()) return give_credit(part, node, steps, {Set::range(out, 1), {}});
    part.ahead(steps).to_output(part.lane(node), out);
  }
  /// Between clocks, a channel may get several credits in one step.
  void give_credit(const RouterPart& part, NodeId to, int steps, const Credits& credit) const;
  void choose_branches(NodeId node, NodeState& state);
  std::uint64_t branches_at(NodeId node, NodeId destination) const;
  bool is_fork(NodeId node, int in) const {
    return !forks_.empty() && forks_[static_cast<std::size_t>(node)].channels().has(in);
  }
  void note_pass(RouterPart& part, NodeId node, int in, int out, const RingFlit& flit, bool frees_slot, bool crosses);
  /// Counts a packet whose first flit passes the switch to a link, or is on the way there from a FIFO.
  [[gnu::always_inline]] static void count_head(NodeState& state, const RingFlit& flit) {
    state.heads += is_head(flit.kind) ? 1 : 0;
  }
  void note_crossing(RouterPart& part, int steps, NodeId node, int out, const RingFlit& flit);
  /// Writes a flit into its slot behind the link, where it is not readable yet.
  /// \param from the slot that it leaves.
  [[gnu::always_inline]] void write_ahead(NodeId node, NodeState& state, int in, int out, const RingFlit& onward,
                                          int from) {
    const auto slot = static_cast<std::size_t>(state.downstream[state.table.input(in).out_index].ring_shift +
                                               out * capacity_ + state.table.output(out).back);
    rings_[slot] = onward;
    if (flit_records_.empty()) return;
    flit_records_[slot] = flit_records_[first_slot(node, in) + static_cast<std::size_t>(from)];
    ++flit_records_[slot].switches;
  }
  void return_places(NodeId node, NodeState& state, const Credits& back);
  void take_places(NodeId node, NodeState& state, const ChannelFrame<words>& frame);
  void take_source_place(NodeId node, NodeState& state, int channel, FlitKind kind);
  // If links repeat corrupt flits (replays.cpp):
  std::vector<router::ReplayBuffer> replay_buffers() const;
  void pass_to_replay(RouterPart& part, NodeId node, NodeState& state, int in, int slot);
  void keep(RouterPart& part, NodeId node, int out, const RingFlit& flit, int entry);
  void run_replays(RouterPart& part, PendingEvents& pending);
  void send_kept(RouterPart& part, NodeId node, int out_index);
  router::ReplayBuffer& replay(NodeId node, int out_index) {
    return replays_[static_cast<std::size_t>(node) * port_count_ + static_cast<std::size_t>(out_index)];
  }
  bool is_replay_full(NodeId node, int out_index) { return !replays_.empty() && replay(node, out_index).is_full(now_); }
  void note_place(NodeId node, int out_index) {
    if (replay(node, out_index).is_full(now_)) full_replays_[static_cast<std::size_t>(node)].add(out_index);
  }
  PortIndices full_replays(NodeId node);
  /// A flit enters a link, which does not repeat it, in a number of steps.
  void expose(RouterPart& part, NodeId node, int out, PacketId packet, int steps) {
    if (!errors_->corrupts(node, shape_.port(out), now_ + steps)) return;
    part.ahead(steps).corrupted.push_back(packet);
    part.ahead(steps).calendar.mark();
  }
  bool crosses_well(RouterPart& part, NodeId node, int out_index, int entry);
  /// For observers, of a flit that enters its link in a number of steps, and is accepted: its place is free later.
  [[gnu::noinline]] void show_free_place(RouterPart& part, NodeId node, int out_index, int entry) const {
    if (!observed(node)) return;
    const Port port = shape_.ports[static_cast<std::size_t>(out_index)];
    PendingEvents& then = part.ahead(entry + 2 * wiring_.latency[wiring_.index(node, port)]);
    then.sends.emplace_back(node, out_index);
    then.calendar.mark();
  }
  void permit_outputs(NodeId node, NodeState& state, const PortIndices& ports, Step from);
  void permit_source(NodeId node, NodeState& state);
  void pass_to_fifo(RouterPart& part, NodeId node, NodeState& state, int in, const RingFlit& flit);
  void empty_queues(RouterPart& part, NodeId node, NodeState& state);
  void leave_fifo(RouterPart& part, NodeId node, NodeState& state, int out_index,
                  const typename router::PortQueues<words>::Departing& departing);
  /// The steps until a flit is readable that enters a link in a number of steps and leaves it in another.
  int until_readable(NodeId node, int out_index, int entry, int arrival) {
    return clocked_.empty() ? arrival : send_over_clocked(node, out_index, entry, arrival);
  }
  int send_over_clocked(NodeId node, int out_index, int entry, int arrival);
  /// The steps until a credit is available that reaches the sender of a link after a number of steps.
  int credit_over_clocked(NodeId sender, int out_index, int arrival) const;
  /// The steps until the credit of a channel towards a terminal is available, after a flit arrives there.
  int terminal_credit(NodeId node, int out_index, int arrival) const;
  void promise_link(NodeId node, int out_index);
  bool is_full(NodeId node, int out_index);
  /// Counts a flit that enters a link in a number of steps.
  static void note_entry(RouterPart& part, int steps) {
    ++part.ahead(steps).hops;
    part.ahead(steps).calendar.mark();
  }
  void pass_to_terminal(RouterPart& part, NodeId node, int out, const Downstream& to, const RingFlit& flit,
                        int arrival);
  template <bool plain>
  const char* inject(RouterPart& part, NodeId node, NodeState& state, int channel);
  void cross_from_terminal(RouterPart& part, NodeId node, Downstream& to, int out, RingFlit& flit);
  /// Counts a link that a flit crosses. A full counter is added to the record immediately. Several threads may do so,
  /// because a flit is in one node only.
  void count_hop(RingFlit& flit) {
    if (flit.cross()) count_hops_beyond(flit);
  }
  [[gnu::cold, gnu::noinline]] void count_hops_beyond(const RingFlit& flit) {
    if (flit.index == 0) record_.hops[record_.at(flit.packet)] += RingFlit::most_hops + 1;
  }
  void note_draw(const RouterPart& part, PacketId packet);
  std::uint32_t choice_of(PacketId packet) const { return random_choices_.of(record_.at(packet)); }
  bool is_terminal(const NodeState& state) const {
    return terminal_index_[static_cast<std::size_t>(&state - nodes_.data())] >= 0;
  }
  /// The link out of a terminal; null for a node with a router.
  Downstream* link_of_terminal(NodeId node) const {
    const int port_index = terminal_index_[static_cast<std::size_t>(node)];
    return port_index < 0 ? nullptr : &nodes_[static_cast<std::size_t>(node)].downstream[port_index];
  }
  void refuse(Part& part, NodeId node, const char* rule) const { part.stop(now_, node, rule); }
  /// For a packet that is not the first one in an input channel.
  void wait_behind_front(NodeId node, int in, Waiting& waiting) const;
  void find_blockers_of_memory(Waiting& waiting) const;
  void add_waiting_fronts(std::vector<Waiting>& list) const;
  PacketId first_of_queue(NodeId node, int queue) const;
  PacketId first_behind_source(NodeId node, int channel) const;
  void add_waiting_at_sinks(std::vector<Waiting>& list) const;
  std::vector<PacketId> replies_in_memory(NodeId node, int request_class) const;
  void find_holders(NodeId node, int in, const Algorithm& algorithm, Waiting& waiting) const;
  void find_holders_of_fork(NodeId node, int in, Waiting& waiting) const;
  PacketId first_behind(NodeId node, int out) const;
  bool has_room_for(NodeId node, int out, std::int32_t flits) const;
  bool admits(Port in, NodeId node, int out, std::int32_t flits) const;
  PacketId packet_in(NodeId node, int in) const;
  PacketId packet_entering(NodeId node, int channel) const;

  std::size_t first_channel(NodeId node) const {
    return size_ *
           static_cast<std::size_t>(router_numbers_.empty() ? node : router_numbers_[static_cast<std::size_t>(node)]);
  }
  std::size_t channel_of(NodeId node, std::int32_t buffer) const {
    return first_channel(node) +
           static_cast<std::size_t>(shape_.channel(buffer / shape_.channels, buffer % shape_.channels));
  }
  std::size_t first_slot(NodeId node, int in) const {
    return (first_channel(node) + static_cast<std::size_t>(in)) * static_cast<std::size_t>(capacity_);
  }
  /// The flit at position `i` from the front of a channel, with channels numbered over all nodes.
  const RingFlit& ring_flit(std::size_t channel, std::int32_t i) const {
    return rings_[channel * static_cast<std::size_t>(capacity_) +
                  static_cast<std::size_t>((inputs_[channel].front + i) % capacity_)];
  }
  const RingFlit& front_of(NodeId node, int in) const {
    return rings_[first_slot(node, in) + inputs_[first_channel(node) + static_cast<std::size_t>(in)].front];
  }
  BufferObserver* observer(NodeId node, int in) const {
    return observers_.empty() ? nullptr : observers_[first_channel(node) + static_cast<std::size_t>(in)];
  }
  const Downstream& downstream(NodeId node, int port_index) const {
    return nodes_[static_cast<std::size_t>(node)].downstream[port_index];
  }
  const FarPort& upstream(NodeId node, int port_index) const {
    return nodes_[static_cast<std::size_t>(node)].upstream[port_index];
  }
  /// The far node of an out-port.
  NodeId downstream_node(NodeId node, int port_index) const {
    return wiring_.out[wiring_.index(node, shape_.ports[static_cast<std::size_t>(port_index)])].node;
  }
  /// The cycle of a node that runs.
  Step cycle(NodeId node) const { return clocked_.empty() ? now_ : now_ / times(node).cycle; }
  /// Steps of a cycle. \tparam plain all nodes run in every step.
  template <bool plain = false>
  int cycle_steps(NodeId node) const {
    return plain || clocked_.empty() ? 1 : times(node).cycle;
  }
  /// The first step of a node from a step on. Buffers are measured in the steps in which their nodes run, each of which
  /// counts for a cycle.
  Step edge_of(const NodeState& state, Step step) const {
    return edge_from(step, cycle_steps(static_cast<NodeId>(&state - nodes_.data())));
  }
  /// True if a node runs in the current step.
  bool at_edge(NodeId node) const { return clocked_.empty() || now_ % times(node).cycle == 0; }
  router::ClockedLink& clocked(NodeId node, int out_index) {
    return clocked_[static_cast<std::size_t>(node) * port_count_ + static_cast<std::size_t>(out_index)];
  }
  const router::ClockedLink& clocked(NodeId node, int out_index) const {
    return clocked_[static_cast<std::size_t>(node) * port_count_ + static_cast<std::size_t>(out_index)];
  }
  std::vector<router::ClockedLink> clocked_links() const;
  Times times_of(const router::Pipeline& pipeline, int cycle) const;
  std::vector<Times> times_of_all() const;
  template <bool alike = false>
  const Times& times(NodeId node) const {
    return alike || times_of_nodes_.empty() ? times_ : times_of_nodes_[static_cast<std::size_t>(node)];
  }
  std::vector<std::int32_t> rooms_of_nodes() const;
  std::vector<std::int32_t> numbers_of_routers() const;
  /// The node whose buffers an out-port fills; the node itself for the local out-port and for one without a link.
  NodeId node_behind(NodeId node, int port_index) const {
    if (port_index == local_) return node;
    const NodeId there = downstream_node(node, port_index);
    return there == no_node ? node : there;
  }
  /// Flits of the buffer behind an output channel.
  std::int32_t room_behind(NodeId node, int out) const {
    return rooms_.empty() ? capacity_ : rooms_[static_cast<std::size_t>(node) * size_ + static_cast<std::size_t>(out)];
  }
  /// The same of the buffers that a processor sends into: behind the link of a terminal, or of the local in-port.
  std::int32_t room_behind_source(NodeId node) const {
    const int of_terminal = terminal_index_[static_cast<std::size_t>(node)];
    return room_behind(node, shape_.first(of_terminal < 0 ? local_ : of_terminal));
  }
  /// True if the link of an output channel has it.
  bool has_channel(NodeId node, int out) const {
    return shape_.number(out) < declaration_.channels_at(node_behind(node, shape_.port_index(out)));
  }
  /// Channels that a processor sends into.
  int channels_behind_source(NodeId node) const {
    const int of_terminal = terminal_index_[static_cast<std::size_t>(node)];
    return declaration_.channels_at(node_behind(node, of_terminal < 0 ? local_ : of_terminal));
  }
  NodeId upstream_node(NodeId node, int port_index) const {
    return wiring_.in[wiring_.index(node, shape_.ports[static_cast<std::size_t>(port_index)])].node;
  }
  /// The index of the out-port from which an in-port gets its flits.
  int far_out_index(NodeId node, int port_index) const {
    const LinkEnd from = wiring_.in[wiring_.index(node, shape_.ports[static_cast<std::size_t>(port_index)])];
    return shape_.port_index(shape_.channel(from.port, 0));
  }
  /// The node with its number in subnet 0, which routing functions know, and packets.
  NodeId home(NodeId node) const { return several_subnets_ ? graph_.home(node) : node; }
  /// The packets that the processor of a router may send into it, by the home of the router.
  SourceMemory& memory_of(NodeId node) {
    return several_subnets_ ? subnets_.front().fronts(graph_.subnet_of(node)) : memory_;
  }
  const SourceMemory& memory_of(NodeId node) const {
    return several_subnets_ ? subnets_.front().fronts(graph_.subnet_of(node)) : memory_;
  }
  bool holds(NodeId node, const NodeState& state) const {
    return !state.table.occupied().empty() || memory_.packets(node) != 0 || (several_subnets_ && has_front(node));
  }
  /// With subnets: the processor has a packet for this router.
  [[gnu::cold, gnu::noinline]] bool has_front(NodeId node) const { return memory_of(node).packets(home(node)) != 0; }
  /// True if links and side wires of all nodes are observed.
  bool watched() const { return tracing() || tracing_credits(); }
  /// True if those of this node are observed.
  bool watched(NodeId node) const { return watched() || (observed() && observed(node)); }

  const router::RouterShape shape_;
  const std::size_t size_;        ///< channels of a node
  const std::size_t port_count_;  ///< ports of a node, the local one included
  const int local_;               ///< the index of the local port
  const int capacity_;            ///< flits of a ring
  const router::Speedup speedup_;
  const int credit_extra_;
  const Times times_;
  const std::vector<Times> times_of_nodes_;   ///< [node] instead of `times_`; empty: all routers are alike
  std::vector<router::ClockedLink> clocked_;  ///< [node, out-port index]; empty: all nodes run in every step
  const std::uint64_t stall_threshold_;
  const bool stalls_;                      ///< at random, or because links have intervals or full FIFOs
  const bool shares_places_;               ///< the channels of an in-port share its places
  const std::vector<std::int32_t> rooms_;  ///< [node, output channel] see room_behind; empty: `capacity_` for all
  const bool several_subnets_;
  std::vector<NodeState> nodes_;
  const std::vector<std::int32_t> router_numbers_;  ///< [node] router below; empty: the number of the node
  std::vector<router::InputChannel> inputs_;        ///< [router, channel]
  std::vector<router::OutputChannel> outputs_;      ///< [node, channel]
  std::vector<SourceChannel> sources_;              ///< [node, channel of the local in-port]
  std::vector<RingFlit> rings_;                     ///< [router, channel, slot]
  std::vector<router::FlitRecord> flit_records_;    ///< as `rings_`; empty unless declared
  std::vector<std::int64_t> sequences_;     ///< [node] packets that have left the memory, less one; empty as well
  std::vector<router::PortPlaces> places_;  ///< [node, out-port index] of the far in-port; empty: none shared
  std::vector<router::PortPlaces> source_places_;  ///< [node] of the local in-port, or the far one of a terminal
  std::vector<router::PortQueues<words>> queues_;  ///< [node]; empty unless out-ports have FIFOs
  const LinkErrors* const errors_;                 ///< of links; null: there are none
  const bool corrupts_packets_;                    ///< links have errors, and do not repeat flits
  std::vector<router::ReplayBuffer> replays_;      ///< [node, out-port index]; empty unless links repeat flits
  std::vector<PortIndices> full_replays_;          ///< [node] out-ports whose replay buffer may be full; empty as well
  std::vector<router::Forks<words>> forks_;        ///< [node]; empty unless packets have several destinations
  std::unique_ptr<router::RouterFaults<words>> faults_;  ///< null: no hardware dies or is repaired during the run
  const router::FiniteSink::Rules reply_rules_;          ///< [class of traffic]
  std::vector<router::FiniteSink> sinks_;                ///< [node]; empty unless processors limit requests
  std::vector<router::SubnetSources> subnets_;           ///< one if `several_subnets_`, else none
  std::vector<std::int16_t> terminal_index_;  ///< [node] out-port index of a terminal's link; -1: a node with a router
  bool has_terminals_ = false;
  RandomChoices random_choices_;
  std::vector<Downstream> downstream_;          ///< [node, out-port index]
  std::vector<FarPort> upstream_;               ///< [node, in-port index]
  std::vector<Arrivals> arrived_;               ///< [phase][lane]
  std::vector<Credits> credits_;                ///< [phase][lane]
  std::vector<WakeCalendar::Bitmap> credited_;  ///< [phase] lanes that get a credit
  std::vector<BufferObserver*> observers_;      ///< [router, channel]; empty without observers
  /// The last flit that passed the switch to an out-port, in steps of one parity.
  struct Passed {
    Step step = no_step;
    PacketId packet = no_packet;
  };
  std::vector<Passed> passed_[2];  ///< [step modulo 2][node, out-port index] only with an observer
  struct Shown {
    Step step = no_step;
    RingFlit flit{};
    bool repeated = false;  ///< it had entered the link before
  };
  std::vector<Shown> shown_;  ///< [node * ports + out-port] the last flit that entered the link; only with an observer
  Step measured_from_ = 0, measured_to_ = no_step;
  bool measuring_ = false;
  std::vector<RouterPart> parts_;
};

}  // namespace starloom::links
