// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The timetable of the constant-queue router: the levels of the recursion, known to every node.
#include <cstdint>
#include <vector>

#include <starloom/algorithms/mesh_sort/mesh_sort_program.hpp>

namespace starloom::links {

/// One level of the recursion. It routes a partial permutation of an n x n region in 2n - 2 steps. All times except
/// `start` count from the start of the level (Rajasekaran and Overholt 1990, section 5; corrected times:
/// docs/algorithms/constant-queue.md).
struct Level {
  Step start = 0;         ///< the first step of the level
  std::int32_t side = 0;  ///< n: nodes along a side of the region
  std::int32_t m = 0;     ///< nodes along a side of a supersquare, n/8; 0: the base level, routed greedily
  std::int32_t s = 0;     ///< nodes along a side of a sorted subsquare; divides m
  std::int32_t near = 0;  ///< two thirds of the columns of a supersquare, in whole subsquares
  bool snake = false;     ///< subsquares are sorted in snake order, as in the paper; false: column by column downwards
  MeshSortProgram sort{};

  bool is_base() const { return m == 0; }
  /// Rows begin, and blocks of type Ia move.
  Step rows() const { return m; }
  /// Blocks of type Ia have arrived where their rows begin.
  Step settled() const { return 5 * Step{m}; }
  /// Columns begin, if they wait for a common time.
  Step columns() const { return 8 * Step{m} - 1; }
  /// Critical packets are in the region of the next level.
  Step descent() const { return 11 * Step{m}; }
  /// The next level is over, and critical packets continue to their corner.
  Step ascent() const { return 13 * Step{m} - 2; }
  /// Special packets leave their temporary rows.
  Step release() const { return 14 * Step{m} - 2; }
  /// True if critical packets move along their column in step `tau` < m: in a step in which the sort does not use it.
  bool vertical_first(Step tau) const { return tau >= sort.steps() || sort.phase(tau).axis == 1; }
  /// Greatest number of packets that may wait for the column of a node: a column has n packets, and each of the F
  /// subsquares that reach a row leaves at most one more there than its share (Rajasekaran and Overholt 1990, section
  /// 6, made exact); in snake order two more, where the order turns.
  std::int32_t column_bound() const;
};

/// The levels of an n x n mesh, the outermost first; the last one is a base level: a side that is at most `base`, not
/// a multiple of 8, or below 24. `s`: side of the subsquares of the outermost level; 0: the largest divisor of m
/// whose sort takes at most m steps, as in all other levels. `snake`: see Level.
/// \throws InputError if `s` is given and the outermost level is a base level, or s does not divide m or its sort
/// takes too long.
std::vector<Level> constant_queue_levels(std::int32_t side, std::int32_t base, std::int32_t s, bool snake = false);

}  // namespace starloom::links
