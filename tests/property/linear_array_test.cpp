// SPDX-License-Identifier: Apache-2.0
// Rajasekaran and Overholt 1990, section 4: farthest destination first on a line on which each node is the
// destination of one packet, with any sources. All loads of up to 7 nodes are tried. Nodes count from 0, so the path
// from node i to the right border has n-1-i links.
#include <gtest/gtest.h>

#include <algorithm>

#include <starloom/core/random.hpp>
#include "property/line.hpp"

namespace starloom::links {
namespace {

/// A load: [destination] -> origin of its packet.
using Load = std::vector<int>;

/// The packets of a load, packet d with destination d.
void put(Line& line, const Load& load) {
  line.packets.clear();
  for (int node = 0; node < static_cast<int>(load.size()); ++node)
    line.packets.push_back({load[static_cast<std::size_t>(node)], node});
}

/// The last step in which each packet was not home yet, counted from 1: [destination].
std::vector<int> times(Line& line, const Load& load) {
  put(line, load);
  std::vector<int> home(load.size());
  for (int step = 1; !line.all_home(); ++step) {
    for (std::size_t d = 0; d < load.size(); ++d)
      if (line.packets[d].at != line.packets[d].target) home[d] = step;
    line.step();
  }
  return home;
}

class LinearArray : public testing::TestWithParam<int> {};

TEST_P(LinearArray, Lemma41TimeIsAtMostTheDistanceToTheBorder) {
  const int n = GetParam();
  Line line(n);
  long broken = 0, reached = 0;
  int last = 0;
  const long loads = visit_all(n, 0, n, [&](const Load& load) {
    const std::vector<int> home = times(line, load);
    for (int d = 0; d < n; ++d) {
      const int origin = load[static_cast<std::size_t>(d)], time = home[static_cast<std::size_t>(d)];
      const int border = d > origin ? n - 1 - origin : origin;
      broken += d != origin && time > border ? 1 : 0;
      reached += d != origin && time == border ? 1 : 0;
      last = std::max(last, time);
    }
  });
  EXPECT_EQ(broken, 0) << "of " << loads << " loads";
  EXPECT_GT(reached, 0);
  EXPECT_EQ(last, n - 1);
}

TEST_P(LinearArray, Lemma42DistanceIsAtMostTheStepsThatAreLeft) {
  const int n = GetParam();
  Line line(n);
  long broken = 0, reached = 0;
  visit_all(n, 0, n, [&](const Load& load) {
    put(line, load);
    for (int step = 1; step < n; ++step) {
      line.step();
      for (const Line::Packet& packet : line.packets) {
        broken += packet.distance() > n - 1 - step ? 1 : 0;
        reached += packet.distance() == n - 1 - step ? 1 : 0;
      }
    }
  });
  EXPECT_EQ(broken, 0);
  EXPECT_GT(reached, 0);
}

/// The delay of each packet that goes to the right, and the bounds of lemma 4.3 as printed and as corrected. To the
/// left everything is mirrored.
struct Delays {
  long packets = 0;
  long above_printed = 0, printed_negative = 0;
  long above_corrected = 0, at_corrected = 0;
};

Delays delays_of_all_loads(int n) {
  Line line(n);
  Delays delays;
  std::vector<int> rivals(static_cast<std::size_t>(n));
  visit_all(n, 0, n, [&](const Load& load) {
    const std::vector<int> home = times(line, load);
    for (int d = 0; d < n; ++d) {
      const int origin = load[static_cast<std::size_t>(d)];
      if (origin >= d) continue;
      // Those that may delay it go on beyond d, and start before it.
      std::fill(rivals.begin(), rivals.end(), 0);
      for (int other = d + 1; other < n; ++other)
        if (const int start = load[static_cast<std::size_t>(other)]; start < d)
          ++rivals[static_cast<std::size_t>(start)];
      int printed = 0, corrected = 0;
      for (int j = 0; j < n; ++j) {
        const int k = rivals[static_cast<std::size_t>(j)];
        printed += j <= origin ? k : k - 1;
        corrected += j <= origin ? k : std::max(0, k - 1);
      }
      const int delay = home[static_cast<std::size_t>(d)] - (d - origin);
      ++delays.packets;
      delays.above_printed += delay > printed ? 1 : 0;
      delays.printed_negative += printed < 0 ? 1 : 0;
      delays.above_corrected += delay > corrected ? 1 : 0;
      delays.at_corrected += delay == corrected ? 1 : 0;
    }
  });
  return delays;
}

// The printed bound counts -1 for each node to the right of the packet's origin. A packet for node d has at most n-1-d
// rivals, and n-1-origin nodes are to the right, which is more: the bound is negative for every packet.
TEST_P(LinearArray, Lemma43AsPrintedIsFalseForEveryPacket) {
  const Delays delays = delays_of_all_loads(GetParam());
  EXPECT_EQ(delays.printed_negative, delays.packets);
  EXPECT_EQ(delays.above_printed, delays.packets);
  if (GetParam() == 7) {
    EXPECT_EQ(delays.packets, 2'470'629);
  }
}

TEST_P(LinearArray, Lemma43HoldsIfEmptyNodesDoNotCount) {
  const Delays delays = delays_of_all_loads(GetParam());
  EXPECT_EQ(delays.above_corrected, 0);
  EXPECT_GT(delays.at_corrected, delays.packets / 2);
}

/// The last step of a load if, in the first `held` steps, packets that start in the rightmost `held` nodes and go to
/// the right do not move, nor do those that start in the leftmost ones and go to the left.
int last_step_if_held(Line& line, const Load& load, int held) {
  const int n = static_cast<int>(load.size());
  put(line, load);
  for (Line::Packet& packet : line.packets)
    packet.held = packet.target > packet.at ? packet.at >= n - held : packet.target < packet.at && packet.at < held;
  int steps = 0;
  for (; !line.all_home(); ++steps) {
    if (steps == held)
      for (Line::Packet& packet : line.packets) packet.held = false;
    line.step();
  }
  return steps;
}

TEST_P(LinearArray, Lemma44HoldingTheOutermostBackDoesNotMatter) {
  const int n = GetParam();
  Line line(n);
  for (int held = 1; held <= n / 2; ++held) {
    int last = 0;
    visit_all(n, 0, n, [&](const Load& load) { last = std::max(last, last_step_if_held(line, load, held)); });
    EXPECT_EQ(last, n - 1) << "held " << held;
  }
}

INSTANTIATE_TEST_SUITE_P(Nodes, LinearArray, testing::Values(2, 3, 4, 5, 6, 7), testing::PrintToStringParamName());

TEST(LongLinearArray, Lemma44HoldsForRandomLoads) {
  for (const int n : {8, 13, 24}) {
    Line line(n);
    Load load(static_cast<std::size_t>(n));
    for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
      // Few origins make crowds.
      RandomStream random(seed, Purpose::destination, n, 0);
      const std::uint32_t origins = 1 + random.bounded(static_cast<std::uint32_t>(n));
      const std::uint32_t first = random.bounded(static_cast<std::uint32_t>(n) - origins + 1);
      for (int& origin : load) origin = static_cast<int>(first + random.bounded(origins));
      const int held = 1 + static_cast<int>(random.bounded(static_cast<std::uint32_t>(n / 2)));
      ASSERT_LE(last_step_if_held(line, load, held), n - 1) << "n " << n << " seed " << seed;
    }
  }
}

}  // namespace
}  // namespace starloom::links
