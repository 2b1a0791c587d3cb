#pragma once
/// \file Which keys are compared when: the timetable of a sort of s x s nodes, known to every node.
#include <cstdint>
#include <vector>

#include "core/ids.hpp"

namespace starloom {

/// Odd-even transposition of all lines along one axis: in round u the neighbours (i, i + 1) with i = u mod 2 compare.
/// It takes a step more than it has rounds, because packets follow their keys one step later (paper 000, section 3).
struct SortPhase {
  int axis = 0;  ///< 0: along the columns, over vertical links; 1: along the rows
  std::int32_t rounds = 0;
  bool snake = false;  ///< lines of odd number ascend towards lower coordinates
  Step start = 0;      ///< its first step
  Step end() const { return start + rounds + 1; }
};

/// The phases of one sort, one after the other. In every step only one axis is used.
class MeshSortProgram {
 public:
  /// Shearsort of side x side nodes (side >= 1) into column-major order, trimmed: each pair of phases halves the
  /// columns that are not yet sorted, so its second phase needs half the rounds of the one before; the last phase sorts
  /// all columns downwards.
  static MeshSortProgram shearsort(std::int32_t side);

  const std::vector<SortPhase>& phases() const { return phases_; }
  /// Steps of the whole sort, T_s.
  Step steps() const { return phases_.empty() ? 0 : phases_.back().end(); }
  /// The phase of a step, 0 <= step < steps().
  const SortPhase& phase(Step step) const { return phases_[phase_of_step_[static_cast<std::size_t>(step)]]; }

  /// Who compares with whom: +1, -1 or 0 (nobody) for place `index` of a line of `side` places in a round.
  static int partner(std::int32_t index, std::int32_t round, std::int32_t side) {
    if (((index ^ round) & 1) == 0) return index + 1 < side ? 1 : 0;
    return index > 0 ? -1 : 0;
  }

 private:
  void add(int axis, std::int32_t rounds, bool snake);

  std::vector<SortPhase> phases_;
  std::vector<std::uint8_t> phase_of_step_;
};

}  // namespace starloom
