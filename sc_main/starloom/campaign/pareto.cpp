// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/pareto.hpp>

#include <algorithm>
#include <numeric>

namespace starloom {

std::vector<std::size_t> pareto_front(const std::vector<std::pair<double, double>>& points) {
  std::vector<std::size_t> by_x(points.size()), front;
  std::iota(by_x.begin(), by_x.end(), std::size_t{0});
  std::stable_sort(by_x.begin(), by_x.end(), [&](std::size_t a, std::size_t b) { return points[a] < points[b]; });
  // All points to the left have been seen: the last of the front has the least y of them.
  for (const std::size_t p : by_x)
    if (front.empty() || points[p].second < points[front.back()].second || points[p] == points[front.back()])
      front.push_back(p);
  return front;
}

}  // namespace starloom
