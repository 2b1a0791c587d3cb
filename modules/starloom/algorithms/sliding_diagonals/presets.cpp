// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/sliding_diagonals/presets.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

/// Failures of a run that a preset tolerates.
constexpr double tolerated = 0.05;

/// The expected excess of a Poisson number of this mean over a capacity.
double expected_excess(double mean, std::int32_t capacity) {
  double excess = 0, chance = std::exp(-mean + capacity * std::log(mean) - std::lgamma(capacity + 1.0));
  for (std::int32_t above = 1; above < 1000; ++above) {
    chance *= mean / (capacity + above);
    const double term = above * chance;
    excess += term;
    if (capacity + above > mean && term < 1e-9 * excess) break;
  }
  return excess;
}

/// The sum of a function over the sizes of the blocks.
template <class Function>
double sum_over(const Blocks& blocks, std::int32_t side, Function&& of_size) {
  double sum = 0;
  for (std::int32_t at = 0; at < side; at += blocks.size(at)) sum += of_size(blocks.size(at));
  return sum;
}

/// Two-dimensional stages of a run: each has the same probability of failure.
double stages_of(const DiagonalTimetable& t, double batches) {
  return batches * (t.dimensions() - 1) * std::pow(t.n(), t.dimensions() - 2);
}

double missed_rounds(const DiagonalTimetable& t, std::int32_t rounds) {
  const auto batches = static_cast<double>(t.batches(t.n(), true));
  const double of_column = t.n() / (batches * t.diagonals());
  return stages_of(t, batches) * t.diagonals() * t.n() * expected_excess(of_column, rounds);
}

/// The constants with F and R as the preset defines them, if they are not fixed.
DiagonalConstants with_rounds(DiagonalConstants constants, DiagonalPreset preset, const FixedConstants& fixed) {
  constants.forward = fixed.forward.value_or(0);
  constants.rounds = fixed.rounds.value_or(0);
  if (preset == DiagonalPreset::published) return constants;
  const DiagonalTimetable generous(constants);
  if (!fixed.forward) constants.forward = std::max(2 * generous.width(), generous.height() - constants.flits);
  if (fixed.rounds) return constants;
  constants.rounds = 1;
  while (constants.rounds < generous.n() && missed_rounds(generous, constants.rounds) >= tolerated) ++constants.rounds;
  return constants;
}

}  // namespace

ExpectedFailures expected_failures(const DiagonalTimetable& t) {
  const auto batches = static_cast<double>(t.batches(t.n(), true));
  const double stages = stages_of(t, batches);
  const double of_row = t.n() / batches;            // worms of a ring and batch
  const double of_column = of_row / t.diagonals();  // of a diagonal and column
  ExpectedFailures expected;
  expected.first_pass = stages * t.diagonals() * sum_over(t.columns(), t.n(), [&](std::int32_t width) {
                          return expected_excess(of_column * width, width);
                        });
  expected.rounds = missed_rounds(t, t.constants().rounds);
  expected.overflow = stages * t.n() * sum_over(t.rows(), t.n(), [&](std::int32_t height) {
                        return expected_excess(height / batches, height / t.flits());
                      });
  if (t.dimensions() > 2)
    expected.no_position = batches * (t.dimensions() - 2) * std::pow(t.n(), t.dimensions() - 1) *
                           expected_excess(of_row, t.ring_positions());
  return expected;
}

DiagonalConstants choose_constants(std::int32_t side, std::int32_t dimensions, std::int32_t flits, bool registers_only,
                                   DiagonalPreset preset, const FixedConstants& fixed) {
  DiagonalConstants constants, best;
  constants.side = side;
  constants.dimensions = dimensions;
  constants.flits = flits;
  constants.registers_only = registers_only;
  const auto range = [](const std::optional<std::int32_t>& one, std::int32_t from, std::int32_t to) {
    return one ? std::make_pair(*one, *one) : std::make_pair(from, to);
  };
  const bool thins = preset == DiagonalPreset::tuned && dimensions > 2;
  const auto [least_g, most_g] = range(fixed.thinning, thins ? 1 : 6, 6);
  const auto [least_b, most_b] = range(fixed.b, 1, 3);
  const auto [least_a, most_a] = range(fixed.a, 1, 12);
  const auto [least_width, most_width] = range(fixed.width, 2, std::max(2, side / 2));
  double fewest = std::numeric_limits<double>::infinity();
  std::int64_t shortest = 0;
  std::optional<InputError> error;
  for (constants.thinning = least_g; constants.thinning <= most_g; ++constants.thinning)
    for (constants.b = least_b; constants.b <= most_b; ++constants.b)
      for (constants.a = least_a; constants.a <= most_a; ++constants.a)
        for (constants.width = least_width; constants.width <= most_width; ++constants.width) try {
            const DiagonalConstants complete = with_rounds(constants, preset, fixed);
            const DiagonalTimetable t(complete);
            const double failures = std::max(tolerated, expected_failures(t).all());
            const std::int64_t steps = t.pass_steps(t.batches(side, true));
            if (failures > fewest || (failures == fewest && steps >= shortest)) continue;
            fewest = failures;
            shortest = steps;
            best = complete;
          } catch (const InputError& refused) {
            error = refused;
          }
  if (shortest == 0) throw *error;
  return best;
}

}  // namespace starloom::links
