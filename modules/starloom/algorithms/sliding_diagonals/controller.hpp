// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Sliding diagonals in one node.
#include <array>
#include <cstdint>
#include <vector>

#include <starloom/algorithms/sliding_diagonals/worm_store.hpp>
#include <starloom/control/links/controller.hpp>

namespace starloom::links {

/// Counts of the worms in one node.
struct DiagonalTally {
  std::int32_t pass_1 = 0;       ///< turned outside their block of columns
  std::int32_t phase_2 = 0;      ///< stored at the end of a stage: did not reach its column
  std::int32_t overflow = 0;     ///< stored at the top of a full reservoir
  std::int32_t no_position = 0;  ///< stored while waiting for a position on a diagonal
  std::int32_t stored = 0;       ///< worms stored for the first time
  std::int32_t fullest = 0;      ///< greatest number of worms of a reservoir that fills from here
};

/// Heads decide by the common timetable, by their own target and by the state of the node in this step. Besides the
/// worms in its processor, each node remembers how many have passed it downwards in the stage, and how many a reservoir
/// has admitted.
class alignas(64) SlidingDiagonalsController final : public WormController {
 public:
  SlidingDiagonalsController(const DiagonalProgram& program, const Grid& grid);

  void step(WormView& view) override;
  void publish(std::uint32_t* values) const override;

  const DiagonalTally& tally() const { return tally_; }
  const DiagonalProgress& progress() const { return worm_store_.progress(); }

 private:
  enum class Event : std::uint8_t { none, entered, straight, turned, turned_late, refused, admitted, parked, failed };

  void attend(WormView& view);
  void plan_wake_up(WormView& view);

  // Heads.
  bool is_row(int axis) const { return ((axis - now_.slot) & 1) == 0; }
  bool is_final(int axis) const { return axis == timetable().dimensions() - 1 && is_row(axis); }
  void decide(WormView& view, Port in);
  void count_anew();
  void climb(WormView& view, Port in);
  void sink(WormView& view, Port in);
  void run_row(WormView& view, Port in);
  void turn_or_run(WormView& view, Port in);
  void go_home(WormView& view, Port in);
  void send_on(WormView& view, Port in, Port out);
  void absorb(WormView& view, Port in, StoredWorm::State state);

  // Worms that wait.
  void serve_parked(WormView& view, Port in);
  void enter_from_park(WormView& view, Port in, int axis);
  void hear_ranks(WormView& view);
  void start_stored(WormView& view);

  const DiagonalTimetable& timetable() const { return program_->timetable; }
  std::int32_t here(const View& view, int axis) const { return view.grid().coordinate(view.node(), axis); }
  static NodeId target_of(const Flit& head) { return static_cast<NodeId>(head.header[0]); }
  bool is_free(Port out) const { return (claimed_ >> out & 1) == 0; }
  void need(Step step) {
    if (need_ == no_step || step < need_) need_ = step;
  }
  Step at(std::int64_t slot, std::int32_t tau) const { return pass_begins_ + timetable().slot_start(slot) + tau; }

  // The data that a passing head reads and writes comes first, in one cache line.
  const DiagonalProgram* program_;
  Step attend_at_ = 0;  ///< before this step only heads and words need this node
  Step pass_begins_ = 0;
  Moment now_;            ///< of the step
  Step need_ = no_step;   ///< the step to be woken in, as far as known in this step
  PortMask claimed_ = 0;  ///< links with a flit in this step
  bool stores_ = false;   ///< a worm has entered this processor in this step
  Event event_ = Event::none;

  Step requested_wake_ = no_step;  ///< the step requested last for waking
  WormStore worm_store_;
  DiagonalTally tally_;
  std::vector<std::int32_t> rank_;  ///< [axis] level B: number of the worm parked here

  // For a stage: per dimension of its columns.
  Step counted_from_ = no_step;  ///< its beginning
  std::array<std::uint16_t, ports_per_word / 2> sunk_{}, admitted_{};
};

}  // namespace starloom::links
