// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The worms in the processor of a node, and the passes in which they leave it.
#include <cstdint>
#include <vector>

#include <starloom/algorithms/sliding_diagonals/ring_census.hpp>
#include <starloom/algorithms/sliding_diagonals/timetable.hpp>
#include <starloom/control/links/controller.hpp>

namespace starloom::links {

/// The constants and options that all nodes share.
struct DiagonalProgram {
  DiagonalTimetable timetable;
  bool intermediate = false;    ///< every worm goes to a random node first, and from there to its destination
  std::int32_t clean_ups = 50;  ///< greatest number of passes over failed worms in a run to one target
};

/// A worm in a processor.
struct StoredWorm {
  enum class State : std::uint8_t { due, failed, arrived };  ///< arrived: at its random node, for the second run
  PacketId packet;
  NodeId target;
  State state;
  bool was_stored;  ///< it has failed before
};

/// The passes begun so far; the same in every node that has learned of them.
struct DiagonalProgress {
  Step pass_begins = 0;
  std::int64_t pass_batches = 0;
  std::int64_t batches = 0;           ///< of all passes
  std::int64_t clean_up_batches = 0;  ///< of those over worms that failed
};

/// Knows the current pass, and the step in which the next worm of this processor tries to enter the rows. At the end
/// of a pass the nodes count the failed worms, which make another pass. If there are none, a second run begins, with
/// a count of all worms, or all are delivered.
class WormStore {
 public:
  WormStore(const DiagonalProgram& program, const Grid& grid);

  /// Called first in a step that this node attends to. A node without worms may have slept while others counted none.
  void follow(View& view);
  /// Called last: announces the number of worms of this node, in the step in which a count begins.
  void announce(View& view);
  /// The next step that this node has to attend to (none: the greatest number), and whether it has to be woken for
  /// that: a node without worms need not be woken, because it catches up when an event reaches it.
  struct NextEvent {
    Step step;
    bool awake;
  };
  NextEvent next_event(Step now) const;

  void take_in(const StoredWorm& stored) { stored_.push_back(stored); }
  std::size_t size() const { return stored_.size(); }
  /// True if a worm tries to enter in this step.
  bool starts(Step step) const { return step == entry_at_; }
  /// Removes the worm that enters in this step from the processor.
  StoredWorm start(std::int32_t batch);
  /// Plans when the next worm tries, from a step on.
  void plan_entry(const View& view, Step from);

  const DiagonalProgress& progress() const { return progress_; }
  bool counts(Step step) const { return census_.is_open() && step > census_.begins(); }

 private:
  /// A pass that is planned and has not begun.
  struct Plan {
    Step begins = no_step;
    std::int64_t batches = 0;
    std::int32_t first = 0;  ///< number of this node's first worm in its ring
    bool clean_up = false;
  };

  void move_in(const View& view);
  void conclude(const View& view);
  void begin_pass(const View& view);
  Step pass_ends() const { return progress_.pass_begins + timetable().pass_steps(progress_.pass_batches); }
  std::int32_t due_in(std::int64_t batch) const;
  std::int64_t next_due(std::int64_t batch) const;
  const DiagonalTimetable& timetable() const { return program_->timetable; }

  const DiagonalProgram* program_;
  DiagonalProgress progress_;
  RingCensus census_;
  Plan plan_;
  bool second_run_;             ///< to the destination, after the run to a random node; or the only one
  bool counts_all_ = false;     ///< the census counts the worms for the second run
  std::int32_t clean_ups_ = 0;  ///< passes over failed worms in this run
  std::vector<StoredWorm> stored_;
  std::int32_t first_ = 0, count_ = 0;  ///< numbers in their ring of this node's worms in this pass
  std::int64_t started_batch_ = -1;
  std::int32_t started_ = 0;  ///< worms started in that batch
  Step entry_at_ = no_step;   ///< when the next of them tries
};

}  // namespace starloom::links
