// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The referee's rules of faults: dead hardware moves no flit, and each lost packet has a cause.
#include <vector>

#include <starloom/core/links/losses.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/referee/links/check_context.hpp>
#include <starloom/topology/faults.hpp>

namespace starloom::links {

/// No flit crosses a dead link or enters a dead channel, and dead processors send and consume none. A packet from or to
/// a dead processor, or between two nodes without a path on living links, is lost when it is created, with the first
/// cause that holds, and has no rows. A packet with the cause `no-route` has a path on living links.
class FaultAudit {
 public:
  /// \param context outlives it, and its rules have faults.
  explicit FaultAudit(const CheckContext& context);

  void inject(const TraceRow& row);
  void hop(const TraceRow& row) const {
    if (faults_.link_is_dead(row.node, row.port)) context_.reject(row, "crosses a dead link");
    if (faults_.channel_is_dead(row.node, row.port, row.channel)) context_.reject(row, "enters a dead channel");
  }
  void consume(const TraceRow& row) const;
  /// Checks whether a packet is lost. \param loss null: it is not. \param reported the step of its delivery.
  void judge(PacketId packet, const Loss* loss, Step reported) const;

 private:
  /// The cause that the faults alone give; empty: none.
  std::optional<LossCause> cause(const Packet& packet) const;

  const CheckContext& context_;
  const Faults& faults_;
  const NetworkGraph left_;
  std::vector<bool> injected_;  ///< [packet]
};

}  // namespace starloom::links
