// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The constant-queue router in one node.
#include <cstdint>
#include <vector>

#include <starloom/algorithms/constant_queue/levels.hpp>
#include <starloom/algorithms/constant_queue/packet_class.hpp>
#include <starloom/algorithms/mesh_sort/sort_station.hpp>
#include <starloom/control/links/controller.hpp>

namespace starloom::links {

/// The timetable and options that all nodes share.
struct ConstantQueueProgram {
  std::vector<Level> levels;
  bool frozen = false;  ///< columns begin at a common time, not when a packet arrives
  /// Steps in which stored packets may have to change their queue or move on, ascending.
  std::vector<Step> changes{};
  /// The beginnings of the phases of the outermost level, ascending: the sort, blocks, rows, columns, the nested
  /// level, the path to the corners, the release of special packets. Empty if it is a base level.
  std::vector<Step> phases{};

  bool changes_in(Step step) const;
  /// The first of `changes` after a step, or `no_step`.
  Step next_change(Step step) const;
  /// The level whose sort uses a step (including its last step, in which packets arrive), or none.
  const Level* sorting(Step step) const;
};

/// Builds `changes` and `phases`.
ConstantQueueProgram constant_queue_program(std::vector<Level> levels, bool frozen);

/// Packets that are never queued (critical ones, sorts, blocks, rows of types II and Ib) take their link immediately;
/// two of them for one link end the run. The others wait in the queue of their out-port, in the order of
/// docs/algorithms/constant-queue.md, and take the link when it is free.
class ConstantQueueController final : public FlitController {
 public:
  explicit ConstantQueueController(const ConstantQueueProgram& program) : program_(&program) {}

  void step(FlitView& view) override;
  void publish(std::uint32_t* values) const override {
    values[0] = static_cast<std::uint32_t>(sort_);
    values[1] = phase_;
  }
  /// The step after the last in which a packet of type I or II of the outermost level reached its column here; 0:
  /// none did.
  Step latest_row_one() const { return latest_row_one_; }
  Step latest_row_two() const { return latest_row_two_; }

 private:
  enum class SortState : std::uint8_t { none, columns, rows, waiting };

  // Each of these sends, queues or consumes the packet.
  void take_in(FlitView& view, Flit& flit);
  void enter(FlitView& view, Flit& flit, std::size_t number);
  void critical(FlitView& view, Flit& flit, const Level& level);
  void ordinary(FlitView& view, Flit& flit, const Level& level);
  void along_column(FlitView& view, Flit& flit, const Level& level);
  void greedy(FlitView& view, Flit& flit);
  void arrive(FlitView& view, Flit& flit);
  void straight(FlitView& view, Flit& flit, bool vertical);
  static void queue(FlitView& view, Flit& flit, bool vertical, std::int64_t rank);

  void keep_time(const FlitView& view);
  void change(FlitView& view);
  void sort(FlitView& view, const Level& level, SortStation::Key other);
  bool is_open(const FlitView& view, const Flit& front) const;
  void serve(FlitView& view);

  const ConstantQueueProgram* program_;
  Step latest_row_one_ = 0, latest_row_two_ = 0;
  SortStation station_{1};
  SortState sort_ = SortState::none;
  std::uint8_t phase_ = 0;    ///< 1 + the number of the phase; 0: no packet has arrived here yet
  bool has_seen_ = false;     ///< a packet has arrived here
  bool awaits_next_ = false;  ///< it will be woken when the next phase begins
  PortMask used_ = 0;         ///< links taken in this step
  Step wake_ = no_step;       ///< the step to be woken in, as far as known in this step
};

}  // namespace starloom::links
