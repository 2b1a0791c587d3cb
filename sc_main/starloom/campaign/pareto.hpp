// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The Pareto front of points in a plane.
#include <cstddef>
#include <utility>
#include <vector>

namespace starloom {

/// The points, by number, that no other point beats: one that is not greater in both coordinates and less in at least
/// one. From the least x to the greatest; equal points are all part of it, in their order.
/// \param points x and y, of which less is better; finite.
std::vector<std::size_t> pareto_front(const std::vector<std::pair<double, double>>& points);

}  // namespace starloom
