// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Positions on circles.
#include <cmath>

#include <starloom/topology/network_tables.hpp>

namespace starloom {

/// A position at a distance from another one. `turn` is the fraction of a full turn from upright, clockwise: 0.25 is
/// to the right. Rounded to 1/64 of a cell, so that the last bit of a cosine has no effect.
inline PaperPosition on_circle(PaperPosition centre, double radius, double turn) {
  constexpr double full_turn = 6.283185307179586;
  const auto rounded = [](double cells) { return std::round(cells * 64) / 64; };
  return {rounded(centre.x + radius * std::sin(full_turn * turn)),
          rounded(centre.y - radius * std::cos(full_turn * turn))};
}

/// The radius, in cells, of a circle with this number of positions this far apart; 0 for a single one.
inline double circle_radius(double count, double apart) {
  return count < 2 ? 0 : apart / (2 * std::sin(3.141592653589793 / count));
}

}  // namespace starloom
