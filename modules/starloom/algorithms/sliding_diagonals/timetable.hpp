// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The timetable of sliding diagonals: sizes, positions and phases, as numbers.
/// docs/algorithms/sliding-diagonals.md explains them.
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/support/reciprocal.hpp>

namespace starloom::links {

/// The constants that a run can choose.
struct DiagonalConstants {
  std::int32_t side = 0;        ///< n: nodes of a ring
  std::int32_t dimensions = 2;  ///< d
  std::int32_t flits = 1;       ///< L: of every worm
  std::int32_t a = 1;           ///< a position of a diagonal is usable in one of `a` rows
  std::int32_t b = 1;           ///< diagonals are b*L apart
  std::int32_t width = 2;       ///< w0: least width of a block of columns
  std::int32_t forward = 0;     ///< F: steps in which a round tries; 0: 2*L*w
  std::int32_t rounds = 0;      ///< R; 0: w
  std::int32_t thinning = 6;    ///< g: factor of batches over the number that a ring needs, from three dimensions on
  bool registers_only = false;  ///< level B: no hold wire; parked worms are numbered and receive their starts
};

/// The coordinates 0..n-1, divided into blocks of nearly equal size.
class Blocks {
 public:
  Blocks(std::int32_t side, std::int32_t count);
  std::int32_t of(std::int32_t coordinate) const { return block_[static_cast<std::size_t>(coordinate)]; }
  /// The first coordinate of the block of this coordinate.
  std::int32_t base(std::int32_t coordinate) const { return base_[static_cast<std::size_t>(coordinate)]; }
  /// Size of the block of this coordinate.
  std::int32_t size(std::int32_t coordinate) const { return size_[static_cast<std::size_t>(coordinate)]; }
  std::int32_t largest() const { return largest_; }
  std::int32_t count() const { return block_.back() + 1; }

 private:
  std::vector<std::int32_t> block_, base_, size_;  ///< [coordinate]
  std::int32_t largest_ = 0;
};

/// The columns in which a worm that moves along the rows may turn.
enum class Turn { none, own_block, any, own_column };

/// The rule of a stage for worms in the rows in one step.
struct RowRule {
  bool backwards = false;  ///< they move against their dimension
  Turn turn = Turn::none;
};

/// A step of a pass: its slot, and the step within the slot.
struct Moment {
  std::int32_t slot = 0;
  std::int32_t tau = 0;
};

/// One common timetable for all nodes. A *pass* moves worms by `batches` batches; a batch runs one *stage* per slot,
/// stage s on the dimensions s+1 (the rows, X) and s+2 (the columns, Y), and after the last its final routing. Batch
/// j is in stage s in slot 2j + s and in its final routing in slot 2j + d - 1; all slots have the same length, but in
/// two dimensions a final routing has a slot of its own length.
class DiagonalTimetable {
 public:
  /// \throws InputError for constants that are not feasible.
  explicit DiagonalTimetable(const DiagonalConstants& constants);

  std::int32_t n() const { return constants_.side; }
  std::int32_t dimensions() const { return constants_.dimensions; }
  std::int32_t flits() const { return constants_.flits; }
  /// As given, with F and R filled in.
  const DiagonalConstants& constants() const { return constants_; }
  std::int32_t diagonals() const { return diagonals_; }             ///< K
  std::int32_t ring_positions() const { return ring_positions_; }   ///< P: greatest number of worms of a ring and batch
  std::int32_t width() const { return columns_.largest(); }         ///< w: of the widest block of columns
  std::int32_t height() const { return rows_.largest(); }           ///< of the highest block of rows
  std::int32_t stage_steps() const { return prelude_ + settled_; }  ///< Tst: steps of a stage
  std::int32_t final_steps() const { return n() + flits(); }
  const Blocks& columns() const { return columns_; }
  const Blocks& rows() const { return rows_; }
  /// Worms that fit into the reservoir of the block with this row.
  std::int32_t reservoir(std::int32_t row) const { return rows_.size(row) / flits(); }

  /// Batches of a pass over as many worms as the fullest ring contains. `first`: of worms that have not failed.
  std::int64_t batches(std::int64_t fullest_ring, bool first) const;
  std::int64_t pass_steps(std::int64_t batches) const;
  std::int64_t slot_start(std::int64_t slot) const {
    if (dimensions() > 2) return slot * stage_steps();
    return slot / 2 * (stage_steps() + final_steps()) + slot % 2 * stage_steps();
  }
  /// \param step of a pass, counted from its beginning, below 2^32.
  Moment moment(std::int64_t step) const {
    const auto s = static_cast<std::uint32_t>(step);
    const std::uint32_t unit = by_unit_.quotient(s);
    const auto number = static_cast<std::int32_t>(unit);
    const auto rest = static_cast<std::int32_t>(s - unit * by_unit_.divisor());
    if (dimensions() > 2) return {number, rest};
    if (rest < stage_steps()) return {2 * number, rest};
    return {2 * number + 1, rest - stage_steps()};
  }

  // Within a stage; tau counts from the beginning of its slot.
  std::int32_t entry_begins() const { return prelude_; }
  std::int32_t entry_ends() const { return prelude_ + n(); }
  bool in_rounds(std::int32_t tau) const { return tau - prelude_ >= rounds_; }
  RowRule row_rule(std::int32_t tau) const;

  /// The first step from `tau` on, within those of the entry, in which a usable position passes the node of the
  /// coordinates x and y; -1 if there is none. \param from at least entry_begins().
  std::int32_t next_position(std::int32_t x, std::int32_t y, std::int32_t from) const;
  /// The step in which the position number `rank` of a row, each of another diagonal, passes a node; -1 if the row
  /// has fewer usable ones.
  std::int32_t position_of_rank(std::int32_t x, std::int32_t y, std::int32_t rank) const;
  /// The diagonal whose position passes the node in a step of the entry: p/(bL), p = (x + y - tau) mod n.
  std::int32_t diagonal(std::int32_t x, std::int32_t y, std::int32_t tau) const {
    return position(x, y, tau) / spacing_;
  }

 private:
  std::int32_t position(std::int32_t x, std::int32_t y, std::int32_t tau) const {
    return ((x + y - (tau - prelude_)) % n() + n()) % n();
  }
  void check() const;

  DiagonalConstants constants_;
  std::int32_t spacing_ = 1;  ///< b*L
  std::int32_t diagonals_, ring_positions_;
  Blocks columns_, rows_;
  std::int32_t prelude_ = 0;  ///< level B: steps before the entry
  // Beginnings of phases, counted from that of the entry.
  std::int32_t first_pass_, second_pass_, back_, forth_, rounds_, rounds_end_, settled_;
  std::int32_t round_steps_;
  Reciprocal by_unit_, by_round_;
};

}  // namespace starloom::links
