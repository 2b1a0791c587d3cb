// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Links of the rows (or of the columns) of a mesh that are taken in each stage, as bit sets on diagonals.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace starloom::links {

/// A packet that moves one link per stage towards greater coordinates has (stage - coordinate) constant, towards
/// smaller ones (stage + coordinate). The links of one segment of its path are therefore an interval of positions on
/// one diagonal, and a bit set over the positions of each (direction, line, diagonal) tests or takes a segment with a
/// few masked words.
class DiagonalOccupancy {
 public:
  /// One segment of a path, for every start: a start later by one moves it by one diagonal.
  struct Segment {
    std::size_t word = 0;     ///< index of the word with its first position, at start 0
    std::uint32_t extra = 0;  ///< words after that one
    std::uint64_t first = 0;  ///< its positions in the first word; 0: the segment is empty and always free
    std::uint64_t last = 0;   ///< its positions in the last of several words
  };

  /// `lines` rows or columns of `side` nodes each, `stages` stages initially. All links are free.
  DiagonalOccupancy(std::int32_t lines, std::int32_t side, std::int32_t stages);

  /// The segment on `line` from coordinate `from` to `to` that a packet begins `offset` stages after its start.
  /// `extend` invalidates segments.
  Segment segment(std::int32_t line, std::int32_t from, std::int32_t to, std::int32_t offset) const {
    if (from == to) return {};
    const bool greater = to > from;
    const std::int32_t diagonal = greater ? offset - from + side_ - 1 : offset + from;
    const auto begin = static_cast<std::uint32_t>(greater ? from : to);
    const auto last = static_cast<std::uint32_t>(greater ? to : from) - 1;
    const std::size_t row = static_cast<std::size_t>(greater ? line : lines_ + line) * diagonals_;
    Segment found;
    found.word = (row + static_cast<std::size_t>(diagonal)) * words_ + begin / 64;
    found.extra = last / 64 - begin / 64;
    found.first = ~std::uint64_t{0} << begin % 64;
    found.last = ~std::uint64_t{0} >> (63 - last % 64);
    if (found.extra == 0) found.first &= found.last;
    return found;
  }

  /// True if no link of the segment is taken at this start. The segment's last stage must be below `stages()`.
  bool free(const Segment& segment, std::int32_t start) const {
    const std::uint64_t* words = taken_.data() + segment.word + static_cast<std::size_t>(start) * words_;
    if (segment.extra == 0) return (words[0] & segment.first) == 0;
    if (((words[0] & segment.first) | (words[segment.extra] & segment.last)) != 0) return false;
    for (std::uint32_t i = 1; i < segment.extra; ++i)
      if (words[i] != 0) return false;
    return true;
  }

  /// Takes the links of the segment at this start. The segment's last stage must be below `stages()`.
  void take(const Segment& segment, std::int32_t start);

  /// The number of stages in memory.
  std::int32_t stages() const { return stages_; }
  /// Adds stages; taken links stay taken.
  void extend(std::int32_t stages);
  /// Frees all links, in time proportional to the words used since the last call.
  void clear();

 private:
  std::int32_t lines_;
  std::int32_t side_;
  std::int32_t stages_;
  std::size_t words_;                 ///< per diagonal
  std::size_t diagonals_;             ///< per line and direction
  std::vector<std::uint64_t> taken_;  ///< by direction (greater first), line, diagonal, position
  std::vector<std::size_t> touched_;  ///< words that may be non-zero
};

}  // namespace starloom::links
