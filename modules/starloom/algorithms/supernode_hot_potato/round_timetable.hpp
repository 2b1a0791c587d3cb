// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file When what happens: rounds, supersteps, rotations and the indices of ring places, known to every node
/// (Roberts and Symvonis 1994, section 3.1; docs/algorithms/supernode-hot-potato.md has the dates).
#include <cstdint>

#include <starloom/algorithms/supernode_hot_potato/geometry.hpp>

namespace starloom::links {

/// What a rotation of the storage rings is for.
enum class Rotation : std::uint8_t { creation, review, balance, extract, queue, death };

/// What passes a place of a ring at some time.
struct RingMoment {
  std::int32_t superstep = -1;  ///< -1 before the first
  Rotation rotation = Rotation::creation;
  std::int32_t index = 0;  ///< 0 .. C-1: slot i begins at ik, from Hk on is the free window
};

/// Times within a round count from its start on the clock of the supernode: the clocks of neighbours differ by a
/// step, for (row + column + step) mod 2 of a flit never changes.
class RoundTimetable {
 public:
  /// `supersteps`: of every round. `first_consuming`: the first superstep that ends in a death phase; no_superstep:
  /// none does, the round does. \throws InputError if a round or all of them take more steps than can be counted
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
  /// The first superstep begins: slot 0 of both rings is at position 0.
  std::int32_t first_superstep() const { return first_superstep_; }
  /// When the head of a new worm leaves its source, the way of which to the ring this is.
  std::int32_t creation(const RingAccess& access) const { return lead_ + access.position - access.length; }
  /// When the heads of worms that lie in the rings from the start leave theirs.
  std::int32_t preloaded_creation() const { return first_superstep_ - head_start_; }
  /// What is at a position of a ring.
  RingMoment at(std::int32_t tau, std::int32_t position) const;
  /// Steps since the superstep began, for nodes on no ring.
  std::int32_t in_superstep(std::int32_t tau) const { return (tau - first_superstep_) % superstep_steps_; }
  /// The superstep of a time from the first superstep on; `supersteps()` and more after the last.
  std::int32_t superstep(std::int32_t tau) const { return (tau - first_superstep_) / superstep_steps_; }
  /// True if worms at their destination are consumed: in a death phase, and until the last have left the rings behind.
  bool consumes(std::int32_t tau) const {
    return tau >= death_from_ && (tau - death_from_) % death_period_ <= death_steps_;
  }
  /// True if worms that are not at their supernode by now would stay where they are.
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
