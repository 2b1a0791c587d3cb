// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The step of the virtual-channels model: buffers, links, credits and the local port of every router.
#include <limits>
#include <memory>

#include <starloom/engines/engine.hpp>
#include <starloom/router/channel_controller.hpp>
#include <starloom/router/credits.hpp>

namespace starloom::links {

/// A flit that passes the switch is written at once where it will be read: into its place in the ring behind its
/// link. The place is its own, for a credit stands for it; that it is there is told by a bit in the mask of the step
/// in which it becomes readable. Credits come back as bits, too, counted at the beginning of a step, and wake a node
/// only if it holds something. So between the switch of one router and that of the next a flit is touched twice.
template <int words>
class RouterEngine final : public Engine {
 public:
  explicit RouterEngine(EngineSetup& setup);

  std::vector<Waiting> waiting(const Algorithm& algorithm, std::size_t most) const override;
  std::optional<Flit> on_link(NodeId node, Port out) const override;
  std::int32_t occupancy(NodeId node, std::int32_t buffer) const override {
    return inputs_[channel_of(node, buffer)].flits;
  }
  Flit stored(NodeId node, std::int32_t buffer, std::int32_t i) const override;
  void observe(NodeId node, std::int32_t buffer, BufferObserver* observer) override;
  void publish(NodeId node, std::uint32_t* values) const override;
  PortFlits port_flits_before(Step step) const override;
  void measure(Step from, Step to) override {
    measured_from_ = from;
    measured_to_ = to;
  }
  void forget_before(PacketId first) override;

 private:
  using Set = router::ChannelSet<words>;
  using RingFlit = router::RingFlit;
  using Credits = router::Credits<words>;
  using FarPort = router::FarPort;
  /// The other end of a link that leaves.
  struct Downstream : FarPort {
    LinkId link = -1;
    /// From the first place of a channel among the node's here to its ring there, among all.
    std::int64_t ring_shift = 0;
    /// That passed the switch, or left the terminal, towards the link; of the local out-port, towards the processor.
    std::int64_t flits = 0;
  };
  struct alignas(64) NodeState {
    router::ChannelTable<words> table;
    Set source_credits{};  ///< channels of the local in-port with room
    ChannelController<words>* controller = nullptr;
    RingFlit* rings = nullptr;          ///< [channel, place]
    Downstream* downstream = nullptr;   ///< [out-place]
    const FarPort* upstream = nullptr;  ///< [in-place]
    std::int32_t packets = 0;           ///< that have a flit in a buffer, over all buffers of the node
    std::int32_t injecting = 0;         ///< channel of the local in-port that takes the packet that leaves the memory
    std::int64_t injected = 0;          ///< flits that the local in-port has taken, or the link of a terminal
  };
  /// What the processor knows of a channel of its local in-port.
  struct SourceChannel {
    std::uint16_t credits = 0;
    std::uint16_t back = 0;  ///< place for the next flit
  };
  /// A flit on its way from the switch to a link.
  struct Crossing {
    NodeId node;
    int out;
    RingFlit flit;
  };
  struct Ejection {
    NodeId node;
    RingFlit flit;
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

    Arrivals* arrived = nullptr;  ///< [place]
    std::int64_t hops = 0;        ///< flits that enter a link
    std::vector<Ejection> ejections;
    std::vector<Crossing> crossings;       ///< while somebody looks
    std::vector<CreditWord> credit_words;  ///< that are on side wires, while somebody looks
  };
  struct RouterPart : Part {
    std::vector<PendingEvents> pending;          ///< [phase]
    std::vector<PendingEvents*> pending_twice;   ///< [phase], twice in a row
    PendingEvents* const* pending_in = nullptr;  ///< [steps from the one that runs]
    bool noted = false;        ///< somebody wants to know of every flit that passes the switch of the node that runs
    std::int64_t crossed = 0;  ///< flits that passed a switch to a link in the step that runs
    ChannelFrame<words> frame;

    /// What becomes true some steps after the one that runs.
    PendingEvents& ahead(int steps) const { return *pending_in[static_cast<std::size_t>(steps)]; }
  };

  void run_nodes(Step step, WakeCalendar::Bitmap& awake) override;
  void run_part(RouterPart& part, WakeCalendar::Bitmap& awake);
  void close_record(Step last) override;

  /// What is measured begins or ends before `step`, in which nothing has happened yet.
  void measure_until(Step step);
  void end_measuring(Step to);
  std::vector<std::int64_t> flits_entered_before(Step step) const;

  void make_room();
  void show_links(Part& part, PendingEvents& pending);
  void eject(Part& part, PendingEvents& pending);
  void count_credits(RouterPart& part, WakeCalendar::Bitmap& awake);
  /// \tparam plain nobody looks at the node, no link rests, and there are no terminals.
  template <bool plain>
  void run_node(RouterPart& part, NodeId node);
  std::int64_t packets_in_buffers(NodeId node) const;
  template <bool plain>
  void take_arrivals(NodeId node, NodeState& state, const Arrivals& arrived);
  std::uint64_t stalled_ports(NodeId node) const;
  void withhold_link_of_terminal(RouterPart& part, NodeId node);
  template <bool plain>
  [[gnu::always_inline]] void carry_out(RouterPart& part, NodeId node, NodeState& state);
  template <bool plain>
  [[gnu::always_inline]] void pass(RouterPart& part, NodeId node, NodeState& state, int in);
  void note_pass(RouterPart& part, NodeId node, int in, int out, const RingFlit& flit);
  void pass_to_terminal(RouterPart& part, NodeId node, int out, const Downstream& to, const RingFlit& flit);
  const char* inject(RouterPart& part, NodeId node, NodeState& state, int channel);
  void cross_from_terminal(RouterPart& part, NodeId node, Downstream& to, int out, RingFlit& flit);
  /// Counts a link that a flit crosses. A full counter is added to the record at once. Several threads may do so,
  /// because a flit is in one place only.
  void count_hop(RingFlit& flit) {
    if (flit.cross()) count_hops_beyond(flit);
  }
  [[gnu::cold, gnu::noinline]] void count_hops_beyond(const RingFlit& flit) {
    if (flit.index == 0) record_.hops[record_.at(flit.packet)] += RingFlit::most_hops + 1;
  }
  void note_draw(const RouterPart& part, PacketId packet);
  std::uint32_t drawn_by(PacketId packet) const {
    return record_.at(packet) < random_choices_.size() ? random_choices_[record_.at(packet)] : 0;
  }
  /// The link out of a terminal; null for a node with a router.
  Downstream* link_of_terminal(NodeId node) const {
    const int port_index = terminal_index_[static_cast<std::size_t>(node)];
    return port_index < 0 ? nullptr : &nodes_[static_cast<std::size_t>(node)].downstream[port_index];
  }
  void refuse(Part& part, NodeId node, const char* rule) const { part.stop(now_, node, rule); }
  /// Of a packet that is not the first one in an input channel.
  void wait_behind_front(NodeId node, int in, Waiting& waiting) const;
  void find_holders(NodeId node, int in, const Algorithm& algorithm, Waiting& waiting) const;
  PacketId packet_in(NodeId node, int in) const;

  std::size_t first_channel(NodeId node) const { return static_cast<std::size_t>(node) * size_; }
  std::size_t channel_of(NodeId node, std::int32_t buffer) const {
    return first_channel(node) +
           static_cast<std::size_t>(shape_.channel(buffer / shape_.channels, buffer % shape_.channels));
  }
  std::size_t first_slot(NodeId node, int in) const {
    return (first_channel(node) + static_cast<std::size_t>(in)) * static_cast<std::size_t>(capacity_);
  }
  /// The flit at place `i` from the front of a channel, numbered over all nodes.
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
  /// The nodes there.
  NodeId downstream_node(NodeId node, int port_index) const {
    return wiring_.out[wiring_.index(node, shape_.ports[static_cast<std::size_t>(port_index)])].node;
  }
  NodeId upstream_node(NodeId node, int port_index) const {
    return wiring_.in[wiring_.index(node, shape_.ports[static_cast<std::size_t>(port_index)])].node;
  }
  bool holds(NodeId node, const NodeState& state) const {
    return !state.table.occupied().empty() || memory_.packets(node) != 0;
  }
  /// Somebody looks at what is on the links and side wires of all nodes.
  bool watched() const { return tracing() || tracing_credits(); }
  /// Somebody looks at those of this one.
  bool watched(NodeId node) const { return watched() || (observed() && observed(node)); }

  const router::RouterShape shape_;
  const std::size_t size_;        ///< channels of a node
  const std::size_t port_count_;  ///< ports of a node, the local one included
  const int local_;               ///< the place of that one
  const int capacity_;            ///< flits of a ring
  const int credit_extra_;
  const std::uint64_t stall_threshold_;
  const bool stalls_;  ///< by chance, or because links have intervals
  std::vector<NodeState> nodes_;
  std::vector<router::InputChannel> inputs_;    ///< [node, channel]
  std::vector<router::OutputChannel> outputs_;  ///< [node, channel]
  std::vector<SourceChannel> sources_;          ///< [node, channel of the local in-port]
  std::vector<RingFlit> rings_;                 ///< [node, channel, place]
  std::vector<std::int8_t> terminal_index_;     ///< [node] out-place of a terminal's link; -1: a node with a router
  bool has_terminals_ = false;
  std::vector<std::uint32_t> random_choices_;   ///< [packet - first] what it drew; shorter where those behind drew 0
  std::vector<Downstream> downstream_;          ///< [node, out-place]
  std::vector<FarPort> upstream_;               ///< [node, in-place]
  std::vector<Arrivals> arrived_;               ///< [phase][place]
  std::vector<Credits> credits_;                ///< [phase][place]
  std::vector<WakeCalendar::Bitmap> credited_;  ///< [phase] places that get one
  std::vector<BufferObserver*> observers_;      ///< [node, channel]; empty until somebody observes
  /// The last flit that passed the switch to an out-port, in steps of one parity.
  struct Passed {
    Step step = no_step;
    PacketId packet = no_packet;
  };
  std::vector<Passed> passed_[2];  ///< [step modulo 2][node, out-place] while somebody looks
  struct Shown {
    Step step = no_step;
    RingFlit flit{};
  };
  std::vector<Shown> shown_;  ///< [node * ports + out-port] what entered the link last, while observed
  Step measured_from_ = 0, measured_to_ = no_step;
  bool measuring_ = false;
  std::vector<RouterPart> parts_;
};

}  // namespace starloom::links
