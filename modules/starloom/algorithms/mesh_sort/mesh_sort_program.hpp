// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The timetable of a sort of s x s nodes, known to every node: the keys that are compared and the packets that
/// are exchanged in each step.
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// Rounds along one axis; in each of them pairs of neighbours perform the same operation. If they compare, the phase
/// takes one step more than it has rounds, because packets follow their keys one step later (Rajasekaran and Overholt
/// 1990, section 3).
struct SortPhase {
  enum class Kind : std::uint8_t {
    lines,    ///< odd-even transposition: in round u the neighbours (i, i + 1) with i = u mod 2 compare
    turns,    ///< one round: columns in snake order compare where one ends and the next begins
    exchange  ///< one round: pairs of packets are exchanged, independently of their keys
  };

  Kind kind = Kind::lines;
  std::int32_t axis = 0;  ///< 0: along the columns, over vertical links; 1: along the rows
  std::int32_t rounds = 1;
  std::int32_t side = 0;   ///< lines consist of independent pieces of this number of nodes
  bool snake = false;      ///< lines of odd number ascend towards lower coordinates
  std::int32_t strip = 0;  ///< turns: number of rows of the columns that meet
  /// exchange: this number of nodes at both ends of each piece keep their packets, the others are pairs
  std::int32_t border = 0;
  std::uint32_t lines = 0;  ///< exchange: only lines whose number has an odd number of these bits take part; 0: all do
  Step start = 0;           ///< its first step

  Step end() const { return start + rounds + (kind == Kind::exchange ? 0 : 1); }
  /// The partner of a node in a round: +1 or -1 along the axis, or 0 (it has none). `index`: the coordinate along the
  /// axis, `line`: the other one, both within the sorted square.
  int partner(std::int32_t index, std::int32_t line, std::int32_t round) const;
  /// True if the lower one of the two keys belongs to the node of a line with the lower coordinate.
  bool ascends(std::int32_t line) const { return !(snake && line % 2 == 1); }
};

/// The phases of one sort, one after the other. Each step uses only one axis.
class MeshSortProgram {
 public:
  /// Shearsort of side x side nodes (side >= 1) into column-major order, trimmed: each pair of phases halves the
  /// columns that are not yet sorted, so its second phase needs half the rounds of the one before; the last phase sorts
  /// all columns downwards.
  /// `snake`: columns of odd number ascend upwards in the end, as in the paper's order.
  static MeshSortProgram shearsort(std::int32_t side, bool snake = false);
  /// The multiway merge of Thompson and Kung (Rajasekaran and Overholt 1990, section 3) into column-major order, with
  /// the block side that takes the fewest steps. `side` is a power of two, at least 4.
  static MeshSortProgram multiway_merge(std::int32_t side);
  /// The same with blocks of block x block nodes: a power of two, block < side <= block * block.
  static MeshSortProgram multiway_merge(std::int32_t side, std::int32_t block);
  /// The one of these that takes fewer steps; shearsort if they are equal, or if the side is not a power of two.
  static MeshSortProgram fastest(std::int32_t side);

  /// True if the multiway merge sorts squares of this side.
  static bool can_merge(std::int32_t side) { return side >= 4 && (side & (side - 1)) == 0; }

  const std::vector<SortPhase>& phases() const { return phases_; }
  /// Steps of the whole sort, T_s.
  Step steps() const { return phases_.empty() ? 0 : phases_.back().end(); }
  /// The phase of a step, 0 <= step < steps().
  const SortPhase& phase(Step step) const { return phases_[phase_of_step_[static_cast<std::size_t>(step)]]; }

 private:
  void add(SortPhase phase);
  void add_lines(int axis, std::int32_t rounds, std::int32_t side, bool snake);
  void add_exchange(std::int32_t side, std::int32_t border, std::uint32_t lines);
  /// Every block of side x side nodes, its columns in snake order at the end or all downwards.
  void add_shearsort(std::int32_t side, bool snake);
  void add_merge(std::int32_t side, std::int32_t block);
  void add_clean_up(std::int32_t side, std::int32_t strip, std::int32_t lists);
  /// The faster one of both, into snake order.
  void add_snake_sort(std::int32_t side);
  void add_reversal(std::int32_t side);

  std::vector<SortPhase> phases_;
  std::vector<std::uint32_t> phase_of_step_;
};

inline int SortPhase::partner(std::int32_t index, std::int32_t line, std::int32_t round) const {
  std::int32_t place = index % side, odd = round & 1, last = side;
  switch (kind) {
    case Kind::lines: break;
    case Kind::turns:
      // Even columns end at the bottom of a strip, odd ones at its top.
      odd = line % strip == 0 ? 1 : 0;
      if (odd == 0 && line % strip != strip - 1) return 0;
      break;
    case Kind::exchange:
      if (lines != 0 && __builtin_parity(static_cast<std::uint32_t>(line) & lines) == 0) return 0;
      place -= border;
      last -= 2 * border;
      odd = 0;
      if (place < 0 || place >= last) return 0;
      break;
  }
  if ((place & 1) == odd) return place + 1 < last ? 1 : 0;
  return place > 0 ? -1 : 0;
}

}  // namespace starloom::links
