// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Constants of sliding diagonals chosen by what is expected to fail.
#include <cstdint>
#include <optional>

#include <starloom/algorithms/sliding_diagonals/timetable.hpp>

namespace starloom::links {

/// Expected failures of the first pass for random destinations, by Poisson estimates of every load.
struct ExpectedFailures {
  double first_pass = 0;  ///< worms of a diagonal beyond the columns of their block
  double rounds = 0;      ///< worms of a diagonal for one column beyond the rounds
  double overflow = 0;    ///< worms for a reservoir beyond its capacity
  double no_place = 0;    ///< worms of a ring beyond its places, in the stages after the first
  double all() const { return first_pass + rounds + overflow + no_place; }
};
ExpectedFailures expected_failures(const DiagonalTimetable& timetable);

/// Constants that an experiment has fixed; the others are to be chosen.
struct FixedConstants {
  std::optional<std::int32_t> a{}, b{}, width{}, forward{}, rounds{}, thinning{};
};

/// published: F = 2Lw, R = w and g = 6, as in the paper. tuned: the shortest F that leads a climb to its end, and the
/// least R with which less than `tolerated` failures are expected.
enum class DiagonalPreset { published, tuned };

/// The constants, among those with at most `tolerated` expected failures, whose first pass is shortest; if there are
/// none, those with the fewest expected failures. \throws InputError if none work at all.
DiagonalConstants choose_constants(std::int32_t side, std::int32_t dimensions, std::int32_t flits, bool registers_only,
                                   DiagonalPreset preset, const FixedConstants& fixed);

}  // namespace starloom::links
