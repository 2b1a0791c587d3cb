// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Rules of packets that are sent again because they may not have arrived (docs/link-errors.md).
#include <vector>

#include <starloom/core/links/attempts.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/referee/links/check_context.hpp>
#include <starloom/topology/least_latencies.hpp>

namespace starloom::links {

/// A processor sends a packet again `timeout` steps after the head of the last attempt left it, unless there have been
/// `attempts`, or the processor knows by then that one of them has arrived: as many steps after the first arrival as
/// the links of the fastest path take, at least one. An attempt has the ends, the length, the class and the subnet of
/// its packet. Broken rules are thrown as a Breach, at the end of a run.
class AttemptAudit {
 public:
  /// \param context outlives it, and its rules have errors whose packets are sent again.
  explicit AttemptAudit(const CheckContext& context);

  /// Called before the attempt is announced.
  void declare(PacketId attempt, PacketId first);
  void inject(const TraceRow& row);
  /// Called after all rows. \param last no attempt is missing that was due later.
  void finish(Step last, const Losses& lost);

 private:
  const LinkErrors::Repetition& repetition() const { return context_.rules().errors->repetition(); }
  Step injected(PacketId packet) const {
    return static_cast<std::size_t>(packet) < injected_.size() ? injected_[static_cast<std::size_t>(packet)] : no_step;
  }
  /// The step from which on its processor knows that one of the attempts has arrived, or no_step.
  Step known(const std::vector<PacketId>& attempts, const Losses& lost);
  void check_facts(PacketId attempt, PacketId first) const;
  void check(const std::vector<PacketId>& attempts, Step last, const Losses& lost);

  const CheckContext& context_;
  LeastLatencies latencies_;
  Attempts attempts_;
  std::vector<Step> injected_;  ///< [packet] its head
};

}  // namespace starloom::links
