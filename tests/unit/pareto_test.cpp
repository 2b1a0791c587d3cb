// SPDX-License-Identifier: Apache-2.0
// The points that no other point beats, compared with a search of all pairs.
#include <starloom/campaign/pareto.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <starloom/core/random.hpp>

namespace starloom {
namespace {

using Plane = std::vector<std::pair<double, double>>;

bool beats(const std::pair<double, double>& one, const std::pair<double, double>& other) {
  return one != other && one.first <= other.first && one.second <= other.second;
}

TEST(Pareto, IsFromLeftToRight) {
  EXPECT_THAT(pareto_front({{3, 1}, {1, 3}, {2, 2}, {3, 3}}), testing::ElementsAre(1, 2, 0));
}

TEST(Pareto, HasOneOfTwoPointsThatShareACoordinateAndEqualPointsBoth) {
  EXPECT_THAT(pareto_front({{1, 5}, {1, 4}, {2, 4}}), testing::ElementsAre(1));
  EXPECT_THAT(pareto_front({{2, 2}, {1, 3}, {2, 2}}), testing::ElementsAre(1, 0, 2));
  EXPECT_THAT(pareto_front({}), testing::IsEmpty());
}

TEST(Pareto, HasThePointsThatNoneBeats) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomStream dice(seed, Purpose::faults, 0, 0);
    Plane points(dice.bounded(40));
    // Few values, so that many points are equal or share a coordinate; negative ones, too.
    for (auto& [x, y] : points) {
      x = static_cast<double>(dice.bounded(12)) - 3;
      y = static_cast<double>(dice.bounded(12)) - 3;
    }
    std::vector<std::size_t> expected;
    for (std::size_t p = 0; p < points.size(); ++p)
      if (std::none_of(points.begin(), points.end(), [&](const auto& other) { return beats(other, points[p]); }))
        expected.push_back(p);
    const std::vector<std::size_t> front = pareto_front(points);
    EXPECT_THAT(front, testing::UnorderedElementsAreArray(expected)) << "seed " << seed;
    EXPECT_TRUE(std::is_sorted(front.begin(), front.end(), [&](auto a, auto b) { return points[a] < points[b]; }))
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace starloom
