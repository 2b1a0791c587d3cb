// SPDX-License-Identifier: Apache-2.0
// Patterns with one destination a node: known answers written by hand, laws, and what they refuse.
#include <algorithm>
#include <map>

#include <starloom/topology/express_mesh.hpp>
#include <starloom/topology/fat_tree.hpp>
#include <starloom/topology/network_graph_builder.hpp>

#include "unit/traffic_support.hpp"

namespace starloom {
namespace {

using Nodes = std::vector<NodeId>;
using Keys = std::map<std::string, KeyValue>;

bool is_permutation(const Nodes& destinations) {
  Nodes sorted = destinations;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (sorted[i] != static_cast<NodeId>(i)) return false;
  return true;
}

TEST(Patterns, TableHasAllNames) {
  std::vector<std::string> names;
  for (const PatternEntry& entry : all_patterns()) {
    names.push_back(entry.name);
    EXPECT_EQ(find_pattern(entry.name), &entry);
    EXPECT_FALSE(entry.meaning.empty());
    for (const KeySpec& key : entry.keys) EXPECT_FALSE(key.meaning.empty()) << entry.name << " " << key.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"uniform",
                                             "hot-spot",
                                             "matrix",
                                             "random-permutation",
                                             "random-function",
                                             "bounded",
                                             "identity",
                                             "transpose",
                                             "antitranspose",
                                             "quarter-turn",
                                             "reversal",
                                             "column-reversal",
                                             "bit-reversal",
                                             "bit-complement",
                                             "shuffle",
                                             "tornado",
                                             "neighbour",
                                             "shift",
                                             "block",
                                             "application",
                                             "classes",
                                             "transactions",
                                             "packets",
                                             "netrace",
                                             "collective",
                                             "program",
                                             "chakra",
                                             "closed-loop",
                                             "file",
                                             "half-permutation",
                                             "greedykill",
                                             "corner",
                                             "corner-shift",
                                             "corner-critical",
                                             "cross",
                                             "cross-corner",
                                             "specials",
                                             "into-middle",
                                             "queue-middle",
                                             "queue-outside",
                                             "queue-snake",
                                             "late-rows",
                                             "late-rows-alone",
                                             "queue-crossed",
                                             "queue-asap",
                                             "queue-kunde",
                                             "structured",
                                             "ring-stress",
                                             "starve",
                                             "ranks"}));
  EXPECT_EQ(find_pattern("diagonal"), nullptr);
}

TEST(Patterns, HaveOldNames) {
  const std::map<std::string, std::string> current = {
      {"part50", "half-permutation"}, {"colreverse", "column-reversal"},    {"cornershift", "corner-shift"},
      {"intoI", "into-middle"},       {"cornerreconly", "corner-critical"}, {"cross2", "cross-corner"},
      {"advI", "queue-middle"},       {"advII", "queue-outside"},           {"advIs", "queue-snake"},
      {"advRow", "late-rows"},        {"advRow0", "late-rows-alone"},       {"advCross", "queue-crossed"},
      {"advAsap", "queue-asap"},      {"advKunde", "queue-kunde"}};
  std::size_t renamed = 0;
  for (const PatternEntry& entry : all_patterns()) renamed += entry.old_name.empty() ? 0 : 1;
  EXPECT_EQ(renamed, current.size());
  for (const auto& [old_name, name] : current) EXPECT_EQ(find_pattern(old_name), find_pattern(name)) << old_name;
  EXPECT_EQ(find_pattern(""), nullptr);
  // A name comes before an old name.
  PatternEntry own;
  own.name = "part50";
  const std::vector<PatternEntry> table = {*find_pattern("half-permutation"), own};
  EXPECT_EQ(find_entry(table, "part50"), &table[1]);
}

TEST(Patterns, KnownAnswersOnMeshes) {
  const Grid m33 = Grid::mesh({3, 3});
  EXPECT_EQ(destinations_of("identity", m33), (Nodes{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(destinations_of("transpose", m33), (Nodes{0, 3, 6, 1, 4, 7, 2, 5, 8}));
  EXPECT_EQ(destinations_of("reversal", m33), (Nodes{8, 7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(destinations_of("antitranspose", m33), (Nodes{8, 5, 2, 7, 4, 1, 6, 3, 0}));
  EXPECT_EQ(destinations_of("column-reversal", Grid::mesh({3, 2})), (Nodes{4, 5, 2, 3, 0, 1}));
  // (row, column) -> (column, 2 - row): the top row becomes the right column.
  EXPECT_EQ(destinations_of("quarter-turn", m33), (Nodes{2, 5, 8, 1, 4, 7, 0, 3, 6}));

  const Grid m24 = Grid::mesh({2, 4});
  EXPECT_EQ(destinations_of("bit-reversal", m24), (Nodes{0, 4, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(destinations_of("bit-complement", m24), (Nodes{7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(destinations_of("shuffle", m24), (Nodes{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(destinations_of("block", m24), (Nodes{6, 7, 4, 5, 2, 3, 0, 1}));

  // Sides 2 and 5: rows move by ceil(2/2) - 1 = 0, columns by ceil(5/2) - 1 = 2.
  EXPECT_EQ(destinations_of("tornado", Grid::mesh({2, 5})), (Nodes{2, 3, 4, 0, 1, 7, 8, 9, 5, 6}));
  EXPECT_EQ(destinations_of("neighbour", Grid::mesh({2, 3})), (Nodes{4, 5, 3, 1, 2, 0}));
}

TEST(Patterns, KnownAnswersOnTori) {
  // Node a_1 + 3*a_2.
  EXPECT_EQ(destinations_of("neighbour", Grid::torus({3, 2})), (Nodes{4, 5, 3, 1, 2, 0}));
  // Sides 4 and 3 both move by 1; (3, 2) wraps in both.
  EXPECT_EQ(destinations_of("tornado", Grid::torus({4, 3})), (Nodes{5, 6, 7, 4, 9, 10, 11, 8, 1, 2, 3, 0}));
  EXPECT_EQ(destinations_of("tornado", Grid::torus({8})), (Nodes{3, 4, 5, 6, 7, 0, 1, 2}));
  EXPECT_EQ(destinations_of("transpose", Grid::torus({2, 2})), (Nodes{0, 2, 1, 3}));
  // Four axes: (a, b, c, d) -> (c, d, a, b). Node 1 = (1,0,0,0) goes to (0,0,1,0) = 4, node 2 to 8.
  EXPECT_EQ(destinations_of("transpose", Grid::torus({2, 2, 2, 2})),
            (Nodes{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}));
  EXPECT_EQ(destinations_of("block", Grid::torus({4})), (Nodes{2, 3, 0, 1}));
}

TEST(Patterns, ShiftTakesAnyOffset) {
  const Grid grid = Grid::mesh({1, 5});
  EXPECT_EQ(destinations_of("shift", grid, {{"offset", std::int64_t{3}}}), (Nodes{3, 4, 0, 1, 2}));
  EXPECT_EQ(destinations_of("shift", grid, {{"offset", std::int64_t{-1}}}), (Nodes{4, 0, 1, 2, 3}));
  EXPECT_EQ(destinations_of("shift", grid, {{"offset", std::int64_t{12}}}), (Nodes{2, 3, 4, 0, 1}));
}

TEST(Patterns, HotSpotDealsTargetsInTurn) {
  const Grid grid = Grid::mesh({2, 3});
  EXPECT_EQ(destinations_of("hot-spot", grid, {{"targets", std::vector<std::int64_t>{5, 2}}}),
            (Nodes{5, 2, 5, 2, 5, 2}));
}

TEST(Patterns, OneNodeIsEnoughForMost) {
  const Grid one = Grid::mesh({1, 1});
  for (const char* name : {"random-permutation", "random-function", "identity", "transpose", "reversal", "bit-reversal",
                           "bit-complement", "shuffle", "tornado", "neighbour", "quarter-turn"})
    EXPECT_EQ(destinations_of(name, one), Nodes{0}) << name;
}

TEST(Patterns, ArePermutations) {
  const std::vector<Grid> grids = {Grid::mesh({8, 8}), Grid::torus({4, 4}), Grid::torus({4, 2, 4, 2}),
                                   Grid::mesh({4, 4, 4, 4}), Grid::mesh({16, 16})};
  for (const Grid& grid : grids) {
    for (const char* name : {"random-permutation", "identity", "transpose", "reversal", "bit-reversal",
                             "bit-complement", "shuffle", "tornado", "neighbour", "block"})
      EXPECT_TRUE(is_permutation(destinations_of(name, grid))) << name;
    EXPECT_TRUE(is_permutation(destinations_of("shift", grid, {{"offset", std::int64_t{7}}})));
  }
  EXPECT_TRUE(is_permutation(destinations_of("quarter-turn", Grid::mesh({16, 16}))));
}

// The words of docs/model.md, "Randomness", from an independent implementation of Philox and of the random choices in
// another language.
TEST(Patterns, RandomOnesAreTheStatedDraws) {
  EXPECT_EQ(destinations_of("random-permutation", Grid::mesh({4, 4}), {}, 1),
            (Nodes{7, 9, 11, 14, 4, 15, 3, 1, 13, 10, 5, 12, 8, 2, 0, 6}));
  EXPECT_EQ(destinations_of("random-permutation", Grid::torus({3, 3}), {}, (std::uint64_t{1} << 40) + 7),
            (Nodes{5, 4, 0, 6, 8, 3, 1, 2, 7}));
  EXPECT_EQ(destinations_of("random-function", Grid::mesh({4, 4}), {}, 1),
            (Nodes{1, 2, 5, 10, 5, 1, 2, 2, 11, 3, 15, 15, 13, 2, 0, 3}));
}

TEST(Patterns, BoundedStaysWithinItsDistance) {
  const std::vector<Grid> grids = {Grid::mesh({9, 7}), Grid::torus({8, 5}), Grid::torus({4, 4, 3}), Grid::mesh({1, 12}),
                                   Grid::torus({2, 1})};
  for (const Grid& grid : grids)
    for (const std::int64_t distance : {0, 1, 2, 3, 5, 100})
      for (const std::uint64_t seed : {1u, 2u}) {
        const Nodes to = destinations_of("bounded", grid, {{"distance", distance}}, seed);
        ASSERT_TRUE(is_permutation(to));
        for (NodeId v = 0; v < grid.nodes(); ++v) ASSERT_LE(grid.distance(v, to[v]), distance);
      }
}

TEST(Patterns, BoundedMovesMostPackets) {
  const Grid grid = Grid::mesh({16, 16});
  for (const std::int64_t distance : {1, 2, 4, 30}) {
    const Nodes to = destinations_of("bounded", grid, {{"distance", distance}});
    int still = 0, farthest = 0;
    for (NodeId v = 0; v < grid.nodes(); ++v) {
      still += to[v] == v ? 1 : 0;
      farthest += grid.distance(v, to[v]) == distance ? 1 : 0;
    }
    // In a uniform permutation one packet stays on average; exchanges of neighbours (distance 1) leave about a third.
    EXPECT_LT(still, distance == 1 ? 128 : distance == 2 ? 64 : 40) << distance;
    EXPECT_GT(farthest, distance <= 4 ? 40 : -1) << distance;
    EXPECT_NE(to, destinations_of("bounded", grid, {{"distance", distance}}, 2));
  }
  EXPECT_EQ(destinations_of("bounded", grid, {{"distance", std::int64_t{0}}}), destinations_of("identity", grid));
}

// On [1, 3] within distance 1 there are three permutations, all reachable: each must come up about as often.
TEST(Patterns, BoundedIsNearlyUniform) {
  const Grid grid = Grid::mesh({1, 3});
  std::map<Nodes, int> seen;
  for (std::uint64_t seed = 0; seed < 3000; ++seed)
    ++seen[destinations_of("bounded", grid, {{"distance", std::int64_t{1}}}, seed)];
  ASSERT_EQ(seen.size(), 3u);
  for (const auto& [permutation, times] : seen) {
    EXPECT_GT(times, 880);
    EXPECT_LT(times, 1120);
  }
}

TEST(Patterns, GreedykillKnownAnswer) {
  // n = 6, column 3. Row 0: columns 2..4 go to rows 5, 4, 3; row 1: columns 2..4 go to rows 2, 1, 0.
  Nodes expected(36, no_node);
  expected[2] = 33;
  expected[3] = 27;
  expected[4] = 21;
  expected[8] = 15;
  expected[9] = 9;
  expected[10] = 3;
  EXPECT_EQ(destinations_of("greedykill", Grid::mesh({6, 6})), expected);
}

std::string refusal(const std::string& pattern, const Grid& grid, Keys keys = {}) {
  return input_error([&] { make_traffic(pattern, grid, keys); });
}

TEST(Patterns, GreedykillFillsTheColumnThatIsAskedFor) {
  // n = 6, column 1. Row 0: columns 0..2 go to rows 5, 4, 3; row 1: columns 0..2 go to rows 2, 1, 0.
  const auto to = destinations_of("greedykill", Grid::mesh({6, 6}), {{"column", std::int64_t{1}}});
  EXPECT_EQ(Nodes(to.begin(), to.begin() + 9), (Nodes{31, 25, 19, no_node, no_node, no_node, 13, 7, 1}));
  EXPECT_EQ(refusal("greedykill", Grid::mesh({6, 6}), {{"column", std::int64_t{6}}}),
            "6, but columns of the mesh [6, 6] are 0 to 5");
}

TEST(Patterns, AdvKundeQueuesBehindAStream) {
  // n = 8, s = 2: of the subsquares of rows 6 and 7 those next to column 4 send 3 packets each, column by column: the
  // first and the third wait in row 6, the second passes them.
  Nodes expected(64, no_node);
  expected[52] = 2 * 8 + 4;
  expected[60] = 0 * 8 + 4;
  expected[53] = 3 * 8 + 4;
  expected[50] = 4 * 8 + 4;
  expected[58] = 1 * 8 + 4;
  expected[51] = 5 * 8 + 4;
  EXPECT_EQ(destinations_of("queue-kunde", Grid::mesh({8, 8}), {{"s", std::int64_t{2}}}), expected);
  EXPECT_NE(refusal("queue-kunde", Grid::mesh({24, 24})), "");
  EXPECT_NE(refusal("queue-kunde", Grid::mesh({8, 8}), {{"s", std::int64_t{8}}}), "");
  EXPECT_NE(refusal("queue-kunde", Grid::mesh({8, 12}), {{"s", std::int64_t{2}}}), "");
}

TEST(Patterns, Part50LeavesOutHalfOfARandomPermutation) {
  const Grid mesh = Grid::mesh({40, 40});
  const Nodes whole = destinations_of("random-permutation", mesh, {}, 3),
              half = destinations_of("half-permutation", mesh, {}, 3);
  int there = 0;
  for (std::size_t v = 0; v < half.size(); ++v) {
    EXPECT_TRUE(half[v] == whole[v] || half[v] == no_node) << v;
    there += half[v] != no_node ? 1 : 0;
  }
  EXPECT_NEAR(there, 800, 80);
}

TEST(Patterns, GreedykillFillsAColumnOnce) {
  for (std::int64_t n = 2; n <= 40; ++n) {
    const Grid grid = Grid::mesh({n, n});
    std::vector<bool> row_taken(static_cast<std::size_t>(n));
    std::int64_t packets = 0;
    for (const NodeId to : destinations_of("greedykill", grid)) {
      if (to == no_node) continue;
      ++packets;
      ASSERT_EQ(grid.coordinate(to, 1), n / 2);
      ASSERT_FALSE(row_taken[grid.coordinate(to, 0)]);
      row_taken[grid.coordinate(to, 0)] = true;
    }
    EXPECT_LE(packets, n);
    EXPECT_GE(packets, n % 6 == 0 ? n : 1);
  }
}

TEST(Patterns, PacketsAreNumberedBySourceAndHaveTheirLength) {
  const auto traffic = make_traffic("reversal", Grid::mesh({1, 3}), {{"flits", std::int64_t{4}}});
  EXPECT_EQ(packets_until(*traffic, 10, 10), (std::vector<Packet>{{0, 2, 4, 0}, {1, 1, 4, 0}, {2, 0, 4, 0}}));
  EXPECT_EQ(packets_until(*traffic, 10, 1).size(), 3u);
  EXPECT_EQ(traffic->next_creation(0), 0);
  EXPECT_EQ(traffic->next_creation(1), no_step);
  EXPECT_EQ(traffic->end(), 1);
  EXPECT_FALSE(traffic->open_loop());
  EXPECT_FALSE(traffic->phases());
}

TEST(Patterns, SayWhichGridsTheyCannotServe) {
  const Grid m24 = Grid::mesh({2, 4}), m33 = Grid::mesh({3, 3}), t44 = Grid::torus({4, 4});
  EXPECT_EQ(
      refusal("transpose", Grid::mesh({2, 2, 2})),
      "transpose exchanges the first half of the coordinates with the second and needs two equal halves, not the mesh "
      "[2, 2, 2]; choose another shape, or reversal");
  EXPECT_EQ(
      refusal("transpose", m24),
      "transpose exchanges rows and columns and needs a square grid, not the mesh [2, 4]; make both sides equal, or "
      "choose reversal");
  EXPECT_NE(refusal("transpose", Grid::torus({4, 4, 4})), "");
  for (const char* name : {"bit-reversal", "bit-complement", "shuffle"})
    EXPECT_EQ(refusal(name, m33), std::string(name) +
                                      " acts on the bits of node numbers and needs 2^k nodes, but the mesh "
                                      "[3, 3] has 9; choose another shape, or reversal");
  EXPECT_EQ(
      refusal("quarter-turn", m24),
      "quarter-turn rotates a square mesh of two dimensions, not the mesh [2, 4]; make both sides equal, or choose "
      "reversal");
  EXPECT_NE(refusal("quarter-turn", t44), "");
  EXPECT_EQ(
      refusal("block", m33),
      "block exchanges the halves of every side and needs even sides, not the mesh [3, 3]; choose another shape, or "
      "tornado");
  EXPECT_EQ(
      refusal("greedykill", t44),
      "greedykill needs a square mesh of two dimensions and a side of at least 2, not the torus [4, 4]; make both "
      "sides equal, or choose hot-spot");
  EXPECT_NE(refusal("greedykill", Grid::mesh({1, 1})), "");
  EXPECT_EQ(refusal("hot-spot", m33, {{"targets", std::vector<std::int64_t>{}}}),
            "hot-spot needs at least one node in targets");
  EXPECT_EQ(refusal("hot-spot", m33, {{"targets", std::vector<std::int64_t>{0, 9}}}),
            "9 is not a node of the mesh [3, 3]: nodes are 0 to 8");
}

// ---- networks that are not grids

std::unique_ptr<Traffic> traffic_on(const LinkNetwork& network, const std::string& pattern, Keys keys = {}) {
  TrafficContext context;
  context.processors = processors_of(network);
  const PatternEntry& entry = *find_pattern(pattern);
  return make_traffic(entry, context, checked_values(entry.keys, std::move(keys), entry.name));
}

LinkNetwork small_tree() {
  const FatTree tree(2, 3);
  return {"fat tree of arity 2, 3 levels", make_fat_tree(tree), tree, "fat-tree"};
}

TEST(Processors, PatternsOfNumbersWorkWithoutCoordinates) {
  const LinkNetwork tree = small_tree();
  for (const char* pattern :
       {"random-permutation", "random-function", "identity", "reversal", "bit-reversal", "bit-complement", "shuffle"}) {
    const auto packets = packets_until(*traffic_on(tree, pattern), 1, 1);
    EXPECT_EQ(packets.size(), 8u) << pattern;
    for (const Packet& packet : packets) EXPECT_LT(packet.destination, 8) << pattern;
  }
  EXPECT_EQ(packets_until(*traffic_on(tree, "shift", {{"offset", std::int64_t{3}}}), 1, 1)[6].destination, 1);
}

TEST(Processors, PatternsOfCoordinatesAreRefusedWithoutThem) {
  for (const char* pattern : {"transpose", "tornado", "neighbour", "quarter-turn", "block", "greedykill"})
    EXPECT_EQ(input_error([&] { traffic_on(small_tree(), pattern); }),
              std::string(pattern) +
                  " needs coordinates, and the processors of the fat tree of arity 2, 3 levels have none; choose a "
                  "pattern on node numbers, for instance random-permutation or reversal");
  EXPECT_EQ(input_error([&] { traffic_on(small_tree(), "cross"); }).rfind("a pattern of supersquares needs", 0), 0u);
  const ExpressMesh express(4, 4, 2);
  const LinkNetwork mesh{"express mesh", make_express_mesh(express), express, "express-mesh"};
  EXPECT_EQ(packets_until(*traffic_on(mesh, "transpose"), 1, 1)[1].destination, 4);
}

TEST(Processors, AreNodesOnlyBehindTheEdge) {
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "b", "c"}) {
    builder.add_node(NodeRole::switch_node, std::string("s_") + name);
    builder.add_node(NodeRole::processor, name);
  }
  for (const NodeId node : {0, 2, 4}) {
    builder.add_link(node + 1, node);
    builder.add_link(node, node + 1);
    builder.add_link(node, (node + 2) % 6);
  }
  const LinkNetwork network{"ring of switches", builder.build(), {}, "ring"};
  const auto packets = packets_until(*traffic_on(network, "reversal"), 1, 1);
  ASSERT_EQ(packets.size(), 3u);
  EXPECT_EQ(packets[0], (Packet{1, 5, 1, 0}));
  EXPECT_EQ(packets[1], (Packet{3, 3, 1, 0}));
  EXPECT_EQ(packets[2], (Packet{5, 1, 1, 0}));
  EXPECT_EQ(input_error([&] {
              traffic_on(network, "hot-spot", {{"targets", std::vector<std::int64_t>{3}}});
            }),
            "3 is not a node of the ring of switches: nodes are 0 to 2");
}

TEST(Processors, OfPopsSayWhatTheUserDidNotWrite) {
  TrafficContext context;
  context.processors = processors_of(Pops(8, 4));
  const PatternEntry& entry = *find_pattern("transpose");
  EXPECT_EQ(
      input_error([&] { make_traffic(entry, context, checked_values(entry.keys, {}, entry.name)); }),
      "transpose exchanges rows and columns and needs a square grid, not the mesh [4, 8]; make both sides equal, or "
      "choose reversal (patterns see POPS(8,4) as the mesh [4, 8], a row for each group)");
}

}  // namespace
}  // namespace starloom
