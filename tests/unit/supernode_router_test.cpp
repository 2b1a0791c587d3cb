// SPDX-License-Identifier: Apache-2.0
// Packet routers on supernodes as arrays: what they promise of supersteps and queues; what command processors decide.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <set>

#include <starloom/algorithms/supernode_hot_potato/geometry.hpp>
#include <starloom/algorithms/supernode_hot_potato/supernode_model.hpp>
#include "support/permutations.hpp"

namespace starloom::links {
namespace {

struct RouterKind {
  const char* name;
  std::unique_ptr<SupernodeRouter> (*make)(const SupernodeTraffic& traffic);
};
std::ostream& operator<<(std::ostream& out, const RouterKind& kind) { return out << kind.name; }

/// Destinations by supernode, `no_supernode` where no worm begins.
using RoundMap = std::vector<std::int32_t>;

SupernodeTraffic traffic_of(const RoundMap& map, std::int32_t side, bool consumed_at_once) {
  std::vector<std::int32_t> received(map.size());
  for (const std::int32_t to : map)
    if (to != no_supernode) ++received[static_cast<std::size_t>(to)];
  return {side, std::max(1, *std::max_element(received.begin(), received.end())), consumed_at_once};
}

class Routers : public testing::TestWithParam<RouterKind> {
 protected:
  /// Runs a round for as many supersteps as the router promises.
  void expect_promises(const RoundMap& map, std::int32_t side, bool consumed_at_once, std::int32_t f = 12) const {
    const SupernodeTraffic traffic = traffic_of(map, side, consumed_at_once);
    const auto router = GetParam().make(traffic);
    while (f - 4 < router->kept()) f = static_cast<std::int32_t>(SupernodeSize::least_f(f + 1));
    SupernodeModel model(*router, side, f / 2);
    std::int32_t worms = 0;
    for (std::size_t s = 0; s < map.size(); ++s)
      if (map[s] != no_supernode) model.store(static_cast<std::int32_t>(s), 0, worms++, map[s]);
    for (std::int32_t superstep = 0; superstep < router->supersteps(); ++superstep) {
      model.run_superstep();
      if (consumed_at_once && superstep >= router->first_consuming()) model.consume();
      EXPECT_LE(model.most_kept(), router->kept()) << "superstep " << superstep;
    }
    EXPECT_TRUE(model.all_home());
    EXPECT_EQ(model.worms() + model.consumed(), worms);
  }
  void expect_promises(const RoundMap& map, std::int32_t side) const {
    for (const bool consumed_at_once : {false, true}) {
      SCOPED_TRACE(testing::PrintToString(map) + (consumed_at_once ? " consumed" : ""));
      expect_promises(map, side, consumed_at_once);
      if (testing::Test::HasFailure()) return;
    }
  }
};

TEST_P(Routers, ServeAllFunctionsOfFourSupernodes) {
  for (std::int32_t code = 0; code < 5 * 5 * 5 * 5; ++code) {
    const RoundMap map = {code % 5 - 1, code / 5 % 5 - 1, code / 25 % 5 - 1, code / 125 - 1};
    expect_promises(map, 2);
    ASSERT_FALSE(HasFailure());
  }
}

TEST_P(Routers, ServePermutationsOfNineSupernodes) {
  std::vector<std::int32_t> map = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  std::mt19937 random(1);
  for (int i = 0; i < 4000; ++i) {
    shuffle_values(map, random);
    expect_promises(map, 3);
    ASSERT_FALSE(HasFailure());
  }
}

TEST_P(Routers, ServeStructuredPermutations) {
  for (const std::int32_t n : {4, 5, 8, 9, 12}) {
    using Rule = std::function<std::pair<int, int>(int, int)>;
    const std::vector<Rule> rules = {
        [n](int r, int c) { return std::make_pair(n - 1 - r, n - 1 - c); },
        [](int r, int c) { return std::make_pair(c, r); },
        [n](int r, int c) { return std::make_pair((r + n / 2) % n, (c + n / 2) % n); },
        [n](int r, int c) { return std::make_pair(n - 1 - r, c); },
        [n](int r, int c) {
          return std::make_pair(r == 0 ? c : c == 0 ? 0 : r, r == 0 ? 0 : c == 0 ? r : c);
        },
        [n](int r, int c) { return r == 0 ? std::make_pair(c, n - 1) : std::make_pair(-1, c); },
        [n](int r, int c) { return r == n / 2 ? std::make_pair(c, n / 2) : std::make_pair(-1, c); },
    };
    for (const Rule& rule : rules) {
      RoundMap map;
      for (int s = 0; s < n * n; ++s) {
        const auto [row, column] = rule(s / n, s % n);
        map.push_back(row < 0 ? no_supernode : row * n + column);
      }
      expect_promises(map, n);
      ASSERT_FALSE(HasFailure());
    }
  }
}

TEST_P(Routers, ServeRandomPartialPermutationsAndFunctions) {
  std::mt19937 random(2);
  for (int i = 0; i < 300; ++i) {
    const auto n = static_cast<std::int32_t>(2 + random() % 9);
    RoundMap map(static_cast<std::size_t>(n * n));
    std::iota(map.begin(), map.end(), 0);
    shuffle_values(map, random);
    const auto targets = 1 + random() % static_cast<std::size_t>(n * n);
    const bool function = i % 3 == 0;
    for (std::int32_t& to : map) {
      if (random() % 4 == 0) to = no_supernode;
      else if (function) to = map[random() % targets] == no_supernode ? 0 : to % static_cast<std::int32_t>(targets);
    }
    expect_promises(map, n);
    ASSERT_FALSE(HasFailure());
  }
}

TEST_P(Routers, ServeEverybodyForOne) {
  for (const std::int32_t n : {2, 3, 4, 5, 7})
    for (const std::int32_t target : {0, n - 1, n * n / 2, n * n - 1})
      expect_promises(RoundMap(static_cast<std::size_t>(n * n), target), n);
}

INSTANTIATE_TEST_SUITE_P(All, Routers,
                         testing::Values(RouterKind{"row_first", row_first_router},
                                         RouterKind{"sorted", sorted_router}),
                         [](const auto& instance) { return instance.param.name; });

TEST(RowFirstRouter, TakesTheWorstCaseOfPermutations) {
  for (std::int32_t n = 1; n < 40; ++n) {
    const auto router = row_first_router({n, 1, false});
    EXPECT_EQ(router->supersteps(), 2 * n - 2);
    EXPECT_EQ(router->kept(), n);
  }
}

TEST(RowFirstRouter, LongestWaysGoFirstAndThenTheLowestPlace) {
  const auto router = row_first_router({5, 1, false});
  SupernodeNotes notes(12, no_supernode);
  const auto to = [](std::int32_t row, std::int32_t column) { return row * 5 + column; };
  notes[0] = to(2, 3);   // 1 to the right
  notes[3] = to(0, 4);   // 2 to the right
  notes[7] = to(4, 4);   // as far
  notes[8] = to(2, 2);   // at home
  notes[10] = to(4, 2);  // 2 down
  notes[11] = to(1, 1);  // 1 to the left
  const SupernodePicks picks = router->pick({2, 2}, 0, notes);
  EXPECT_THAT(picks, testing::ElementsAre(no_worm, 3, 10, 11));
}

TEST(SortedRouter, KeepsOneWormHoweverLargeTheMesh) {
  for (const std::int32_t n : {2, 9, 16, 64}) {
    EXPECT_EQ(sorted_router({n, 1, false})->kept(), 1);
    EXPECT_EQ(sorted_router({n, 1, true})->kept(), 1);
  }
  EXPECT_EQ(sorted_router({1, 1, false})->supersteps(), 0);
  // Rounds of the sort (its steps less one a phase), two supersteps each, and a row and a column.
  EXPECT_EQ(sorted_router({2, 1, false})->supersteps(), 2 * 3 + 2);
  EXPECT_EQ(sorted_router({8, 1, false})->supersteps(), 2 * (53 - 7) + 14);
}

TEST(SortedRouter, SortsByColumns) {
  constexpr std::int32_t n = 6;
  std::mt19937 random(3);
  const auto router = sorted_router({n, 1, false});
  const std::int32_t rows_from = router->first_consuming();
  for (int i = 0; i < 100; ++i) {
    RoundMap map(n * n);
    std::iota(map.begin(), map.end(), 0);
    shuffle_values(map, random);
    for (std::int32_t& to : map)
      if (i % 2 == 1 && random() % 3 == 0) to = no_supernode;
    SupernodeModel model(*router, n, 6);
    for (std::int32_t s = 0; s < n * n; ++s)
      if (map[static_cast<std::size_t>(s)] != no_supernode) model.store(s, 0, s, map[static_cast<std::size_t>(s)]);
    for (std::int32_t superstep = 0; superstep < rows_from; ++superstep) model.run_superstep();
    std::int32_t before = 0;
    for (std::int32_t p = 0; p < n * n; ++p) {
      const std::vector<std::int32_t> here = model.destinations(p % n * n + p / n);
      ASSERT_LE(here.size(), 1u);
      const std::int32_t column = here.empty() ? n : here.front() % n;
      ASSERT_LE(before, column) << "place " << p;
      before = column;
    }
  }
}

// ---- decisions

/// Sends the worms that the test selects.
class FixedRouter final : public SupernodeRouter {
 public:
  std::int32_t supersteps() const override { return 1; }
  std::int32_t kept() const override { return 8; }
  SupernodePicks pick(SupernodePosition, std::int32_t, const SupernodeNotes&) const override { return picks; }
  SupernodePicks picks = {no_worm, no_worm, no_worm, no_worm};
};

TEST(SuperstepDecisions, LeaveTwoPlacesInEachRing) {
  constexpr std::int32_t slots = 6;
  FixedRouter router;
  for (std::uint32_t occupied = 0; occupied < 1u << 12; ++occupied)
    for (const std::int32_t leaving : {0, 1, 3}) {
      SupernodeNotes notes(12, no_supernode);
      std::int32_t left = leaving;
      router.picks = {no_worm, no_worm, no_worm, no_worm};
      for (std::int32_t place = 11; place >= 0; --place)
        if ((occupied >> place & 1) != 0) {
          notes[static_cast<std::size_t>(place)] = place;
          if (left > 0) router.picks[static_cast<std::size_t>(--left)] = place;
        }
      if (__builtin_popcount(occupied) - (leaving - left) > 8) continue;
      SuperstepDecision decision(slots);
      decide(router, {0, 0}, 0, true, notes, decision);
      // Positions may have changed only by exchanges of slots.
      std::int32_t swapped = 0;
      for (std::size_t slot = 0; slot < slots; ++slot) {
        swapped += decision.swaps[slot];
        for (const std::size_t ring : {0, 1}) {
          const std::int32_t note = notes[slot + ring * slots];
          const std::size_t from = (decision.swaps[slot] != 0 ? 1 - ring : ring) * slots + slot;
          ASSERT_EQ(note, (occupied >> from & 1) != 0 ? static_cast<std::int32_t>(from) : no_supernode);
        }
      }
      ASSERT_EQ(swapped, decision.swapped);
      for (Port port = 0; port < 4; ++port)
        if (router.picks[static_cast<std::size_t>(port)] != no_worm) {
          const auto sent = std::find(decision.leaves.begin(), decision.leaves.end(), port);
          ASSERT_NE(sent, decision.leaves.end());
          ASSERT_EQ(notes[static_cast<std::size_t>(sent - decision.leaves.begin())],
                    router.picks[static_cast<std::size_t>(port)]);
        }
      std::set<std::int32_t> given;
      for (Port buffer = 0; buffer < 4; ++buffer) {
        const std::int32_t place = ring_of_buffer(buffer) * slots + decision.slot[static_cast<std::size_t>(buffer)];
        ASSERT_TRUE(given.insert(place).second);
        ASSERT_TRUE(notes[static_cast<std::size_t>(place)] == no_supernode ||
                    decision.leaves[static_cast<std::size_t>(place)] != no_port);
      }
    }
}

TEST(SuperstepDecisions, OfAnEmptySupernodeAreWhatBuffersAssume) {
  FixedRouter router;
  SupernodeNotes notes(12, no_supernode);
  SuperstepDecision decision(6);
  const SuperstepDecision silent(6);
  decide(router, {0, 0}, 0, true, notes, decision);
  EXPECT_EQ(decision.slot, silent.slot);
  EXPECT_EQ(decision.kept, 0);
}

TEST(SuperstepDecisions, WithoutBalanceARingMayBeFull) {
  FixedRouter router;
  SupernodeNotes notes(12, no_supernode);
  for (std::size_t slot = 0; slot < 6; ++slot) notes[slot] = 1;
  SuperstepDecision decision(6);
  decide(router, {0, 0}, 0, false, notes, decision);
  EXPECT_EQ(decision.swapped, 0);
  EXPECT_NE(notes[static_cast<std::size_t>(decision.slot[compass::south])], no_supernode);
}

}  // namespace
}  // namespace starloom::links
