// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/mesh_sort/mesh_sort_program.hpp>

namespace starloom::links {
namespace {

/// Blocks of block x block nodes are this number of sorted lists.
std::int32_t lists_of(std::int32_t side, std::int32_t block) { return side / block * (side / block); }

}  // namespace

MeshSortProgram MeshSortProgram::shearsort(std::int32_t side, bool snake) {
  MeshSortProgram program;
  program.add_shearsort(side, snake);
  return program;
}

MeshSortProgram MeshSortProgram::multiway_merge(std::int32_t side) {
  MeshSortProgram best = multiway_merge(side, side / 2);
  for (std::int32_t block = side / 4; block > 1 && block * block >= side; block /= 2) {
    MeshSortProgram other = multiway_merge(side, block);
    if (other.steps() < best.steps()) best = std::move(other);
  }
  return best;
}

MeshSortProgram MeshSortProgram::multiway_merge(std::int32_t side, std::int32_t block) {
  MeshSortProgram program;
  program.add_merge(side, block);
  program.add_reversal(side);
  return program;
}

MeshSortProgram MeshSortProgram::fastest(std::int32_t side) {
  MeshSortProgram shear = shearsort(side);
  if (!can_merge(side)) return shear;
  MeshSortProgram merge = multiway_merge(side);
  return merge.steps() < shear.steps() ? merge : shear;
}

void MeshSortProgram::add_shearsort(std::int32_t side, bool snake) {
  if (side == 1) return;
  // Two nodes are sorted by one comparison.
  const std::int32_t whole = side == 2 ? 1 : side;
  std::int32_t dirty = whole;
  for (std::int32_t columns = side; columns > 1; columns = (columns + 1) / 2) {
    add_lines(0, whole, side, true);
    add_lines(1, dirty, side, false);
    dirty = (dirty + 1) / 2;
  }
  add_lines(0, whole, side, snake);
}

void MeshSortProgram::add_snake_sort(std::int32_t side) {
  MeshSortProgram best;
  best.add_shearsort(side, true);
  for (std::int32_t block = side / 2; can_merge(side) && block > 1 && block * block >= side; block /= 2) {
    MeshSortProgram merge;
    merge.add_merge(side, block);
    if (merge.steps() < best.steps()) best = std::move(merge);
  }
  for (const SortPhase& phase : best.phases()) add(phase);
}

// Lists are in the rows of a mesh here; the columns of Thompson and Kung are rows of the mesh.
void MeshSortProgram::add_merge(std::int32_t side, std::int32_t block) {
  add_snake_sort(block);
  // Each list is distributed evenly over the rows: strips of rows are halved, even positions to the upper half, odd
  // ones to the lower one. In half of the columns pairs exchange packets before, so that for any threshold the halves
  // differ by at most half as many keys as there are lists.
  std::uint32_t place = 1;
  for (std::int32_t strip = side; strip > 1; strip /= 2) {
    const bool in_block = side / strip < block;
    const std::uint32_t flipped = in_block ? 1u | static_cast<std::uint32_t>(block) : place;
    if (!in_block) place *= 2;
    add_exchange(strip, 0, flipped);
    for (std::int32_t border = 1; border < strip / 2; ++border) add_exchange(strip, border, 0);
  }
  add_lines(1, side, side, false);
  // Reverse direction: the sorted halves of a strip are shuffled together, which leaves each key near its position in
  // snake order.
  for (std::int32_t strip = 2; strip <= side; strip *= 2) {
    for (std::int32_t border = strip / 2 - 1; border > 0; --border) add_exchange(strip, border, 0);
    add_exchange(strip, 0, 1);
    add_clean_up(side, strip, lists_of(side, block));
  }
}

// Half as many rounds of odd-even transposition along the snake as there are lists. The pairs at its turns, which are
// over horizontal links, compare after the others of their round, so that each step uses one axis.
void MeshSortProgram::add_clean_up(std::int32_t side, std::int32_t strip, std::int32_t lists) {
  for (std::int32_t rounds = 0; rounds < lists / 2; rounds += 2) {
    add_lines(0, 2, strip, true);
    SortPhase turns;
    turns.kind = SortPhase::Kind::turns;
    turns.axis = 1;
    turns.side = side;
    turns.strip = strip;
    add(turns);
  }
}

void MeshSortProgram::add_reversal(std::int32_t side) {
  for (std::int32_t round = 0; round < side; ++round) add_exchange(side, round % 2, 1);
}

void MeshSortProgram::add_lines(int axis, std::int32_t rounds, std::int32_t side, bool snake) {
  SortPhase phase;
  phase.axis = axis;
  phase.rounds = rounds;
  phase.side = side;
  phase.snake = snake;
  add(phase);
}

void MeshSortProgram::add_exchange(std::int32_t side, std::int32_t border, std::uint32_t lines) {
  SortPhase phase;
  phase.kind = SortPhase::Kind::exchange;
  phase.side = side;
  phase.border = border;
  phase.lines = lines;
  add(phase);
}

void MeshSortProgram::add(SortPhase phase) {
  phase.start = steps();
  phase_of_step_.insert(phase_of_step_.end(), static_cast<std::size_t>(phase.end() - phase.start),
                        static_cast<std::uint32_t>(phases_.size()));
  phases_.push_back(phase);
}

}  // namespace starloom::links
