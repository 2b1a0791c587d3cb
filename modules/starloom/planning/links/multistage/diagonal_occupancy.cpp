// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/links/multistage/diagonal_occupancy.hpp>

#include <algorithm>

namespace starloom::links {

DiagonalOccupancy::DiagonalOccupancy(std::int32_t lines, std::int32_t side, std::int32_t stages)
    : lines_(lines),
      side_(side),
      stages_(stages),
      words_((static_cast<std::size_t>(std::max(side - 1, 1)) + 63) / 64),
      diagonals_(static_cast<std::size_t>(stages) + static_cast<std::size_t>(side)),
      taken_(2 * static_cast<std::size_t>(lines) * diagonals_ * words_) {}

void DiagonalOccupancy::take(const Segment& segment, std::int32_t start) {
  if (segment.first == 0) return;
  const std::size_t begin = segment.word + static_cast<std::size_t>(start) * words_;
  for (std::uint32_t i = 0; i <= segment.extra; ++i) {
    const std::uint64_t mask = i == 0 ? segment.first : i == segment.extra ? segment.last : ~std::uint64_t{0};
    taken_[begin + i] |= mask;
    touched_.push_back(begin + i);
  }
}

void DiagonalOccupancy::extend(std::int32_t stages) {
  if (stages <= stages_) return;
  const std::size_t old_row = diagonals_ * words_;
  stages_ = stages;
  diagonals_ = static_cast<std::size_t>(stages) + static_cast<std::size_t>(side_);
  const std::size_t row = diagonals_ * words_;
  std::vector<std::uint64_t> larger(2 * static_cast<std::size_t>(lines_) * row);
  for (std::size_t& word : touched_) {
    const std::size_t moved = word / old_row * row + word % old_row;
    larger[moved] = taken_[word];
    word = moved;
  }
  taken_.swap(larger);
}

void DiagonalOccupancy::clear() {
  for (const std::size_t word : touched_) taken_[word] = 0;
  touched_.clear();
}

}  // namespace starloom::links
