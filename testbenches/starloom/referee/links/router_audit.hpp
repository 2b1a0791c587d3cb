// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Rules of routers with virtual channels, in addition to those of all buffers: channels, times, credits.
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/core/most_steps.hpp>
#include <starloom/core/queue.hpp>
#include <starloom/referee/links/check_context.hpp>
#include <starloom/referee/links/purge_audit.hpp>
#include <starloom/referee/links/retry_audit.hpp>
#include <starloom/referee/links/retry_purge_audit.hpp>

namespace starloom::links {

/// Follows every flit from buffer to buffer: those behind links, and those of the local in-ports. Rows are well
/// formed, and satisfy the rules of virtual channels. A broken rule is thrown as a Breach:
/// - a channel carries a packet from head to tail, and flits leave a buffer in the order in which they entered it;
/// - with classes of traffic, packets stay in the channels of their class, and those of a class leave their processor
///   in the order of their numbers;
/// - a flit takes the time of the pipeline from the step in which it is readable to the step in which it enters a link
///   or is consumed;
/// - a buffer never has more flits than slots, nor do all buffers of an in-port have more than the places that they
///   share. A flit counts until it enters the next link; its slot is free then, but no other flit can be readable in
///   it yet. With FIFOs it counts until its credit is returned;
/// - a flit of a packet to several destinations leaves through the ports of its tree one by one; its slot is free, and
///   its credit returned, when it has left through all of them;
/// - with flow control of packets, a head enters a buffer only if that has as much room as RouterRules::needed_slots
///   returns, by the credits that its sender had when it allocated the channel;
/// - every credit belongs to one flit that enters a link a crossbar time after it, or is consumed one step later, and
///   every such flit has one; no flit is sent without an available credit;
/// - with FIFOs behind the switch, a flit enters its link as soon as it has crossed the crossbar and the flits before
///   it have left; no flit passes the switch to a full FIFO;
/// - with several rounds in a step, an in-port returns one credit word in each step until the credits of all flits that
///   have left are back; as a word may be late, the step in which a flit has left is then known only within limits;
/// - if processors limit requests, a flit waits between the switch and its processor, where each channel has as many
///   slots as a buffer;
/// - a terminal (NetworkGraph::is_terminal) has no router and no buffers: a flit that it injects in a step crosses its
///   link in the next one, into the channel that it was injected for; a flit that arrives is consumed when it becomes
///   readable, and the credits of the channels towards the terminal are available two steps later;
/// - a flit that vanishes gives back its place (PurgeAudit, RetryPurgeAudit); with the repair of a link, the places
///   behind it are taken by the flits that are there;
/// - with links that repeat corrupt flits (RetryAudit), a flit is readable when a receiver has accepted it;
/// - a node acts at edges of its clock only, and all its times are in cycles of it. Flits are read from a link
///   between two clocks one per edge of the receiver, behind its synchroniser; credits are available at edges of the
///   sender. No flit is sent to a FIFO between clocks that is full, as far as the sender can know.
class RouterAudit {
 public:
  /// Checks `context.rules().router`, which is given.
  explicit RouterAudit(const CheckContext& context);

  void credits(const std::vector<CreditRow>& of_one_step);
  void inject(const TraceRow& row);
  /// For a `hop`, or a `resend` of a flit with a `hop` before. \return true if its receiver accepts the flit.
  bool cross(const TraceRow& row, LinkId link) {
    hops_.push_back({row, link, retries_ ? retries_->cross(row, link) : RetryAudit::Crossing{}});
    return hops_.back().crossing.accepted;
  }
  /// \return true if `cross` has returned that the flit was accepted, which the row refutes.
  bool discard(const TraceRow& row);
  void consume(const TraceRow& row);
  void begin_step(Step step) {
    if (retries_) retries_->begin_step(step);
    if (retry_purges_) retry_purges_->begin_step(step);
  }
  void end_step();

  // Hardware that dies and is repaired:
  /// At the beginning of a step, before its credits and rows.
  void change(const FaultEvent& event);
  /// True if a flit that vanishes, or its packet, may use hardware that dies in the step. Called before `drop`.
  bool uses(const TraceRow& row, const std::vector<FaultEvent>& deaths) const;
  /// The same of a packet with no flit in the network whose tail has not been injected.
  bool uses(PacketId packet, const std::vector<FaultEvent>& deaths) const;
  /// True if the row of a flit that vanishes refutes that the flit is accepted in this step. Called before `drop`.
  bool refutes(const TraceRow& row);
  /// Called for all flits that vanish in a step, before its other rows.
  void drop(const TraceRow& row);
  /// No flit is on a link, or in a router, that has died.
  void check_death(const FaultEvent& death);
  std::optional<std::int64_t> nacks() const { return retries_ ? retries_->nacks() : 0; }
  /// Called after all rows up to `last`.
  void finish(Step last);

 private:
  struct Entry {
    PacketId packet;
    std::int32_t flit;
    Step readable;
    Step at_front;  ///< it is at the front of its buffer from this step on, at the earliest
    Step credited = no_step;
    std::uint64_t copies = 0;  ///< ports through which it has still to leave, if its packet has several destinations
    Step behind_vanished = -most_steps;  ///< from this step on at the front, because flits before it have vanished
  };
  struct Buffer {
    Queue<Entry> flits;
    PacketId open = no_packet;     ///< the packet whose tail is still missing
    std::int64_t spent = 0;        ///< credits, by its sender
    Queue<Step> returning;         ///< steps from which spent credits can be used again
    Step left = -most_steps;       ///< in which the last flit left it
    Step may_leave = -most_steps;  ///< the last flit that entered it, at the earliest
    std::int64_t owed = 0;         ///< flits that have left without a credit so far; only with several rounds in a step
  };
  /// A flit between a terminal and its link, in either direction.
  struct InTransit {
    PacketId packet;
    std::int32_t flit;
    std::int32_t channel;
    Step step;  ///< in which it crosses, or is consumed
  };
  struct Hop {
    TraceRow row;
    LinkId link;
    RetryAudit::Crossing crossing;
  };
  struct Worm {
    /// buffers of the head; the first one is `none` for a packet injected at a terminal
    std::vector<std::size_t> path;
    std::vector<std::size_t> at;                ///< [flit] index on the path
    std::map<NodeId, std::size_t> buffer_in{};  ///< instead of both, if the packet has several destinations
    std::size_t ends_left = 1;                  ///< destinations that have not consumed its tail
  };

  std::size_t behind(LinkId link) const { return static_cast<std::size_t>(link); }
  std::size_t local(NodeId node) const { return context_.link_slots() + static_cast<std::size_t>(node); }
  std::size_t buffer_of(const TraceRow& row, std::size_t location) const;
  /// The sum of `of_buffer` over the channels of the in-port of a buffer.
  template <class OfBuffer>
  std::int64_t sum_of_port(std::size_t buffer, const OfBuffer& of_buffer) const {
    const auto channels = static_cast<std::size_t>(context_.rules().channels);
    const std::size_t first = buffer / channels * channels;
    std::int64_t sum = 0;
    for (std::size_t other = first; other < first + channels; ++other) sum += of_buffer(buffers_[other]);
    return sum;
  }
  std::string name(std::size_t buffer) const;
  /// The node with the buffers of a link, or of a local in-port.
  NodeId node_at(std::size_t location) const;
  NodeId node_of(std::size_t buffer) const {
    return node_at(buffer / static_cast<std::size_t>(context_.rules().channels));
  }
  std::int32_t capacity_of(std::size_t buffer) const {
    const std::int32_t all = context_.rules().capacity_at(node_of(buffer));
    return dead_places_.empty() ? all : all - dead_places_[buffer];
  }
  bool waits_for_processor(PacketId packet, NodeId node) const {
    return context_.rules().limits_requests() && context_.packet(packet).destination == node;
  }
  bool is_terminal(NodeId node) const { return terminals_[static_cast<std::size_t>(node)]; }
  void cross(const Hop& hop);
  Step leave_terminal(const Hop& hop);
  void enter_terminal(const TraceRow& row, std::size_t buffer, Step arrival, LinkId link);
  void check_queue(const TraceRow& row);
  void open_channel(const TraceRow& row, std::size_t buffer);
  void spend_credit(const TraceRow& row, std::size_t buffer, Step sent);
  void take_place(const TraceRow& row, std::size_t buffer, Step sent);
  void check_room(const TraceRow& row, std::size_t buffer, std::int32_t needed, Step allocated) const;
  Port in_port_of(LinkId link) const {
    return context_.graph().far_end(context_.near_end(link), link % context_.graph().ports()).port;
  }
  void check_slots(const TraceRow& row, std::size_t buffer) const;
  void enter(const TraceRow& row, std::size_t buffer, Step readable);
  /// A flit that has passed the switch to an out-port: when it left its buffer, and its row.
  struct Passed {
    Step left, step;
  };
  // A flit that leaves its buffer in t enters its link in t + X + 1, with a crossbar of X steps, or is consumed in
  // t + X + 2.
  static constexpr Step link_register = 1, exit_register = 2;
  struct Left {
    Step step;
    bool is_known = true;
  };
  Left leave(const TraceRow& row, std::size_t out_port, Step after_switch);
  Step leave_as_copy(const TraceRow& row, std::size_t out_port, Step after_switch);
  std::size_t buffer_before(const TraceRow& row, const Worm& worm) const {
    return worm.buffer_in.empty() ? worm.path.back() : worm.buffer_in.at(row.node);
  }
  void follow_head(const TraceRow& row, std::size_t buffer, Worm& worm) const;
  void check_way_of_head(const TraceRow& row, std::size_t of_head, std::size_t buffer) const;
  /// The tree of a packet to several destinations; null: it has one.
  const MulticastTree* tree_of(PacketId packet) const {
    const NodeId destination = context_.packet(packet).destination;
    return is_group(destination) ? &(*context_.rules().trees)[group_index(destination)] : nullptr;
  }
  const RouterRules::Stages& stages(NodeId node) const { return rules_.stages_at(node); }
  const RouterRules::Stages& stages_behind(std::size_t buffer) const { return stages(node_of(buffer)); }
  /// Steps from leaving a buffer to the row of a flit; at least, if it waits.
  Step to_link(NodeId node) const {
    return cycle(node) * (rules_.rounds > 1 ? link_register : stages(node).crossbar_steps + link_register);
  }
  Step to_processor(NodeId node) const { return to_link(node) + cycle(node) * (exit_register - link_register); }
  /// Steps of a cycle of the clock of a node.
  Step cycle(NodeId node) const { return context_.graph().period(node); }
  ClockCrossing crossing(LinkId link) const {
    return context_.graph().crossing(context_.near_end(link), link % context_.graph().ports());
  }
  void require_edge(const TraceRow& row) const;
  Step read_link(const TraceRow& row, LinkId link, Step sent);
  Step room_on_link(LinkId link, Step from) const;
  Step longest_turn() const;
  Step credit_of_terminal(LinkId link, Step arrival) const;
  Step at_sender(LinkId link, Step arrival) const;
  /// Least cycles from the front of a buffer to leaving it, both included.
  Step stay(std::size_t buffer, std::int32_t flit) const {
    return flit == 0 ? stages_behind(buffer).head_steps : stages_behind(buffer).flit_steps;
  }
  Step steps_of(Step rounds) const { return (rounds + rules_.rounds - 1) / rules_.rounds; }
  void take_credit(const TraceRow& row, std::size_t buffer, Entry& entry, Step left);
  bool is_in_doubt(std::size_t buffer) const { return retry_purges_ && retry_purges_->is_in_doubt(buffer); }
  std::int64_t most_gone(std::size_t buffer) const { return retry_purges_ ? retry_purges_->most_gone(buffer) : 0; }
  void vanish(const TraceRow& row, const Worm& worm, Queue<Entry>::iterator entry);
  void remove(std::size_t buffer, Queue<Entry>::iterator entry, Step free_from);
  void refute(const TraceRow& row);
  void settle(Step now);
  void consume_arriving(const TraceRow& row);
  void consume_waiting(const TraceRow& row);
  void wait_at_exit(const CreditRow& row);
  void leave_early(const CreditRow& row, std::size_t buffer, const Entry& flit);
  void owe_credit(const TraceRow& row, std::size_t buffer);
  void check_fifo(const TraceRow& row, std::size_t out_port, Step left, Step after_switch);
  bool is_tail(const TraceRow& row) const { return row.flit + 1 == context_.packet(row.packet).flits; }

  const CheckContext& context_;
  const RouterRules rules_;
  /// flits may wait behind the switch: in FIFOs, in replay buffers, or for their processor
  const bool waits_;
  std::vector<std::int64_t> at_exit_;  ///< [node] flits that have left buffers and not been consumed, if they may wait
  std::vector<Buffer> buffers_;        ///< [link or local in-port][channel]
  std::map<PacketId, Worm> worms_;
  std::vector<std::int32_t> dead_places_;        ///< [buffer]; empty: none
  std::vector<bool> terminals_;                  ///< [node]
  std::map<NodeId, Queue<InTransit>> leaving_;   ///< by terminal: injected, not yet on the link
  std::map<NodeId, Queue<InTransit>> arriving_;  ///< by terminal: flits on their way to it
  std::vector<Hop> hops_;                        ///< of the step
  std::vector<Queue<Passed>> passed_;            ///< [link or local out-port] flits in the FIFO; only with one
  std::vector<Step> last_word_;                  ///< [link or local in-port] step of its last credit
  std::vector<PacketId> last_head_;              ///< [node, class] that left the processor
  CreditRow last_credit_{no_step, no_node, no_port, -1};
  // If hardware dies during the run, one of these:
  std::optional<PurgeAudit> purges_;
  std::optional<RetryPurgeAudit> retry_purges_;
  std::optional<RetryAudit> retries_;        ///< if links repeat corrupt flits
  std::vector<PacketId> vanished_{};         ///< in this step
  std::map<std::size_t, Step> last_left_{};  ///< by link or local in-port: the last flit that left; only with `purges_`
  std::map<LinkId, Queue<Step>> read_;       ///< steps in which the last flits of a link are readable; only with clocks
};

}  // namespace starloom::links
