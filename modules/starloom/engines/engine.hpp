// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The steps of a network, without SystemC: creation of packets, controllers, commits, checks, records.
///
/// Contract of a step t: (1) packets created in t enter the memories of their processors; (2) every awake node's
/// controller runs on what steps before t wrote; (3) its decisions are checked and written for steps after t; (4) the
/// rows of the step go to the trace sinks. Nodes may run in any order: all writes of step t are to data that is read
/// in later steps only. Therefore the parts of a network (`Partition`) may run (2) and (3) at the same time, each in
/// a thread of its own; their counts are added before (4). The step sink receives a step at its end; with several
/// threads, during the next.
#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/control/links/reroutes.hpp>
#include <starloom/control/links/unreachable.hpp>
#include <starloom/core/links/event_counts.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/core/packet_source.hpp>
#include <starloom/core/violation.hpp>
#include <starloom/engines/partition.hpp>
#include <starloom/engines/step_observer.hpp>
#include <starloom/engines/wake_calendar.hpp>
#include <starloom/engines/wiring.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/thread_pool.hpp>
#include <starloom/topology/link_errors.hpp>

namespace starloom::links {

struct EngineSetup {
  const LinkNetwork* network = nullptr;
  const Declaration* declaration = nullptr;
  Wiring wiring;
  std::vector<Controller*> controllers;  ///< [node]
  std::uint64_t seed = 1;
  bool count_memory = true;   ///< unsent packets of a node count in its `queue` (not for open-loop sources)
  std::uint64_t shuffle = 0;  ///< 0: nodes run in id order; else in an order permuted by this number
  bool wake_all = false;      ///< run every node in every step
  bool count_events = false;  ///< keep the counts of `events_before`
  double stall_rate = 0;      ///< virtual channels: share of steps in which a link accepts no flit from its switch
  /// Parts in which the network is run, each in a thread of its own; at most as many as nodes. Above 1, buffers have no
  /// observers, and controllers learn of each other over links only.
  int threads = 1;
  StepSink* step_sink = nullptr;             ///< null: none
  const Unreachable* unreachable = nullptr;  ///< packets that are not sent, because of faults; null: there are none
  const LinkErrors* errors = nullptr;        ///< virtual channels: of links; null: there are none
};

/// State and work common to all storage models.
class Engine {
 public:
  /// The engine that the algorithm declares, or else the one of its storage model.
  /// \throws std::invalid_argument if a controller is missing or of the wrong base class for the storage model, or if
  /// an algorithm with virtual channels declares no engine.
  static std::unique_ptr<Engine> make(EngineSetup setup);
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Sets the source of packets. \param horizon packets created in or after this step are not needed (no_step: no
  /// limit).
  void set_source(PacketSource* source, Step horizon);
  /// Sinks receive every step's rows, sorted. Set before the first step.
  void set_sinks(std::vector<TraceSink*> sinks) {
    sinks_ = std::move(sinks);
    choose_records();
  }
  /// The same for credits.
  void set_credit_sinks(std::vector<CreditSink*> sinks) {
    credit_sinks_ = std::move(sinks);
    choose_records();
  }
  /// The observer is called in every step; null: none. Set before the first step.
  void set_observer(StepObserver* observer);
  /// Called with new packets before any row names them.
  void on_created(std::function<void(const std::vector<Packet>&)> callback) { on_created_ = std::move(callback); }
  /// Called within the step in which the last flit of a packet is consumed; the order within a step is any.
  void on_delivered(std::function<void(PacketId)> callback) { on_delivered_ = std::move(callback); }

  /// `RunRecord::use` covers steps [from, to); `to` is no_step: to the end. Set before the first step; else all
  /// steps.
  virtual void measure(Step /*from*/, Step /*to*/) {}

  /// A packet from outside the source, which enters the memory of its processor in the next step to run: the step of
  /// its creation, unless it has a number. It then keeps both, and no other packet has its number.
  void create_packet(Packet packet) { outside_.push_back(packet); }
  /// Runs a node in a step not before the next one to run.
  void wake(NodeId node, Step step) {
    const std::size_t part = partition_.part_of(node);
    calendar_.wake(partition_[part].lane(node), next_, step, part);
  }

  /// The next step in which something can happen, at or after the last step run + 1; `no_step` if there is none.
  Step next_step() const;
  /// Runs one step, at or after the last one run + 1; steps between must be idle ones.
  void run_step(Step step);
  /// Between two steps: the packets below `first`, all of them delivered, are listed no more.
  virtual void remove_before(PacketId first);
  /// Closes the record after the last step, which the step sink then receives. The run may have gone on for some idle
  /// steps until `end`.
  void finish(Step end = 0);
  /// The step sink receives a step while the next one runs, not before.
  bool reports_one_step_late() const { return pool_ != nullptr; }
  /// Gives the step sink the step that ran last, if it has not received that step.
  void report_step();

  const RunRecord& record() const { return record_; }
  RunRecord& record() { return record_; }
  bool stopped() const { return violation_.step != no_step; }
  const Violation& violation() const { return violation_; }
  /// The error because of which the run stopped, if it is one of the experiment.
  const std::exception_ptr& failure() const { return failure_; }
  /// Stops the run at a broken rule (also used by the referee).
  void stop(const Violation& violation);
  void stop(Step step, NodeId node, const std::string& text) { stop({step, node, text}); }

  /// The hardware that is dead in the step that runs; null: none dies or is repaired after step 0.
  const LivingHardware* hardware() const { return hardware_ ? &*hardware_ : nullptr; }
  /// The algorithm whose routing functions heads ask since the last change of these; null: that of the run.
  const Algorithm* rerouted() const { return rerouted_; }

  // For the watchdog.
  /// A node is awake, a flit under way, or hardware or routing functions change in some later step; the traffic source
  /// does not count.
  bool wake_pending() const {
    return calendar_.next(next_) != no_step || !outside_.empty() || next_change(no_step) != no_step;
  }
  /// Something moved inside the network in the last step run: a hop, also one of a flit that its link repeats, or an
  /// ejection.
  bool moved() const { return ejected_in_step_ || hops_in_step_ + controls_in_step_ + resends_in_step_ > 0; }
  /// No packet will ever be created again.
  bool source_exhausted() const;
  /// The source has packets at or after the horizon, which are never created.
  bool source_cut() const { return source_cut_; }
  std::int64_t created_count() const { return record_.created_count(); }

  /// The flits that the ports took before `step`: the next step to run, or a later one with idle steps in between.
  virtual PortFlits port_flits_before(Step /*step*/) const { return {record_.link_load, {}, {}}; }

  /// The events before `step`, which is as above; only if they are counted.
  virtual EventCounts events_before(Step step) const;
  /// The readings that are due at the beginning of step `next`, or were in idle steps before it.
  void read_events(EventReader& reader, Step next) const;

  /// A waiting packet, the out-port that it waits for, and the packets that block it.
  struct Waiting {
    PacketId packet = no_packet;
    NodeId node = no_node;  ///< where it waits
    Port wants = no_port;   ///< an out-port of `port_node()`; no_port: unknown; the local one: its processor
    bool in_memory = false;
    std::int32_t flit = 0;  ///< the first of its flits at that node
    /// Packets that occupy the channels, slots or registers that it needs; one of them has to move on. Empty: no packet
    /// blocks it, or the blockers are not known, as for packets in memories.
    std::vector<PacketId> behind{};
    std::int32_t channel = -1;  ///< virtual channels: of `wants`
    /// If it waits behind another packet in a channel of a link: the node where the link begins, whose out-port `wants`
    /// is. Else no_node.
    NodeId behind_link_of = no_node;

    NodeId port_node() const { return behind_link_of == no_node ? node : behind_link_of; }
  };
  /// Packets that wait in memories, then those in buffers and links, by node, for the explanation of a deadlock or
  /// livelock. The search ends at the node with which `most` packets are reached.
  virtual std::vector<Waiting> waiting(const Algorithm& algorithm, std::size_t most = SIZE_MAX) const = 0;

  // For observers.
  /// The flit that enters a link in the step that ran last, or that holds in its register.
  virtual std::optional<Flit> on_link(NodeId node, Port out) const = 0;
  /// A link that repeats corrupt flits.
  struct LinkReplay {
    bool repeated = false;    ///< the flit that enters it in the step that ran last has entered it before
    std::int32_t places = 0;  ///< that its sender has taken at the end of that step
  };
  virtual LinkReplay replay_of(NodeId /*node*/, Port /*out*/) const { return {}; }
  /// Flits in a buffer of a node at the end of the step that ran last.
  virtual std::int32_t occupancy(NodeId /*node*/, std::int32_t /*buffer*/) const { return 0; }
  /// The flit at position `i` of a buffer from its front, 0 <= i < occupancy.
  /// \throws std::logic_error if the storage model has no buffers.
  virtual Flit stored(NodeId node, std::int32_t buffer, std::int32_t i) const;
  /// Calls `observer` for each flit that enters or leaves a buffer.
  virtual void observe(NodeId /*node*/, std::int32_t /*buffer*/, BufferObserver* /*observer*/) {}
  /// The values of the controller's state fields at the end of the step that ran last.
  virtual void publish(NodeId node, std::uint32_t* values) const { controllers_[node]->publish(values); }

  const Wiring& wiring() const { return wiring_; }

 protected:
  /// \param reach greatest number of steps, beyond the latency of links, for which the engine writes ahead.
  explicit Engine(EngineSetup& setup, std::int32_t reach = 0);

  /// Data that one part writes in a step, beside the state of its nodes and links. No other part writes to it.
  struct alignas(128) Part {
    std::size_t number = 0;
    Partition::Part nodes;
    std::vector<NodeId> order;  ///< permuted evaluation order; empty: id order
    bool ejected = false;
    std::int64_t hops = 0;
    std::int64_t controls = 0;
    std::int64_t resends = 0;
    std::int64_t delivered_packets = 0;
    std::int64_t flits_delivered = 0;
    std::vector<std::int64_t> class_flits_delivered;  ///< [class of traffic]
    std::int64_t activations = 0;
    QueueMaximum queue{};                     ///< of all steps
    Violation violation{};                    ///< the first one
    std::vector<PacketId> delivered{};        ///< in this step; kept while `on_delivered` has a callback
    std::vector<PacketId> corrupted{};        ///< of which a flit enters a link in this step, and is corrupt behind it
    std::vector<PacketId> arrived_corrupt{};  ///< corrupt packets whose last flit is consumed in this step
    std::vector<PacketId> copies{};           ///< flits in this step of packets to several destinations
    std::vector<NodeId> touched{};            ///< in this step, of other parts
    std::vector<TraceRow> rows[std::size(trace_event_names)];
    std::vector<CreditRow> credits{};
    EventCounts* counts = nullptr;  ///< of events that the part has seen; null: events are not counted

    NodeId lane(NodeId node) const { return nodes.lane(node); }
    bool stopped() const { return violation.step != no_step; }
    void stop(const Violation& found) { keep_first(violation, found); }
    void stop(Step step, NodeId node, const std::string& text) { stop({step, node, text}); }
  };
  /// Runs the controller of a node. A part of the controller that breaks its contract is a violation of the node.
  template <class Controller, class View, class Ports>
  [[gnu::always_inline]] inline void run_controller(Part& part, NodeId node, Controller& controller, View& view,
                                                    FrameOf<Ports>& frame) const {
    try {
      controller.step(view);
    } catch (const ContractError& error) {
      part.stop(now_, node, std::string("has a part that broke its contract: ") + error.what());
      frame.unusual = true;
      frame.breach =
          "has a part that broke its contract";  // so that the engine refuses the step; the text above is kept
    }
  }
  /// The parts of an engine. \tparam T derived from Part.
  template <class T>
  std::vector<T> make_parts() {
    std::vector<T> parts(partition_.size());
    for (std::size_t i = 0; i < parts.size(); ++i) set_up(parts[i], i);
    return parts;
  }
  /// Calls `work(part)` for all parts, in parallel if the step has enough work.
  template <class T, class Work>
  void for_each_part(std::vector<T>& parts, Work&& work) {
    if (!parallel_)
      for (T& part : parts) work(part);
    else
      pool_->run([&](int i) {
        work(parts[static_cast<std::size_t>(i)]);
        if (static_cast<std::size_t>(i) + 1 == parts.size()) report_step();
      });
  }
  /// Adds the counts of a part in this step.
  void join(Part& part);

  /// Runs all awake nodes, and joins the parts.
  virtual void run_nodes(Step step, WakeCalendar::Bitmap& awake) = 0;
  /// Called at the beginning of a step, before anything else happens in it, if hardware dies or is repaired during the
  /// run. \param events of this step; `hardware()` is the state after them.
  virtual void act_on_faults(const std::vector<FaultEvent>& /*events*/) {}
  // Then, if routing functions learn of it:
  /// No packet is in the network, not even with its tail in the memory of its processor.
  virtual bool is_empty() const { return false; }
  /// All packets in the network are lost.
  virtual void flush() {}
  /// Heads that begin in this step or later ask the routing functions of this algorithm, which outlives the engine.
  virtual void reroute(const Algorithm& /*algorithm*/) {}
  /// And then: heads that begin in this step and have no choice that is alive are lost.
  virtual void lose_heads() {}
  /// True while processors begin no packet, because the network has to be empty before routing functions change.
  bool is_draining() const { return draining_; }
  /// Packets have stayed in the network while routing functions changed, so that heads may be where these have no path.
  bool may_lack_paths() const {
    return rerouted_ != nullptr && unreachable_->reroutes()->rules().transition == Transition::keep;
  }
  /// Routing functions learn of hardware that dies or is repaired during the run.
  bool learns_of_faults() const { return unreachable_->reroutes() != nullptr; }
  void lose(const Packet& packet, LossCause cause);
  /// A flit vanishes from the network in this step. \param node where it is; on a link, where it entered that
  /// \param port of the link that it was on the way to, with the far node and the channel there; only if links repeat
  /// flits, because one may then wait in front of its link for any time
  void drop(Part& part, PacketId packet, std::int32_t flit, NodeId node, Port port = no_port, NodeId to = no_node,
            std::int32_t channel = -1) {
    ++record_.flits_dropped;
    if (tracing()) row(part, TraceEvent::drop, packet, flit, node, port, to, channel);
  }
  /// A dead processor never sends the packets in its memory.
  void give_up_memory(NodeId node);
  /// Completes the record after the last step.
  virtual void close_record(Step /*last*/) {}

  /// Calls `run(node)` for every awake node of a part, in id order or permuted. Before most of them,
  /// `prepare(soon, sooner)` is called with two nodes that run a little later, to prefetch the data that they read;
  /// `sooner` was `soon` in an earlier call. (`prepare` must be always_inline: compilers remove calls of functions that
  /// only prefetch.)
  template <class Prepare, class Run>
  void for_each_awake(const Part& part, const WakeCalendar::Bitmap& awake, Prepare&& prepare, Run&& run);
  template <class Run>
  void for_each_awake(const Part& part, const WakeCalendar::Bitmap& awake, Run&& run) {
    for_each_awake(
        part, awake, [](NodeId /*soon*/, NodeId /*sooner*/) {}, std::forward<Run>(run));
  }
  /// Takes over the data that other parts have written for nodes of this one: calls `take(mirror, lane)` for each
  /// mirror whose bit in `marks` is set, and sets the bit of the node's own lane instead.
  template <class Take>
  static void take_mirrored(const Part& part, WakeCalendar::Bitmap& marks, Take&& take);
  /// The same for side words that arrive in the step that runs.
  void take_mirrored_words(NodeId mirror, NodeId lane);

  void row(Part& part, TraceEvent event, PacketId packet, std::int32_t flit, NodeId node, Port port = no_port,
           NodeId to = no_node, std::int32_t channel = -1) const {
    part.rows[static_cast<std::size_t>(event)].push_back({now_, event, packet, flit, node, port, to, channel});
  }
  void credit_row(Part& part, NodeId node, Port port, std::int32_t channel) const {
    part.credits.push_back({now_, node, port, channel});
  }
  bool tracing() const { return tracing_; }
  bool tracing_credits() const { return tracing_credits_; }
  bool counting() const { return !counts_.empty(); }
  /// True if `note` has an effect.
  bool noting() const { return noting_; }
  /// Counts an event, if events are counted, and adds its trace row, if there is a sink.
  void note(Part& part, TraceEvent event, PacketId packet, std::int32_t flit, NodeId node, Port port = no_port,
            NodeId to = no_node) const {
    if (counting()) count(*part.counts, event, flit, node, port);
    if (tracing()) row(part, event, packet, flit, node, port, to);
  }
  bool observed() const { return observer_ != nullptr; }
  /// The observer reads what this node shows.
  bool observed(NodeId node) const { return (observed_[static_cast<std::size_t>(node) >> 6] >> (node & 63) & 1) != 0; }
  /// Marks a node whose outgoing links may show another flit in this step; called only while observed. Nodes that run
  /// are marked anyway.
  void touch(Part& part, NodeId node) {
    if (part.nodes.has(node)) mark(touched_, part.lane(node));
    else part.touched.push_back(node);
  }
  /// Also marks it for the next step, in which its links may change although no node runs. The node is in the part.
  void touch_twice(const Part& part, NodeId node) {
    mark(touched_, part.lane(node));
    mark(touch_next_, part.lane(node));
  }
  bool has_intervals() const { return !free_from_.empty(); }
  /// True if the interval of a link has ended in `step`.
  bool link_is_free(std::size_t link, Step step) const { return !has_intervals() || free_from_[link] <= step; }
  /// Begins the interval of a link that takes a flit in `step`; called only if links have intervals.
  void occupy_link(std::size_t link, Step step) { free_from_[link] = step + wiring_.interval[link]; }
  /// Wakes a node of a part in a later step.
  void wake_node(const Part& part, NodeId node, Step step) { calendar_.wake(part.lane(node), now_, step, part.number); }
  /// Adds to a frame the side words that arrived, and the out-ports whose links are in an interval.
  template <class Ports>
  void gather_extras(const Part& part, FrameOf<Ports>& frame);
  /// Carries out the side words of a frame, and begins the intervals of its links.
  template <class Ports>
  void commit_extras(Part& part, const FrameOf<Ports>& frame);
  /// The ports of a node that have a link. \param ends [node, port], of Wiring
  template <class Ports>
  Ports connected_ports(const std::vector<Wiring::End>& ends, NodeId node) const {
    Ports ports{};
    for (Port port = 0; port < wiring_.ports; ++port)
      if (ends[wiring_.index(node, port)].connected()) add_port(ports, port);
    return ports;
  }
  void deliver_flit(Part& part, const Flit& flit, NodeId node);
  void store_flit(Part& part, const Flit& flit, NodeId node);
  /// Notes a flit or control object that crosses a link, and counts control objects.
  void record_hop(Part& part, const Flit& flit, NodeId node, Port port, NodeId to) const {
    if (!is_control(flit.kind)) {
      if (noting()) note(part, TraceEvent::hop, flit.packet, flit.index, node, port, to);
      return;
    }
    ++part.controls;
    if (noting())
      note(part, flit.kind == FlitKind::key ? TraceEvent::key : TraceEvent::token, no_packet, -1, node, port, to);
  }
  /// Packets created in this step.
  const std::vector<Packet>& created() const { return created_; }
  std::vector<Waiting> waiting_in_memories(const Algorithm& algorithm, std::size_t most) const;

  const NetworkGraph graph_;
  const Grid* const grid_;  ///< null if the network is not a grid
  const Declaration declaration_;
  const Wiring wiring_;
  std::vector<Controller*> controllers_;
  const std::uint64_t seed_;
  const bool count_memory_;
  const std::uint64_t shuffle_;
  const bool wake_all_;
  const Partition partition_;

  SourceMemory memory_;
  std::vector<std::int32_t> fresh_;  ///< [node] packets created there in this step
  WakeCalendar calendar_;
  RunRecord record_;
  Step now_ = 0;   ///< the step that runs
  Step next_ = 0;  ///< the first step not run yet

 private:
  void set_up(Part& part, std::size_t number);
  void choose_records();
  void count(EventCounts& counts, TraceEvent event, std::int32_t flit, NodeId node, Port port) const;
  void create_packets(Step step);
  void add_packet(Packet& packet);
  void list_packet(Packet& packet);
  void list_record(const Packet& packet);
  std::int32_t copies_of(const Packet& packet) const;
  void deliver_copy(PacketId packet);
  int subnet_of(const Packet& packet) const;
  std::optional<LossCause> cause_of_loss(const Packet& packet) const;
  void change_hardware();
  void change_routing(const std::vector<FaultEvent>& events, bool was_empty);
  void lose_unreachable();
  /// The step in which hardware or routing functions change next, if it is not later than `next`; no_step: none do, or
  /// it is not known. \param next no_step: cables that fail at random do not count
  Step next_change(Step next) const { return hardware_ ? next_change_of_hardware(next) : no_step; }
  Step next_change_of_hardware(Step next) const;
  void stop_at_switch(const Packet& packet, NodeId node);
  void fill_pending();
  void flush_rows();
  void flush_credits();
  static void mark(WakeCalendar::Bitmap& bits, NodeId lane) {
    bits[static_cast<std::size_t>(lane) >> 6] |= std::uint64_t{1} << (lane & 63);
  }
  void touch_running(const Part& part, const WakeCalendar::Bitmap& running);
  void show(Step from, Step to);
  void show_idle_steps(Step until);

  /// A step as the step sink receives it.
  struct StepReport {
    std::vector<Packet> created;
    std::vector<CreditRow> credits;
    std::vector<TraceRow> rows;
    bool empty() const { return created.empty() && credits.empty() && rows.empty(); }
    void clear() {
      created.clear();
      credits.clear();
      rows.clear();
    }
  };

  struct Words {  ///< side wires of one direction; a word written in step t is read once, in step t + latency
    std::vector<std::uint32_t> word;  ///< [phase][node * ports + port]
    std::vector<PortMask> arrived;    ///< [phase][lane]
    std::vector<char> any;            ///< [part * stride + phase] 1 if the part has written a word
    std::size_t stride = 0;           ///< chosen so that two parts share no cache line
    bool any_in(std::size_t phase) const {
      for (std::size_t at = phase; at < any.size(); at += stride)
        if (any[at] != 0) return true;
      return false;
    }
  };
  void write_word(const Part& part, Words& words, const Wiring::End& to, Step step, std::uint32_t word);
  PortMask read_words(const Part& part, Words& words, NodeId node, const std::uint32_t*& base);

  PacketSource* source_ = nullptr;
  bool source_cut_ = false;
  Step horizon_ = no_step;
  Step generated_until_ = 0;
  std::vector<Packet> pending_;  ///< generated, not created yet; valid from pending_at_ on
  std::size_t pending_at_ = 0;
  std::vector<Packet> outside_;
  std::vector<Packet> created_;  ///< in this step
  std::function<void(const std::vector<Packet>&)> on_created_;
  std::function<void(PacketId)> on_delivered_;
  std::set<PacketId> corrupt_;              ///< packets in the network with a corrupt flit
  std::vector<std::int32_t> flits_left_;    ///< [packet - first] not yet delivered
  std::vector<std::int32_t> flits_stored_;  ///< [packet - first] taken into a foreign memory so far; may be shorter
  bool long_packets_ = false;               ///< packets of several flits were created
  std::vector<TraceSink*> sinks_;
  std::vector<CreditSink*> credit_sinks_;
  StepSink* const step_sink_;
  std::vector<EventCounts> counts_;  ///< [part]; empty: events are not counted
  bool tracing_ = false, tracing_credits_ = false, noting_ = false;
  const Unreachable* const unreachable_;
  const Unreachable* known_;                        ///< the same since routing functions changed last
  std::optional<LivingHardware> hardware_;          ///< empty: it does not change
  mutable std::optional<FaultTimeline> timeline_;   ///< of it; more and more becomes known
  std::size_t next_event_ = 0;                      ///< of the timeline
  std::shared_ptr<const RerouteKnowledge> due_;     ///< the next change of routing functions; null: none is due
  std::shared_ptr<const RerouteKnowledge> latest_;  ///< the last change; null: there was none
  const Algorithm* rerouted_ = nullptr;
  std::exception_ptr failure_;
  bool draining_ = false;
  StepReport report_;          ///< of the step that runs; kept while there is a step sink
  StepReport pending_report_;  ///< of the step before
  StepObserver* observer_ = nullptr;
  WakeCalendar::Bitmap observed_;    ///< nodes that the observer reads
  WakeCalendar::Bitmap touched_;     ///< lanes, in the step that runs; kept while observed
  WakeCalendar::Bitmap touch_next_;  ///< lanes to be touched in the next step, too; kept while observed
  WakeCalendar::Bitmap touched_nodes_;
  std::vector<Step>
      free_from_;  ///< [node, out-port] the first step in which the link takes a flit; empty: no link has an interval
  std::unique_ptr<ThreadPool> pool_;  ///< null if there is one part
  bool parallel_ = false;             ///< parts run in parallel in this step
  bool ejected_in_step_ = false;
  std::int64_t hops_in_step_ = 0;
  std::int64_t controls_in_step_ = 0;
  std::int64_t resends_in_step_ = 0;
  std::vector<TraceRow> rows_[std::size(trace_event_names)];
  std::vector<TraceRow> sorted_;
  std::vector<CreditRow> credits_;
  Words reverse_, forward_;
  Violation violation_;
};

template <class Prepare, class Run>
void Engine::for_each_awake(const Part& part, const WakeCalendar::Bitmap& awake, Prepare&& prepare, Run&& run) {
  if (observed()) touch_running(part, awake);
  const std::size_t first = part.nodes.first_word(), last = part.nodes.last_word();
  if (wake_all_ || !part.order.empty()) {
    const auto is_awake = [&](NodeId node) {
      const auto lane = static_cast<std::size_t>(part.lane(node));
      return wake_all_ || (awake[lane >> 6] >> (lane & 63) & 1) != 0;
    };
    for (NodeId node = part.nodes.first; node < part.nodes.last; ++node) {
      const NodeId next = part.order.empty() ? node : part.order[static_cast<std::size_t>(node - part.nodes.first)];
      if (is_awake(next)) run(next);
    }
    return;
  }
  constexpr std::size_t ahead = 4, enough = 32;
  NodeId ids[enough + 64 + ahead];
  std::size_t count = 0;
  const auto run_up_to = [&](std::size_t end) {
    for (std::size_t i = 0; i < end; ++i) {
      prepare(ids[i + ahead], ids[i + ahead / 2]);
      run(ids[i]);
    }
    std::copy(ids + end, ids + count, ids);
    count -= end;
  };
  for (std::size_t w = first; w < last; ++w) {
    for (std::uint64_t bits = awake[w]; bits != 0; bits &= bits - 1)
      ids[count++] = static_cast<NodeId>(64 * w + static_cast<std::size_t>(__builtin_ctzll(bits))) - part.nodes.shift;
    if (count > enough) run_up_to(count - ahead);
  }
  if (count == 0) return;
  std::fill_n(ids + count, ahead, ids[count - 1]);
  run_up_to(count);
}

template <class Take>
void Engine::take_mirrored(const Part& part, WakeCalendar::Bitmap& marks, Take&& take) {
  for (const Partition::Mirrors& mirrors : part.nodes.mirrored)
    for (std::size_t w = 0; w < mirrors.words(); ++w)
      for (std::uint64_t bits = std::exchange(marks[mirrors.first_word + w], 0); bits != 0; bits &= bits - 1) {
        const std::size_t i = 64 * w + static_cast<std::size_t>(__builtin_ctzll(bits));
        const NodeId lane = part.lane(mirrors.nodes[i]);
        take(static_cast<NodeId>(64 * mirrors.first_word + i), lane);
        marks[static_cast<std::size_t>(lane) >> 6] |= std::uint64_t{1} << (lane & 63);
      }
}

}  // namespace starloom::links
