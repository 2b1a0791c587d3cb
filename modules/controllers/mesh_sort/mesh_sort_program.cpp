#include "controllers/mesh_sort/mesh_sort_program.hpp"

#include <algorithm>

namespace starloom {

MeshSortProgram MeshSortProgram::shearsort(std::int32_t side) {
  MeshSortProgram program;
  if (side == 1) return program;
  // Two nodes are sorted after one comparison.
  const std::int32_t whole = side == 2 ? 1 : side;
  std::int32_t dirty = whole;
  for (std::int32_t columns = side; columns > 1; columns = (columns + 1) / 2) {
    program.add(0, whole, true);
    program.add(1, dirty, false);
    dirty = (dirty + 1) / 2;
  }
  program.add(0, whole, false);
  return program;
}

void MeshSortProgram::add(int axis, std::int32_t rounds, bool snake) {
  SortPhase phase;
  phase.axis = axis;
  phase.rounds = rounds;
  phase.snake = snake;
  phase.start = steps();
  phase_of_step_.insert(phase_of_step_.end(), static_cast<std::size_t>(rounds) + 1,
                        static_cast<std::uint8_t>(phases_.size()));
  phases_.push_back(phase);
}

}  // namespace starloom
