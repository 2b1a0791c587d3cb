// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Processors that send a packet again unless they know in time that it has arrived.
#include <functional>
#include <map>
#include <vector>

#include <starloom/core/links/attempts.hpp>
#include <starloom/core/links/trace.hpp>
#include <starloom/fabric/links/fabric.hpp>
#include <starloom/topology/least_latencies.hpp>
#include <starloom/topology/link_errors.hpp>

namespace starloom::links {

/// Creates attempts from the rows of a run. A processor knows that an attempt has arrived as many steps later as the
/// links of the fastest path from source to destination take, at least one; acknowledgements are not packets. As a
/// ReplyGenerator, it wakes the node of an attempt in the step in which that is due.
class AttemptGenerator final : public TraceSink {
 public:
  /// \param repetition its rules. \param fabric the one that runs. All outlive this object.
  AttemptGenerator(const LinkErrors::Repetition& repetition, const NetworkGraph& graph, Fabric& fabric);

  /// Called with each attempt but the first one of a packet, before a row names it. Set before the run.
  using Announce = std::function<void(PacketId attempt, PacketId first)>;
  void announce_to(Announce announce) { announce_ = std::move(announce); }
  /// Called with the packets that are created in a step.
  void created(const std::vector<Packet>& packets);
  void rows(const std::vector<TraceRow>& together) override;
  /// Called between two steps: creates the attempts that are due in `next`.
  void before_step(Step next);
  /// True if attempts will be created unless a packet arrives in time.
  bool pending() const { return !due_.empty(); }
  const Attempts& attempts() const { return attempts_; }

 private:
  struct OfPacket {
    Step arrival = no_step;  ///< of the first attempt that arrived
    Step due = no_step;      ///< its next attempt
  };

  OfPacket& facts_of(PacketId first);
  void left(PacketId packet, Step step);
  void arrived(PacketId packet, Step step);
  /// The first step in which the processor of a packet knows that it has arrived.
  Step known(PacketId first, Step arrival);

  const LinkErrors::Repetition& repetition_;
  Fabric& fabric_;
  LeastLatencies latencies_;
  Attempts attempts_;
  Announce announce_;
  std::multimap<Step, PacketId> due_;  ///< first attempts of packets of which the next one is due
  std::vector<PacketId> called_;       ///< the same of the attempts that the engine creates next, by source
  std::vector<OfPacket> packets_;      ///< [first attempt]
};

}  // namespace starloom::links
