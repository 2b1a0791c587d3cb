// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The referee: replays the rows of links and checks the physical rules. It does not depend on fabric and
/// controllers; it links core and topology only.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <starloom/core/links/losses.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/core/multicast.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/core/violation.hpp>
#include <starloom/topology/link_errors.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/topology/rerouting.hpp>

namespace starloom::links {

/// Rules of routers with virtual channels, in addition to those of their buffers (docs/algorithms/vc-wormhole.md).
struct RouterRules {
  /// Of one router.
  struct Stages {
    /// least number of steps in a buffer, from readable to leaving, both included
    std::int32_t head_steps = 1;
    std::int32_t flit_steps = 1;      ///< the same of flits that are not heads; also between two flits of a buffer
    std::int32_t crossbar_steps = 1;  ///< from leaving the buffer to the register in front of the link
  };
  Stages stages{};
  std::vector<Stages> stages_of_nodes{};  ///< [node of one subnet] instead of `stages`; empty: all routers are alike
  std::int32_t credit_extra = 0;          ///< additional steps of a credit beyond side wire and link
  bool waits_for_tail_credit = false;     ///< a head enters a channel only if all credits of the packet before are back
  /// channel allocation ends at least this number of steps before the switch is requested
  std::int32_t allocated_before = 0;
  bool whole_packets = false;  ///< cut-through: a head enters a buffer only if that has room for its packet
  bool whole_copies = false;   ///< the same of packets to several destinations
  /// bubble: a head enters a buffer of its ring only if that has room for the longest packet, and that of another ring
  /// only if it has room for two of them; 0: no bubbles
  std::int32_t longest = 0;
  std::vector<std::int32_t> rings{};  ///< bubble: [port] the ring of its link among those of the node
  std::int32_t places = 0;            ///< that the channels of an in-port share; 0: none
  std::int32_t own_places = 1;        ///< of them, those that only one channel may take
  /// a channel has at most `places` divided by the number of channels of its in-port that carry a packet
  bool divides_places = false;
  bool credits = true;              ///< the rows of credits are given, too
  std::int32_t rounds = 1;          ///< of the router in a step; if there are several, the steps of stages are rounds
  std::int32_t in_port_flits = 1;   ///< that may leave an in-port in a round, of channels that differ modulo this
  std::int32_t out_port_flits = 1;  ///< that may pass the switch to an out-port in a round
  bool has_fifo = false;            ///< behind the switch, flits wait for their link in a FIFO
  std::int32_t fifo = 0;            ///< flits in it with which none passes the switch; 0: no limit

  const Stages& stages_at(NodeId node) const {
    return stages_of_nodes.empty() ? stages : stages_of_nodes[static_cast<std::size_t>(node) % stages_of_nodes.size()];
  }
  /// Slots that a head needs in the buffer behind a link.
  /// \param in, out ports of its node; the number of a local one is that of the ports of links.
  std::int32_t needed_slots(Port in, Port out, std::int32_t flits) const {
    if (whole_packets) return flits;
    if (longest == 0) return 1;
    const bool goes_on = static_cast<std::size_t>(in) < rings.size() &&
                         rings[static_cast<std::size_t>(in)] == rings[static_cast<std::size_t>(out)];
    return goes_on ? longest : 2 * longest;
  }
};

/// The rules of pipelines. \tparam Pipelines router::Pipelines, which the referee itself does not include.
template <class Pipelines>
RouterRules router_rules(const Pipelines& pipelines) {
  RouterRules rules;
  const auto& pipeline = pipelines.common;
  const auto stages_of = [](const auto& of_router) {
    return RouterRules::Stages{of_router.head_rounds(), of_router.flit_steps(), of_router.crossbar_steps};
  };
  rules.stages = stages_of(pipeline);
  for (const auto& of_node : pipelines.of_nodes) rules.stages_of_nodes.push_back(stages_of(of_node));
  rules.rounds = pipeline.speedup.internal;
  rules.in_port_flits = pipeline.speedup.input;
  rules.out_port_flits = pipeline.speedup.output;
  rules.has_fifo = pipeline.speedup.has_fifo();
  rules.fifo = pipeline.speedup.fifo;
  rules.allocated_before = pipeline.speculative || rules.rounds > 1 ? 0 : 1;
  return rules;
}

/// The rules that a run declared.
struct RefereeRules {
  enum class Storage { store_and_forward, virtual_channels, links_only, never_standing };
  Storage storage = Storage::store_and_forward;
  std::int32_t bound = 0;  ///< store-and-forward: greatest number of packets that stay in a node, 0 = no bound
  std::vector<std::int32_t>
      /// store-and-forward: this bound for each node, where 0 means that none stays; empty: `bound` for all
      residents{};
  std::int32_t channels = 1;  ///< virtual-channels: channels per link, at most
  /// with `router`: [node of one subnet] those of its in-ports, if nodes differ
  std::vector<std::int32_t> channels_of_nodes{};
  std::int32_t capacity = 0;  ///< virtual-channels: flits per channel buffer, 0 = no limit
  /// with `router`: [node of one subnet] the same of its in-ports, if nodes differ; `capacity` is the greatest
  std::vector<std::int32_t> capacities{};
  std::optional<RouterRules> router{};  ///< virtual-channels: rows name channels, and RouterAudit applies
  /// A packet that answers another one.
  struct Reply {
    std::int32_t traffic_class = 0;
    std::int32_t flits = 1;
    Step service = 1;         ///< from the delivery of the request to the creation of the reply
    std::int32_t places = 0;  ///< requests that a processor accepts before it has sent their replies; 0: no limit
  };
  /// A class of traffic: the channels of its packets, and the reply to each of them.
  struct Class {
    std::int32_t first = 0, last = 0;
    std::optional<Reply> reply{};
  };
  std::vector<Class> classes{};  ///< with `router`: [class of traffic]; empty: none
  /// virtual-channels: [group] the paths of packets to several destinations; null: there are none
  std::shared_ptr<const std::vector<MulticastTree>> trees{};
  bool routes_own = false;  ///< packets for their own node appear in the trace like all others
  /// Requests and replies that are messages of a workload.
  struct ClosedLoop {
    std::vector<NodeId> servers, clients;
    std::int64_t outstanding = 1;  ///< requests of a client
    std::int64_t requests = 0;     ///< of a client in total; 0: no limit
    std::int32_t request_flits = 1, reply_flits = 1;
    Step think = 1;          ///< from the delivery of a reply to the next request
    Step service = 1;        ///< of a request
    std::int64_t ways = 1;   ///< requests that a server serves together; 0: no limit
    std::int64_t queue = 0;  ///< requests that a server accepts before it has created their replies; 0: no limit
    /// A server creates a reply while fewer than this number of its replies have not left before the step; 0: no limit.
    std::int64_t unsent = 0;
  };
  std::optional<ClosedLoop> closed_loop{};
  bool of_netrace = false;  ///< packets are records of a netrace file: they keep its numbers, and those that others
                            ///< release enter the memories of their processors in the step after `created`
  std::shared_ptr<const Faults> faults{};  ///< hardware that is dead in step 0; null: all of it is alive
  /// with `faults`: deaths and repairs after step 0, in order
  std::vector<FaultEvent> fault_events{};
  /// instead of these, while the run goes on: cables fail without an end; null: all events are known
  std::shared_ptr<const FaultTimeline> endless{};
  /// with `router` and `faults`: of links; null: there are none
  std::shared_ptr<const LinkErrors> errors{};
  std::optional<RerouteRules> reroute{};  ///< with `fault_events`; none: routing functions never learn of them
  /// Nodes with a module other than RouterNode, sorted. Their packets are ejected (or stored) and injected as
  /// elsewhere, but such a module may store or take any number of flits per step.
  std::vector<NodeId> foreign;

  bool hardware_changes() const { return endless != nullptr || !fault_events.empty(); }
  std::int32_t channels_at(NodeId node) const {
    return channels_of_nodes.empty() ? channels
                                     : channels_of_nodes[static_cast<std::size_t>(node) % channels_of_nodes.size()];
  }
  std::int32_t capacity_at(NodeId node) const {
    return capacities.empty() ? capacity : capacities[static_cast<std::size_t>(node) % capacities.size()];
  }
  /// Flits may wait between the switch and the link, in a FIFO or a replay buffer.
  bool waits_behind_switch() const { return router && (router->has_fifo || repeats_flits(errors.get())); }
  bool any_replies() const {
    return std::any_of(classes.begin(), classes.end(), [](const Class& c) { return c.reply.has_value(); });
  }
  /// Flits may wait at a processor.
  bool limits_requests() const {
    if (closed_loop) return closed_loop->queue > 0;
    return std::any_of(classes.begin(), classes.end(), [](const Class& c) { return c.reply && c.reply->places > 0; });
  }
};

/// Checks the rows of a run on a network of links (docs/output.md, `trace.csv`; docs/model.md, "Storage models").
///
/// In every model: rows are well formed and strictly sorted; a link carries one object per step, or per interval; a
/// switch does not inject, eject or store, and is not a packet's source or destination; a flit leaves its memory
/// once, where it is and not before it is created, in the order of its index; it hops on or is consumed in the node
/// where it is, and not before it is readable there; it is ejected at its destination only, stored elsewhere only,
/// and has no row afterwards (a packet stored as a whole may be injected again from the next step on). Then, by
/// model:
/// - store-and-forward: single-flit packets; at most `bound` (or `residents`) of them stay in a node at the end of a
///   step. The step after the last row is not checked: the run may have ended before it;
/// - virtual-channels: flits of a packet follow their head's path, none overtakes another; the flits that wait in a
///   node and came over one link are at most channels * capacity, unless its out-ports have FIFOs or flits wait for its
///   processor; a node consumes one
///   flit per step. With `router`, the rules of RouterAudit, and of ReplyAudit. With `trees`, those of TreeChecker for
///   packets to several destinations;
/// - links-only: each flit enters the link register that the flit before it leaves in the same step, or none of the
///   packet moves; a register holds one flit from its hop until it moves on; a flit is injected in the step of its
///   first hop;
/// - never-standing: in addition, every worm in the network moves in every step.
///
/// With faults, the rules of FaultAudit. If hardware dies during the run, all flits of a packet that are injected and
/// not consumed vanish in one step, and the packet has no other row in that step or later. With messages that wait for
/// others, the rule of OrderAudit, and for clients and servers those of ServerAudit. With packets that are sent again,
/// those of AttemptAudit.
///
/// Streaming: memory grows with known packets, nodes and flits in flight, not with rows.
class Referee final : public TraceSink, public CreditSink {
 public:
  /// \throws std::invalid_argument if a worm model has a link with a latency or interval above 1.
  Referee(const NetworkGraph& graph, RefereeRules rules);
  ~Referee() override;
  Referee(const Referee&) = delete;
  Referee& operator=(const Referee&) = delete;

  /// As OrderAudit::declare: announces the next message or event of a workload, before its packets.
  void message(std::int64_t item, std::int64_t packets, std::vector<std::int64_t> dependants);
  /// Announces packets before the first row that names them. Those without a number get the next ones.
  void packets(const std::vector<Packet>& next);
  /// As AttemptAudit::declare: announces the next attempt of a packet, before `packets` has it.
  void attempt(PacketId attempt, PacketId first);
  /// The rows of one step, sorted; steps ascend. After the first violation further rows are ignored.
  void rows(const std::vector<TraceRow>& of_one_step) override;
  /// The credits of one step, sorted, before its rows; only with `rules.router`.
  void rows(const std::vector<CreditRow>& of_one_step) override;
  /// The packets from the first known one to `first` have arrived, as reported in `delivered`, which begins with
  /// them, or are `lost`. They are checked now; later rows must not name them.
  void remove_before(PacketId first, const std::vector<Step>& delivered, const Losses& lost = {});
  /// The end of the trace. `delivered` [packet, from the first known one] as reported (no_step: not delivered) must
  /// agree with the rows; a packet for its own node that is not routed is delivered when it is created, a record of a
  /// trace also in the step after. A run that
  /// reports deliveries but has no rows is rejected. `complete`: every packet must have arrived or be lost, so that
  /// none is left in the network.
  void finish(const std::vector<Step>& delivered, bool complete, const Losses& lost = {});

  bool ok() const;
  /// The first broken rule; valid if !ok(). The text is one sentence: step, instance, packet and flit, and the broken
  /// rule.
  const Violation& violation() const;
  std::int64_t rows_seen() const;
  /// Steps up to `last`, after all rows, in which processors began to wait for the network to drain, and in which
  /// routing functions changed.
  struct Changes {
    std::vector<Step> drains, reroutes;
  };
  Changes changes(Step last);
  /// Corrupt flits that the senders of their links learn of; empty: not known, because it was not known when flits that
  /// have vanished left their buffers.
  std::optional<std::int64_t> nacks() const;

 private:
  class Replay;
  std::unique_ptr<Replay> checker_;
};

}  // namespace starloom::links
