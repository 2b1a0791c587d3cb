// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Constants of sliding diagonals, chosen by the expected number of failures.
#include <cstdint>
#include <optional>

#include <starloom/algorithms/sliding_diagonals/timetable.hpp>

namespace starloom::links {

/// Expected failures of the first pass for random destinations, by Poisson estimates of every load.
struct ExpectedFailures {
  double first_pass = 0;   ///< worms of a diagonal beyond the columns of their block
  double rounds = 0;       ///< worms of a diagonal for one column beyond the rounds
  double overflow = 0;     ///< worms for a reservoir beyond its capacity
  double no_position = 0;  ///< worms of a ring beyond its positions, in the stages after the first
  double all() const { return first_pass + rounds + overflow + no_position; }
};
ExpectedFailures expected_failures(const DiagonalTimetable& timetable);

/// Constants that an experiment has fixed; the others are chosen.
struct FixedConstants {
  std::optional<std::int32_t> a{}, b{}, width{}, forward{}, rounds{}, thinning{};
};

/// published: F = 2Lw, R = w and g = 6, as in the paper. tuned: the shortest F that completes a climb, and the least
/// R with less than `tolerated` expected failures.
enum class DiagonalPreset { published, tuned };

/// Among the constants with at most `tolerated` expected failures, those with the shortest first pass; if there are
/// none, those with the fewest expected failures. \throws InputError if there are no valid constants.
DiagonalConstants choose_constants(std::int32_t side, std::int32_t dimensions, std::int32_t flits, bool registers_only,
                                   DiagonalPreset preset, const FixedConstants& fixed);

}  // namespace starloom::links
