// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The referee's rules of faults: dead hardware moves no flit, and each lost packet has a cause.
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <starloom/core/links/losses.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/referee/links/check_context.hpp>
#include <starloom/topology/fault_timeline.hpp>
#include <starloom/topology/rerouting.hpp>

namespace starloom::links {

/// No flit crosses a dead link or enters a dead channel, and dead processors send and consume none. A packet from or to
/// a dead processor, or between two nodes without a path on living links, is lost when it is created, with the first
/// cause that holds, and has no rows. A packet with the cause `no-route` has a path on living links. Sources know
/// whether their own processor is dead, and else the hardware of step 0, or that of the last change of routing
/// functions; with a change, packets that have not been injected are lost by the same rules.
///
/// A packet is lost by `cut` if hardware that it uses dies in the step; by `no-way` if its head is in a router with a
/// dead out-port, or may have stayed in the network while routing functions changed; and by `flush` in the step of a
/// change that flushes the network. All of its flits in the network vanish in that step. A packet that a processor has
/// not begun to send when it dies is lost by `dead-source`.
///
/// Where packets are stored and forwarded, dead out-ports are a cause of `no-way` only if routing functions do not
/// change. Where packets never stand, they are lost by `no-way` at a dead processor, or in the step of a change that
/// leaves no path to their destination; and by `overflow` in a node of which a link dies in the step, if others that
/// arrive take all links that it has left, or would have done so if they had a path.
///
/// If links have errors and do not repeat flits, a packet of which a flit was corrupt on a link is lost by `corrupt` in
/// the step in which its last flit is consumed.
///
/// Routing functions change in the step that RerouteRules give. Processors that wait for the network to drain inject no
/// head.
class FaultAudit {
 public:
  /// \param context outlives it, and its rules have faults.
  explicit FaultAudit(const CheckContext& context);

  /// The next death or repair up to a step that `apply` has not seen; null: none.
  const FaultEvent* next_event(Step until) {
    if (endless_) endless_->extend(until);
    return next_ < events().size() && events()[next_].step <= until ? &events()[next_] : nullptr;
  }
  /// Called after `change_routing` for the steps before it.
  void apply(const FaultEvent& event);
  /// Routing functions change, if they have to, in steps up to this one. Called when all rows of earlier steps, and all
  /// events up to it, are known.
  void change_routing(Step until);

  void inject(const TraceRow& row);
  void hop(const TraceRow& row) {
    if (crowded_in_ == row.step) use_link(row.node);
    if (hardware_.link_is_dead(row.node, row.port)) context_.reject(row, "crosses a dead link");
    if (faults().channel_is_dead(row.node, row.port, row.channel)) context_.reject(row, "enters a dead channel");
    if (corrupts_packets_ && context_.rules().errors->corrupts(row.node, row.port, row.step))
      corrupt_.insert(row.packet);
  }
  void consume(const TraceRow& row);
  /// \param is_cut the flit or its packet uses hardware that dies in the step.
  void drop(const TraceRow& row, bool is_cut);
  /// Called after the flits that vanish in a step, and before its other rows.
  void end_drops(Step step);
  /// Routing functions change in this step, and packets that they have no path for vanish.
  bool requires_paths(Step step) const {
    return context_.rules().storage == RefereeRules::Storage::never_standing && known_.back().from == step &&
           known_.size() > 1;
  }
  /// A packet is in a node after such a change.
  void check_path(Step step, PacketId packet, NodeId node) const;
  /// The packets that processors have begun to send, and none of whose flits is in the network.
  std::vector<PacketId> interrupted() const;
  /// One of them is cut.
  void cut(PacketId packet, Step step);
  /// Checks whether a packet is lost. \param loss null: it is not. \param reported the step of its delivery.
  void judge(PacketId packet, const Loss* loss, Step reported) const;

  /// Steps in which processors began to wait, and in which routing functions changed.
  const std::vector<Step>& drains() const { return drains_; }
  std::vector<Step> reroutes() const;

 private:
  /// Flits of a packet that have vanished.
  struct Dropped {
    Step step = no_step;
    bool is_cut = false;      ///< it was using hardware that died
    bool has_no_way = false;  ///< its head was where all choices of a routing function may be dead
    NodeId node = no_node;    ///< where its head was
  };
  /// A node where packets vanish that never stand.
  struct Crowded {
    std::int32_t unused = 0;   ///< living links that no packet has taken in the step, or one from the processor
    std::int32_t cut_off = 0;  ///< packets for which routing functions have no path since the step
    bool lost_link = false;    ///< one died in the step
  };
  /// Hardware that sources know to be dead from a step on.
  struct Known {
    explicit Known(Step step, Faults known) : from(step), faults(std::move(known)), left(faults.left()) {}
    Step from;
    Faults faults;
    NetworkGraph left;
  };

  const Faults& faults() const { return *context_.rules().faults; }  ///< of step 0
  /// Those that are known.
  const std::vector<FaultEvent>& events() const {
    return endless_ ? endless_->events() : context_.rules().fault_events;
  }
  std::optional<LossCause> cause(const Packet& packet, const Known& known) const;
  std::optional<LossCause> cause_when_created(const Packet& packet) const;
  std::optional<Loss> first_loss(const Packet& packet, Step until) const;
  bool has_dead_out_port(NodeId node) const;
  bool may_have_no_way(const TraceRow& row) const;
  void use_link(NodeId node);
  bool processor_is_dead(NodeId node, Step step) const;
  std::optional<Step> next_death(NodeId node, Step from) const;
  std::int32_t injected(PacketId packet) const {
    return static_cast<std::size_t>(packet) < injected_.size() ? injected_[static_cast<std::size_t>(packet)] : 0;
  }
  bool is_flush(Step step) const;
  void judge_unreachable(PacketId packet, const Loss& loss) const;
  void judge_dropped(PacketId packet, const Loss& loss) const;
  void judge_corrupt(PacketId packet, const Loss& loss) const;

  const CheckContext& context_;
  LivingHardware hardware_;
  std::optional<FaultTimeline> endless_;  ///< of the rules
  std::size_t next_ = 0;                  ///< event
  std::vector<std::int32_t> injected_;    ///< [packet] flits
  std::map<PacketId, Dropped> dropped_;
  const bool corrupts_packets_;                         ///< links have errors, and do not repeat flits
  std::set<PacketId> corrupt_;                          ///< packets of which a flit was corrupt
  std::map<std::pair<Step, NodeId>, Crowded> crowded_;  ///< where packets never stand
  Step crowded_in_ = no_step;                           ///< the last step of them

  // Of routing functions that learn of events:
  std::vector<FaultEvent> latest_;  ///< of the last step with events, if its change is not known yet
  std::optional<Reroute> due_;
  bool draining_ = false;
  std::vector<Known> known_;  ///< that of step 0, and one for each change
  std::vector<Step> drains_;
  std::int64_t flits_ = 0;                    ///< in the network
  Step moved_ = no_step;                      ///< the last step in which that, or `sending_`, changed
  std::map<PacketId, std::int32_t> sending_;  ///< packets whose tail has not been injected: flits consumed
};

}  // namespace starloom::links
