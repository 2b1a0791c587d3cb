// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The referee's rules of faults: dead hardware moves no flit, and each lost packet has a cause.
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include <starloom/core/links/losses.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/referee/links/check_context.hpp>
#include <starloom/topology/fault_timeline.hpp>

namespace starloom::links {

/// No flit crosses a dead link or enters a dead channel, and dead processors send and consume none. A packet from or to
/// a dead processor, or between two nodes without a path on living links, is lost when it is created, with the first
/// cause that holds, and has no rows. A packet with the cause `no-route` has a path on living links. Sources know the
/// hardware of step 0, and whether their own processor is dead.
///
/// A packet is lost by `cut` if hardware that it uses dies in the step, and by `no-way` if its head is in a router with
/// a dead out-port; all of its flits in the network vanish in that step. A packet that a processor has not begun to
/// send when it dies is lost by `dead-source`.
class FaultAudit {
 public:
  /// \param context outlives it, and its rules have faults.
  explicit FaultAudit(const CheckContext& context);

  /// The next death or repair up to a step that `apply` has not seen; null: none.
  const FaultEvent* next_event(Step until) const {
    const std::vector<FaultEvent>& events = context_.rules().fault_events;
    return next_ < events.size() && events[next_].step <= until ? &events[next_] : nullptr;
  }
  void apply(const FaultEvent& event) {
    hardware_.apply(event);
    ++next_;
  }

  void inject(const TraceRow& row);
  void hop(const TraceRow& row) const {
    if (hardware_.link_is_dead(row.node, row.port)) context_.reject(row, "crosses a dead link");
    if (faults_.channel_is_dead(row.node, row.port, row.channel)) context_.reject(row, "enters a dead channel");
  }
  void consume(const TraceRow& row) const;
  /// \param is_cut the flit or its packet uses hardware that dies in the step.
  void drop(const TraceRow& row, bool is_cut);
  /// Checks whether a packet is lost. \param loss null: it is not. \param reported the step of its delivery.
  void judge(PacketId packet, const Loss* loss, Step reported) const;

 private:
  /// Flits of a packet that have vanished.
  struct Dropped {
    Step step = no_step;
    bool is_cut = false;      ///< it was using hardware that died
    bool has_no_way = false;  ///< its head was in a router with a dead out-port
  };

  std::optional<LossCause> cause(const Packet& packet) const;
  bool has_dead_out_port(NodeId node) const;
  bool processor_is_dead(NodeId node, Step step) const;
  std::optional<Step> next_death(NodeId node, Step from) const;
  std::int32_t injected(PacketId packet) const {
    return static_cast<std::size_t>(packet) < injected_.size() ? injected_[static_cast<std::size_t>(packet)] : 0;
  }
  void judge_dropped(PacketId packet, const Loss& loss) const;

  const CheckContext& context_;
  const Faults& faults_;  ///< of step 0
  const NetworkGraph left_;
  LivingHardware hardware_;
  std::size_t next_ = 0;                ///< event of the rules
  std::vector<std::int32_t> injected_;  ///< [packet] flits
  std::map<PacketId, Dropped> dropped_;
};

}  // namespace starloom::links
