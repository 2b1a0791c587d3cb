// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The timetable of rounds, supersteps, rotations and ring slots, known to every node (Roberts and Symvonis
/// 1994, section 3.1; docs/algorithms/supernode-hot-potato.md has the times).
#include <cstdint>

#include <starloom/algorithms/supernode_hot_potato/geometry.hpp>

namespace starloom::links {

/// The purpose of a rotation of the storage rings.
enum class Rotation : std::uint8_t { creation, review, balance, extract, queue, death };

/// The event at a position of a ring in a step.
struct RingMoment {
  std::int32_t superstep = -1;  ///< -1 before the first
  Rotation rotation = Rotation::creation;
  std::int32_t index = 0;  ///< 0 .. C-1: slot i begins at ik, the free window at Hk
};

/// Times within a round count from its start on the clock of the supernode: the clocks of neighbours differ by a
/// step, because (row + column + step) mod 2 of a flit never changes.
class RoundTimetable {
 public:
  /// `supersteps`: of every round. `first_consuming`: the first superstep that ends in a death phase; no_superstep:
  /// only the round does. \throws InputError if a round or all of them take more steps than can be counted
  RoundTimetable(const SupernodeGeometry& geometry, std::int32_t supersteps, std::int32_t first_consuming);
  static constexpr std::int32_t no_superstep = -1;

  std::int32_t supersteps() const { return supersteps_; }
  std::int32_t round_steps() const { return round_steps_; }
  std::int64_t rounds() const { return rounds_; }
  std::int64_t steps() const { return rounds_ * round_steps_; }
  /// The number of the round of worms from one local cell to another.
  std::int64_t round(Cell from, Cell to) const { return std::int64_t{from} * cells_ + to; }
  Cell from(std::int64_t round) const { return static_cast<Cell>(round / cells_); }
  Cell to(std::int64_t round) const { return static_cast<Cell>(round % cells_); }

  std::int32_t rotation() const { return rotation_; }
  std::int32_t superstep_steps() const { return superstep_steps_; }
  /// The beginning of the first superstep: slot 0 of both rings is at position 0.
  std::int32_t first_superstep() const { return first_superstep_; }
  /// The step in which the head of a new worm with this path to the ring leaves its source.
  std::int32_t creation(const RingAccess& access) const { return lead_ + access.position - access.length; }
  /// The step in which the heads of worms that are in the rings from the start leave their sources.
  std::int32_t preloaded_creation() const { return first_superstep_ - head_start_; }
  /// The event at a position of a ring.
  RingMoment at(std::int32_t tau, std::int32_t position) const;
  /// Steps since the superstep began, for nodes on no ring.
  std::int32_t in_superstep(std::int32_t tau) const { return (tau - first_superstep_) % superstep_steps_; }
  /// The superstep of a time from the first superstep on; `supersteps()` and more after the last.
  std::int32_t superstep(std::int32_t tau) const { return (tau - first_superstep_) / superstep_steps_; }
  /// True if worms at their destination are consumed: in a death phase, and until the last have left the rings.
  bool consumes(std::int32_t tau) const {
    return tau >= death_from_ && (tau - death_from_) % death_period_ <= death_steps_;
  }
  /// True if worms that are not at their supernode by now would stay undelivered.
  bool is_last_death(const RingMoment& moment) const {
    return moment.rotation == Rotation::death && moment.superstep >= supersteps_ - (by_superstep_ ? 1 : 0);
  }

 private:
  std::int32_t rotation_, lead_, head_start_, cells_;
  std::int32_t supersteps_;
  bool by_superstep_;
  std::int32_t first_superstep_, superstep_steps_;
  std::int32_t death_from_, death_period_, death_steps_;
  std::int32_t round_steps_;
  std::int64_t rounds_;
};

}  // namespace starloom::links
