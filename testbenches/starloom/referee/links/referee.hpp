// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The referee: replays what happened on the links and checks the physical rules. It knows nothing of fabric and
/// controllers; it links core and topology only.
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <starloom/core/links/run_record.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/core/violation.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// What routers with virtual channels add to the rules of their buffers (docs/algorithms/vc-wormhole.md).
struct RouterRules {
  std::int32_t head_steps = 1;    ///< the fewest from a head's being readable to its leaving the buffer
  std::int32_t credit_extra = 0;  ///< steps that a credit takes beyond side wire and link
  bool credits = true;            ///< they are told, too
};

/// The rules that a run declared for itself.
struct RefereeRules {
  enum class Storage { store_and_forward, virtual_channels, links_only, never_standing };
  Storage storage = Storage::store_and_forward;
  std::int32_t bound = 0;  ///< store-and-forward: most packets that stay in a node, 0 = none
  std::vector<std::int32_t>
      residents{};            ///< store-and-forward: such a bound of each node, 0 = none stays; empty: `bound`
  std::int32_t channels = 1;  ///< virtual-channels: channels per link
  std::int32_t capacity = 0;  ///< virtual-channels: flits per channel buffer, 0 = no limit
  std::optional<RouterRules> router{};  ///< virtual-channels: rows name channels, and more is known
  bool routes_own = false;              ///< packets for their own node appear in the trace like all others
  /// Nodes whose module is not a RouterNode, sorted. Their packets are ejected (or stored) and injected as anywhere,
  /// but how much such a module stores or takes out of its links in a step is its own affair.
  std::vector<NodeId> foreign;
};

/// Checks the rows of a run on a network of links (docs/output.md, `trace.csv`; docs/model.md, "Storage models").
///
/// In every model: rows are well formed and strictly sorted; a link carries one object a step, or in as many steps as
/// its interval; a switch injects, ejects and stores nothing, and is no packet's source or destination; a flit leaves
/// its memory once, where it lies and not before it is created, in the order of its index; it hops on or is consumed
/// where it is, and not before it is readable there; it is ejected at its destination only, stored elsewhere only,
/// and has no row afterwards (a packet stored as a whole may be injected again from the next step on). Then, by
/// model:
/// - store-and-forward: single-flit packets; at most `bound` (or `residents`) of them stay in a node at the end of a
///   step. The step after the last row is not looked at: the run may have ended before it;
/// - virtual-channels: flits of a packet follow their head's path, none overtakes another; flits that wait in a node
///   and came over one link are at most channels * capacity; a node consumes one flit per step; With `router`, what
///   RouterAudit says;
/// - links-only: each flit enters the link register that the flit before it leaves in the same step, or none of the
///   packet moves; a register holds one flit from its hop until it moves on; a flit is injected as it first hops;
/// - never-standing: besides, every worm in the network moves in every step.
///
/// Streaming: memory grows with packets known, nodes and flits under way, not with rows.
class Referee final : public TraceSink, public CreditSink {
 public:
  /// \throws std::invalid_argument if a worm model has a link whose latency or interval is above 1.
  Referee(const NetworkGraph& graph, RefereeRules rules);
  ~Referee() override;
  Referee(const Referee&) = delete;
  Referee& operator=(const Referee&) = delete;

  /// Announces packets, in order of their numbers, at the latest before the first row that names them.
  void packets(const std::vector<Packet>& next);
  /// The rows of one step, sorted; steps ascend. After the first violation further rows are ignored.
  void rows(const std::vector<TraceRow>& of_one_step) override;
  /// The credits of one step, sorted, before its rows; only with `rules.router`.
  void rows(const std::vector<CreditRow>& of_one_step) override;
  /// The packets from the first one known to `first` have arrived, as reported in `delivered`, which begins with
  /// them. That is judged now; no row may name them any more.
  void forget_before(PacketId first, const std::vector<Step>& delivered);
  /// The end of the trace. `delivered` [packet, from the first one known] as reported (no_step: not delivered) must
  /// be what the rows say; a packet for its own node that is not routed is delivered when it is created. A run that
  /// reports deliveries but has no rows is rejected. `complete`: every packet must have arrived, so that nothing is
  /// left in the network.
  void finish(const std::vector<Step>& delivered, bool complete);

  bool ok() const;
  /// The first broken rule; valid if !ok(). The text is one sentence: step, instance, packet and flit, and what is
  /// wrong.
  const Violation& violation() const;
  std::int64_t rows_seen() const;

 private:
  class Replay;
  std::unique_ptr<Replay> checker_;
};

}  // namespace starloom::links
