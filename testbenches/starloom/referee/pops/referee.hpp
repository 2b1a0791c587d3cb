// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The referee of POPS networks: replays the drivers and samplers of couplers, and checks the rules of couplers
/// and protocol. It does not depend on fabric, controllers and models; it links core and topology only.
#include <cstdint>
#include <memory>
#include <vector>

#include <starloom/core/links/run_record.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/core/pops/message.hpp>
#include <starloom/core/pops/rules.hpp>
#include <starloom/core/pops/slot_counts.hpp>
#include <starloom/core/pops/trace.hpp>
#include <starloom/core/violation.hpp>
#include <starloom/topology/pops/dead_couplers.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// Checks the rows of a run (docs/pops.md).
///
/// Couplers: rows are well formed and strictly sorted; a processor drives couplers of its group only, with one
/// message per slot, and samples at most one coupler to its group; a sampler hears the message of a coupler that has
/// exactly one driver and is not dead, and no message from any other.
///
/// Protocol, according to the Rules:
/// - a slot carries data or acknowledgements, and no two drivers meet where the protocol excludes it;
/// - a processor drives a packet that it holds: its own, until that has left (without acknowledgements: once driven),
///   or a copy that it heard in an earlier slot, which it forwards once; one coupler per slot, except to reach all
///   processors;
/// - an acknowledgement takes the path of the packet in reverse: a processor that heard the packet, or its
///   acknowledgement, in the slot before drives the coupler to the group from which the packet came; the processor that
///   hears it has sent that packet over the mirror coupler in this cycle;
/// - a packet reaches its destination once; a value is added once;
/// - a processor never has more than three packets: its own, those heard that it drives later, the one for itself;
/// - no coupler is driven or sampled after the end of the program.
///
/// Memory grows with packets, couplers and the copies that were heard.
class Referee final : public CheckingSink {
 public:
  /// \param packets all packets of the run, by number
  /// \param dead couplers out of service, or null; it must outlive the referee
  Referee(const Pops& pops, Rules rules, const std::vector<Packet>& packets, const DeadCouplers* dead = nullptr);
  ~Referee() override;
  Referee(const Referee&) = delete;
  Referee& operator=(const Referee&) = delete;

  /// The rows of one slot, sorted; slots ascend. After the first violation further rows are ignored.
  void rows(const std::vector<TraceRow>& of_one_slot) override;
  /// The end of the trace. `delivered` [packet] as reported (-1 or no_step: not delivered) and `slots` [slot], the
  /// rows of `slots.csv`, must agree with the rows. `complete`: every packet must have arrived.
  void finish(const std::vector<Step>& delivered, const std::vector<SlotCounts>& slots, bool complete);

  bool ok() const { return violation_.text.empty(); }
  /// The first broken rule; valid if !ok(). The text is one sentence: slot, instance, packet, and the broken rule.
  const Violation& violation() const override { return violation_; }
  std::int64_t rows_seen() const;
  /// The messages that a slot of the run carries, from the rows of the slots before it; valid if ok().
  MessageKind kind_of(Step slot) const;

 private:
  class Replay;
  std::unique_ptr<Replay> checker_;
  Violation violation_;
};

}  // namespace starloom::pops
