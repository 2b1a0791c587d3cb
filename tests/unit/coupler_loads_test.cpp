// SPDX-License-Identifier: Apache-2.0
#include <starloom/message/pops/coupler_loads.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include <starloom/core/random.hpp>

namespace starloom::pops {
namespace {

// Rows that never fill a byte, rows that do, and slots with more drivers than a byte holds, against plain sums.
TEST(CouplerLoads, CountBeyondAByte) {
  constexpr std::size_t groups = 5;
  for (const std::uint32_t most : {2u, 100u, 256u, 1000u}) {
    CouplerLoads loads(groups);
    std::vector<std::int64_t> plain(groups * groups, 0);
    RandomStream random(most, Purpose::algorithm, 0, 0);
    std::int64_t greatest = 0;
    for (int slot = 0; slot < 50; ++slot) {
      const std::size_t row = random.bounded(groups), first = random.bounded(groups);
      std::vector<std::uint32_t> drivers(groups - first);
      std::int64_t collisions = 0;
      for (std::size_t at = 0; at < drivers.size(); ++at) {
        drivers[at] = random.bounded(most + 1);
        collisions += drivers[at] > 1 ? 1 : 0;
        plain[row * groups + first + at] += drivers[at];
      }
      ASSERT_EQ(loads.add(row, first, drivers.data(), drivers.size()), collisions) << most << " " << slot;
      // The same drivers again, by the indices of those that are not 0, some of them twice.
      std::vector<std::uint16_t> places;
      for (std::size_t at = 0; at < drivers.size(); ++at) {
        plain[row * groups + first + at] += drivers[at];
        if (drivers[at] > 0) places.insert(places.end(), 1 + at % 2, static_cast<std::uint16_t>(at));
      }
      ASSERT_EQ(loads.add_few(row, first, drivers.data(), places.data(), places.size()), collisions);
      ASSERT_EQ(drivers, std::vector<std::uint32_t>(drivers.size(), 0));
      const std::size_t from = random.bounded(groups), to = random.bounded(groups);
      loads.add_one(from, to);
      ++plain[from * groups + to];
      for (const std::int64_t load : plain) greatest = std::max(greatest, load);
      ASSERT_EQ(loads.greatest(), greatest) << most << " " << slot;
    }
    EXPECT_GT(greatest, most > 2 ? 255 : 0);
  }
}

}  // namespace
}  // namespace starloom::pops
