// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Whether an open-loop run need not go on, for the network cannot carry what is offered.
#include <string>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom::links {

/// Looks at a run at the ends of sixteenths of its measurement phase, and as often after it. From a quarter of the phase on
/// the network is saturated if
/// - the mean latency of the packets measured so far, which count with what they have waited if they are under way, is
///   above `limit` times what they would need without contention, or
/// - within the phase, the backlog (packets created and not delivered) has grown in every sixteenth, and in the later half
///   of them by more than 5 % of what was created there and by more than chance: four times the square root of it.
/// A network that has delivered nothing in the last sixteenth is left to those who look for deadlocks.
class Saturation {
 public:
  /// `graph` and `algorithm` outlive it. `limit`: above 0.
  Saturation(const Phases& phases, double limit, const NetworkGraph& graph, const Algorithm& algorithm);

  /// Between two steps: all steps before `next` (no_step: all there will be) have left their traces in `record`. True: the
  /// network was found saturated before a step not after `next`.
  bool found(Step next, const RunRecord& record);
  /// `record` will list the packets below `first` no more; all of them have arrived.
  void before_forgetting(PacketId first, const RunRecord& record);
  /// The step before which it was found, and why: a sentence.
  Step step() const { return look_; }
  const std::string& reason() const { return reason_; }

 private:
  bool look(const RunRecord& record);
  bool backlog_grows() const;
  bool latency_is_above(const RunRecord& record);
  /// Extends the sums over packets below `end`.
  void sum_up(PacketId end, const RunRecord& record);
  bool in_phase(PacketId packet, const RunRecord& record) const;
  /// What a packet of the phase counts: how long it was, or has been, under way.
  double waited(PacketId packet, const RunRecord& record) const;
  /// Of a packet, in steps, without contention.
  Step free_latency(const Packet& packet) const;

  const Step from_, to_, period_, quarter_;
  const double limit_;
  const NetworkGraph& graph_;
  const Algorithm& algorithm_;

  Step look_;  ///< the step before which it looks next
  struct Counts {
    std::int64_t created, delivered;
    std::int64_t backlog() const { return created - delivered; }
  };
  std::vector<Counts> counts_;  ///< packets at every look
  // Sums over measured packets.
  PacketId summed_ = 0;   ///< packets below are in `free_`
  PacketId arrived_ = 0;  ///< packets below have arrived and are in `waited_`
  double free_ = 0, waited_ = 0;
  std::string reason_;
};

}  // namespace starloom::links
