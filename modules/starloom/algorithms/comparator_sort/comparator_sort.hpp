// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `comparator-sort`: deterministic online routing. The packets are sorted by destination with Batcher's merge
/// exchange; each of its stages is a permutation known in advance, and is therefore routed by a plan.
#include <cstdint>
#include <vector>

#include <starloom/algorithms/comparator_sort/merge_exchange.hpp>
#include <starloom/algorithms/offline/timetable.hpp>
#include <starloom/control/pops/controller.hpp>

namespace starloom::pops {

/// The program that all processors share: the same for every permutation of a network.
class SortProgram {
 public:
  explicit SortProgram(const Pops& pops);

  std::int64_t stages() const { return static_cast<std::int64_t>(stages_.size()); }
  std::int64_t slots() const { return stages() * slots_per_stage_; }
  std::int64_t slots_per_stage() const { return slots_per_stage_; }
  const ComparatorStage& stage(std::int64_t number) const { return stages_[static_cast<std::size_t>(number)]; }
  const Timetable& timetable(std::int64_t number) const { return timetables_[static_cast<std::size_t>(number)]; }

 private:
  std::vector<ComparatorStage> stages_;
  std::vector<Timetable> timetables_;
  std::int64_t slots_per_stage_;
};

/// The permutation of a stage: partners exchange packets, the others keep theirs.
std::vector<NodeId> stage_permutation(const ComparatorStage& stage, NodeId nodes);

class ComparatorSortController final : public Controller {
 public:
  /// A full permutation: every processor has a packet.
  ComparatorSortController(const SortProgram& program, PacketId packet, NodeId destination)
      : program_(&program), own_{MessageKind::data, packet, destination, 0} {}

  void slot(SlotView& view) override;
  std::array<PacketId, buffer_slots> buffered() const override { return {own_.packet, no_packet, incoming_.packet}; }

 private:
  const SortProgram* program_;
  Message own_;
  Message incoming_;  ///< the partner's packet; packet `no_packet` until it arrives
};

}  // namespace starloom::pops
