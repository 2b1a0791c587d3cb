// SPDX-License-Identifier: Apache-2.0
// Patterns of supersquares: who sends where, written by hand for small meshes, and the loads that they are made for.
#include <gmock/gmock.h>

#include <map>
#include <set>

#include <starloom/algorithms/constant_queue/levels.hpp>
#include <starloom/algorithms/constant_queue/packet_class.hpp>
#include "unit/traffic_support.hpp"

namespace starloom::links {
namespace {

using testing::HasSubstr;
using Nodes = std::vector<NodeId>;

const std::vector<std::string> patterns = {"corner",        "corner-shift",  "corner-critical", "cross",
                                           "cross-corner",  "specials",      "into-middle",     "queue-middle",
                                           "queue-outside", "queue-snake",   "late-rows",       "late-rows-alone",
                                           "queue-asap",    "queue-crossed", "structured"};

TEST(BlockPatterns, GiveANodeOnePacketAtMost) {
  for (const std::string& pattern : patterns)
    for (const std::int32_t n : {24, 32, 48, 64, 128})
      for (std::uint64_t seed = 1; seed <= (pattern == "structured" ? 20 : 1); ++seed) {
        SCOPED_TRACE(pattern + " " + std::to_string(n) + " seed " + std::to_string(seed));
        std::set<NodeId> reached;
        int packets = 0;
        for (const NodeId to : destinations_of(pattern, Grid::mesh({n, n}), {}, seed)) {
          if (to == no_node) continue;
          ++packets;
          EXPECT_TRUE(to >= 0 && to < n * n && reached.insert(to).second) << to;
        }
        EXPECT_GE(packets, pattern == "late-rows-alone" ? 23 : 24);
      }
}

TEST(BlockPatterns, KnownAnswersOn8x8) {
  // A supersquare is a node.
  const Grid mesh = Grid::mesh({8, 8});
  const auto sends = [&mesh](const std::string& pattern) {
    std::map<NodeId, NodeId> pairs;
    const Nodes to = destinations_of(pattern, mesh);
    for (NodeId v = 0; v < 64; ++v)
      if (to[static_cast<std::size_t>(v)] != no_node) pairs[v] = to[static_cast<std::size_t>(v)];
    return pairs;
  };
  using Pairs = std::map<NodeId, NodeId>;
  EXPECT_EQ(sends("corner"), (Pairs{{0, 63}, {7, 56}, {56, 7}, {63, 0}}));
  EXPECT_EQ(sends("corner-shift"), (Pairs{{0, 63}, {7, 56}, {56, 7}, {63, 0}}));
  EXPECT_EQ(sends("specials"), (Pairs{{0, 59}, {7, 60}, {56, 3}, {63, 4}}));
  const Pairs cross = sends("cross"), cross_corner = sends("cross-corner");
  EXPECT_EQ(cross.size(), 28u);
  EXPECT_EQ(cross.at(3), 24);
  EXPECT_EQ(cross.at(24), 3);
  EXPECT_EQ(cross.at(28), 35);
  EXPECT_EQ(cross_corner.size(), 32u);
  EXPECT_EQ(cross_corner.at(0), 63);
  EXPECT_EQ(sends("into-middle").at(0), 59);
  EXPECT_EQ(sends("into-middle").at(4), 60);
  EXPECT_EQ(sends("into-middle").size(), 16u);
}

TEST(BlockPatterns, CornersAreCriticalAndMeetTheirBlock) {
  const std::int32_t n = 48;
  const Level level = constant_queue_levels(n, 16, 0).front();
  const auto place = [n](NodeId v) { return Local{v / n, v % n}; };
  for (const char* pattern : {"corner", "corner-shift"}) {
    const Nodes to = destinations_of(pattern, Grid::mesh({n, n}));
    for (NodeId v = 0; v < n * n; ++v) {
      const NodeId d = to[static_cast<std::size_t>(v)];
      if (d == no_node) continue;
      EXPECT_EQ(classify(level, place(v), place(d)), PacketClass::critical);
      if (pattern == std::string("corner-shift")) {
        EXPECT_EQ(v / n % 6, d / n % 6);
        EXPECT_EQ(v % 6, d % 6);
      }
    }
  }
}

// F + (n - F)/s packets of one column in one row, without other packets in their paths
// (docs/algorithms/constant-queue).
TEST(BlockPatterns, AdversariesCollectWhatAColumnCanTake) {
  for (const auto& [n, column] : std::map<std::int32_t, std::int32_t>{{48, 18}, {64, 24}, {128, 48}, {192, 72}}) {
    std::set<NodeId> columns;
    int packets = 0;
    for (const NodeId to : destinations_of("queue-middle", Grid::mesh({n, n})))
      if (to != no_node) {
        columns.insert(to % n);
        ++packets;
      }
    EXPECT_EQ(columns, std::set<NodeId>{column});
    EXPECT_EQ(packets, n);
  }
}

// 5m packets of a row go to the right of column 5m - 1, and 2m and two thirds of m that land in it end left of it.
TEST(BlockPatterns, LateRowsFillOneLink) {
  const std::int32_t n = 256, m = 32;
  const Nodes to = destinations_of("late-rows", Grid::mesh({n, n}));
  for (std::int32_t i = 0; i < 4; ++i) {
    int through = 0, ending = 0;
    for (std::int32_t column = 0; column < n; ++column) {
      const NodeId own = to[static_cast<std::size_t>((6 * m + i) * n + column)];
      through += own != no_node && own % n >= 5 * m ? 1 : 0;
      const NodeId below = to[static_cast<std::size_t>((7 * m + i) * n + column)];
      ending += below != no_node && below % n < 5 * m && below % n >= 3 * m ? 1 : 0;
    }
    EXPECT_EQ(through, 5 * m);
    EXPECT_EQ(ending, 2 * m + 20);
  }
}

// At n = 192 the nested level has m = 3, so 4 x 9 packets of each corner are left.
TEST(BlockPatterns, CornersOfCornersAreCriticalInNestedLevels) {
  const auto packets = [](const std::string& pattern, std::int32_t n) {
    int count = 0;
    for (const NodeId to : destinations_of(pattern, Grid::mesh({n, n}))) count += to != no_node ? 1 : 0;
    return count;
  };
  EXPECT_EQ(packets("corner-critical", 192), 4 * 4 * 9);
  EXPECT_EQ(packets("corner-critical", 64), packets("corner", 64));
  const Nodes all = destinations_of("late-rows", Grid::mesh({64, 64})),
              alone = destinations_of("late-rows-alone", Grid::mesh({64, 64}));
  for (std::size_t v = 0; v < alone.size(); ++v) EXPECT_TRUE(alone[v] == no_node || alone[v] == all[v]) << v;
  EXPECT_LT(packets("late-rows-alone", 64), packets("late-rows", 64));
}

TEST(BlockPatterns, RefuseWhatHasNoSupersquares) {
  for (const std::string& pattern : patterns) {
    const auto refusal = [&pattern](const Grid& grid, const std::map<std::string, KeyValue>& keys) -> std::string {
      try {
        destinations_of(pattern, grid, keys);
      } catch (const InputError& error) {
        return error.what();
      }
      return "accepted";
    };
    EXPECT_THAT(refusal(Grid::mesh({20, 20}), {}), HasSubstr("a multiple of 8")) << pattern;
    EXPECT_THAT(refusal(Grid::mesh({16, 24}), {}), HasSubstr("square mesh")) << pattern;
    EXPECT_THAT(refusal(Grid::torus({16, 16}), {}), HasSubstr("square mesh")) << pattern;
    if (pattern.rfind("adv", 0) != 0) continue;
    EXPECT_THAT(refusal(Grid::mesh({16, 16}), {}), HasSubstr("at least 24")) << pattern;
    if (pattern == "queue-crossed") continue;
    EXPECT_THAT(refusal(Grid::mesh({64, 64}), {{"s", std::int64_t{3}}}), HasSubstr("choose 2")) << pattern;
  }
}

}  // namespace
}  // namespace starloom::links
