// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file All state of a POPS network that changes from slot to slot, and the slot itself.
#include <cstdint>
#include <memory>
#include <vector>

#include <starloom/control/pops/controller.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/core/pops/run_record.hpp>
#include <starloom/core/pops/trace.hpp>
#include <starloom/core/violation.hpp>
#include <starloom/fabric/pops/wiring.hpp>
#include <starloom/support/thread_pool.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

enum class CouplerState : std::uint8_t { idle, carrying, collision };

struct EngineSetup {
  const Pops* pops = nullptr;
  Wiring wiring;
  ControllerArray* controllers = nullptr;  ///< outlive the engine
  Program program;
  std::vector<NodeId> destination;  ///< [packet], `no_node`: all processors
  std::uint64_t seed = 1;
  std::uint64_t shuffle = 0;        ///< permutes the order of evaluation; no effect on the result
  int threads = 1;                  ///< per slot, at most one per transmit row; no effect on the result
  CheckingSink* checker = nullptr;  ///< null: none
};

/// Runs slots. Each processor reads the message of the coupler that it sampled in the slot before, and decides; its
/// drives are written to the other half of the arena. A coupler's state has the stamp of its slot, so the arena is
/// not cleared. 64 bytes per coupler, 12 per processor.
///
/// Processors are processed in groups: all hear, all decide, all drive. These are short loops in which the machine
/// can load the entries of many couplers concurrently; none branches on what a processor heard or decided, because
/// such branches are unpredictable.
///
/// Processors drive only couplers of their own row, and read what the other rows had a slot before, so the processors
/// of different rows may run concurrently. The counts of the parts are joined before rows are given.
///
/// A checker receives a slot at its end; from the last of several threads, during the next slot. A slot that it
/// rejects ends the run in that next slot, of which only the heard messages count.
class Engine {
 public:
  explicit Engine(EngineSetup setup);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void set_sinks(std::vector<TraceSink*> sinks) { sinks_ = std::move(sinks); }

  /// The check by the global observer before a slot: true if the program ends before it.
  bool program_over(Step slot);
  /// True if a cycle (not the drain) would begin: only before such a slot may the run be ended.
  bool cycle_begins(Step slot) const { return !draining() && slot % program_.cycle_slots == 0; }
  /// True once all cycles are over.
  bool draining() const { return drain_from_ != no_step; }
  void run_slot(Step slot);
  /// Controllers process what they heard in the slot before; they no longer drive or sample.
  void run_last_look(Step slot);
  /// Completes the record once the last slot has run.
  void finish();

  const RunRecord& record() const { return record_; }
  RunRecord& record() { return record_; }
  std::int64_t delivered_count() const { return delivered_count_; }
  /// The last slot in which a processor received its packet: one more than the slot in which it heard it.
  Step last_delivery() const { return last_delivery_; }
  /// Before a slot: true if a processor heard a packet of its own in the slot before, and will receive it.
  bool heard_by_destination() const;

  /// Ends the run; the first rule broken in the earliest slot, by the lowest processor, is kept. The drives of the
  /// processor that broke it remain in the loads of couplers.
  void stop(const Violation& violation);
  void stop(Step slot, NodeId node, std::string text) { stop({slot, node, std::move(text)}); }
  bool stopped() const { return violation_.step != no_step; }
  const Violation& violation() const { return violation_; }

  /// Number of a coupler, as in its row.
  std::size_t coupler(std::int32_t to, std::int32_t from) const {
    return static_cast<std::size_t>(processors_[static_cast<std::size_t>(pops_.node_at(from, 0))].row) +
           static_cast<std::size_t>(to);
  }
  /// The state of a coupler in the slot that ran last; a dark one is always idle.
  CouplerState state(std::size_t coupler) const;
  /// Number of data drives of the coupler so far.
  std::int64_t load(std::size_t coupler) const { return std::int64_t{half(0)[coupler].load} + half(1)[coupler].load; }
  /// Valid if the coupler carries a message.
  const Message& message(std::size_t coupler) const { return now(coupler).message; }
  const Controller& controller(NodeId node) const { return controllers_.at(node); }
  /// Source group of the coupler that a processor sampled in the slot that ran last, `no_group` if none.
  std::int32_t listens(NodeId node) const { return processors_[static_cast<std::size_t>(node)].listens; }
  /// Position of the slot that ran last in the cycle of the program; no_step in the drain.
  Step slot_of_cycle() const { return draining() ? no_step : slot_ % program_.cycle_slots; }

 private:
  /// A coupler in a slot. word = 2 * slot: one driver; 2 * slot + 1: several; else the entry belongs to an earlier
  /// slot. Sufficient for 2^30 slots, whose counts would take 32 GiB.
  struct CouplerEntry {
    Message message;
    std::int32_t word = -1;
    std::uint32_t load = 0;  ///< data drives in all slots of this half
  };
  struct Processor {
    std::int32_t row = 0;             ///< first coupler that it drives
    std::int32_t column = 0;          ///< entry of group 0 in `sampled_`
    std::int32_t listens = no_group;  ///< source group of the coupler that it sampled
  };

  /// The data that a part of the processors, those of some rows, writes in a slot besides their state and their
  /// couplers.
  struct alignas(128) Part {
    std::size_t first = 0, last = 0;        ///< processors `first` .. `last` - 1
    std::vector<NodeId> order;              ///< of evaluation; empty: ascending
    SlotContext context;                    ///< deliveries and breaches of the whole slot
    std::vector<SlotFrame> frames;          ///< of the processors of the current group
    std::vector<const SlotFrame*> drivers;  ///< those of them that drive
    SlotCounts counts;
    std::int64_t heard = 0;  ///< processors that heard a message in the slot before
    std::int64_t data_drives = 0;
    std::vector<TraceRow> rows;
  };

  void make_parts(const Wiring& wiring, const EngineSetup& setup);
  void run(Step slot, bool look_only);
  void run_part(Part& part, bool look_only);
  std::int64_t hear(Part& part, std::size_t first, std::size_t count);
  std::size_t note_decisions(Part& part, std::size_t first, std::size_t count);
  void drive(Part& part, std::size_t drivers);
  bool first_of_several(std::size_t coupler, SlotCounts& counts);
  void deliver(const Part& part);
  void note_rows(Part& part, const SlotFrame& frame) const;
  void give_rows();
  bool tracing() const { return !sinks_.empty() || checker_ != nullptr; }
  void report_step();
  void take_back();
  const CouplerEntry& sampled(const Processor& processor, Step slot) const {
    return half(
        slot)[sampled_[static_cast<std::size_t>(processor.column) + static_cast<std::size_t>(processor.listens)]];
  }
  const CouplerEntry& now(std::size_t coupler) const { return half(slot_)[coupler]; }
  const CouplerEntry* half(Step slot) const { return &entries_[(slot & 1) != 0 ? half_size_ : 0]; }
  CouplerEntry* half(Step slot) { return &entries_[(slot & 1) != 0 ? half_size_ : 0]; }

  const Pops& pops_;
  ControllerArray& controllers_;
  const Program program_;
  std::vector<Processor> processors_;
  std::size_t half_size_;              ///< couplers, and a dark one that no processor drives
  std::vector<CouplerEntry> entries_;  ///< [parity of the slot][coupler]
  std::vector<std::int32_t> sampled_;  ///< [column + source group] the coupler; of `no_group`: the dark one
  std::vector<bool> dark_;             ///< [coupler] carries no message
  std::vector<bool> first_wins_;       ///< [coupler]
  std::vector<Step> met_;              ///< [coupler] last slot with several drivers, where the first wins
  std::vector<NodeId> destination_;    ///< [packet]
  std::vector<std::int32_t> missing_;  ///< [packet] processors that still wait for it
  std::vector<Part> parts_;
  std::unique_ptr<ThreadPool> pool_;  ///< null: one part
  Step drain_from_ = no_step;
  Step slot_ = no_step;
  std::size_t unfinished_ = 0;  ///< a processor that was unfinished when last checked
  std::int64_t delivered_count_ = 0;
  Step last_delivery_ = 0;
  RunRecord record_;
  Violation violation_;
  std::vector<TraceSink*> sinks_;
  CheckingSink* const checker_;
  std::vector<TraceRow> rows_;
  std::vector<TraceRow> unreported_;      ///< those that the checker has not received
  std::vector<std::int32_t> heard_from_;  ///< [listen row] the coupler
};

}  // namespace starloom::pops
