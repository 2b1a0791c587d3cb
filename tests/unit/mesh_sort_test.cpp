// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/mesh_sort/mesh_sort_program.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <starloom/support/error.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/permutations.hpp"
#include "support/stepper.hpp"

namespace starloom::links {
namespace {

StepperResult run_mesh_sort(const Grid& mesh, std::int64_t s, const std::vector<Packet>& packets,
                            const std::string& sort = "shearsort") {
  ListSource source(packets);
  return run_stepper(mesh, *named_algorithm("mesh-sort", mesh, {{"s", s}, {"sort", sort}}, &packets), source);
}

/// The sorts of squares of a side.
std::vector<std::string> sorts_of(std::int32_t side) {
  if (MeshSortProgram::can_merge(side)) return {"shearsort", "merge"};
  return {"shearsort"};
}

/// The positions of all packets at the end: [node] -> packet or no_packet.
std::vector<PacketId> final_places(const Grid& mesh, const StepperResult& result) {
  std::map<PacketId, NodeId> at;
  for (std::size_t p = 0; p < result.record.packets.size(); ++p)
    if (result.record.packets[p].source != result.record.packets[p].destination)
      at[static_cast<PacketId>(p)] = result.record.packets[p].source;
  for (const TraceRow& row : result.rows)
    if (row.event == TraceEvent::hop) at[row.packet] = row.to;
  std::vector<PacketId> places(static_cast<std::size_t>(mesh.nodes()), no_packet);
  for (const auto& [packet, node] : at) {
    EXPECT_EQ(places[static_cast<std::size_t>(node)], no_packet) << "two packets in node " << node;
    places[static_cast<std::size_t>(node)] = packet;
  }
  return places;
}

/// Every subsquare holds its packets in column-major order by (column, row) of the destination, empty nodes last.
void expect_sorted(const Grid& mesh, std::int32_t s, const StepperResult& result) {
  const std::vector<PacketId> places = final_places(mesh, result);
  const NodeId rows = mesh.side(0), columns = mesh.side(1);
  for (NodeId top = 0; top < rows; top += s)
    for (NodeId left = 0; left < columns; left += s) {
      std::int64_t before = -1;
      for (NodeId column = left; column < left + s; ++column)
        for (NodeId row = top; row < top + s; ++row) {
          const PacketId packet = places[static_cast<std::size_t>(row * columns + column)];
          std::int64_t key = std::int64_t{1} << 40;
          if (packet != no_packet) {
            const Packet& facts = result.record.packets[static_cast<std::size_t>(packet)];
            EXPECT_EQ(facts.source / columns / s * s, top);
            EXPECT_EQ(facts.source % columns / s * s, left);
            key = facts.destination % columns * rows + facts.destination / columns;
          }
          ASSERT_LE(before, key) << "row " << row << " column " << column;
          before = key;
        }
    }
}

/// A random function of a part of the nodes: equal keys and empty nodes.
std::vector<Packet> sparse(const Grid& mesh, std::uint64_t seed, double density, std::uint32_t destinations) {
  std::vector<Packet> packets;
  for (NodeId node = 0; node < mesh.nodes(); ++node) {
    RandomStream random(seed, Purpose::destination, node, 0);
    const auto to =
        static_cast<NodeId>(random.bounded(destinations) * static_cast<std::uint32_t>(mesh.nodes()) / destinations);
    if (random.bernoulli(density)) packets.push_back({node, to, 1, 0});
  }
  return packets;
}

TEST(MeshSortProgram, HasTheStepCountsOfTheTable) {
  const std::map<std::int32_t, Step> steps = {{1, 0},    {2, 6},    {3, 19},   {4, 23},   {5, 37},
                                              {6, 42},   {7, 48},   {8, 53},   {9, 73},   {12, 92},
                                              {16, 119}, {24, 202}, {27, 227}, {32, 265}, {64, 587}};
  for (const auto& [side, count] : steps) EXPECT_EQ(MeshSortProgram::shearsort(side).steps(), count) << side;
}

// Blocks take their shearsort, swaps and unshuffles s - 1 steps, the rows in between s + 1, shuffles and swaps s - 1
// again; each of the log2 s clean-ups takes 5 steps for 4 lists; reversing the odd columns takes s.
TEST(MeshSortProgram, MergesInTheStepsOfTheTable) {
  const std::map<std::pair<std::int32_t, std::int32_t>, Step> steps = {
      {{4, 2}, 6 + 3 + 5 + 3 + 2 * 5 + 4},         {{8, 4}, 23 + 7 + 9 + 7 + 3 * 5 + 8},
      {{16, 8}, 53 + 15 + 17 + 15 + 4 * 5 + 16},   {{16, 4}, 23 + 15 + 17 + 15 + 4 * 20 + 16},
      {{32, 16}, 119 + 31 + 33 + 31 + 5 * 5 + 32}, {{64, 16}, 119 + 63 + 65 + 63 + 6 * 20 + 64},
      {{64, 32}, 239 + 63 + 65 + 63 + 6 * 5 + 64}, {{128, 32}, 239 + 127 + 129 + 127 + 7 * 20 + 128}};
  for (const auto& [sides, count] : steps)
    EXPECT_EQ(MeshSortProgram::multiway_merge(sides.first, sides.second).steps(), count)
        << sides.first << " of blocks " << sides.second;
  const std::map<std::int32_t, Step> best = {{4, 31}, {8, 69}, {16, 136}, {32, 271}, {64, 494}, {128, 890}};
  for (const auto& [side, count] : best) EXPECT_EQ(MeshSortProgram::multiway_merge(side).steps(), count) << side;
}

/// Steps of a sort of s x s nodes, s a power of two from 4 on, by recurrence: the blocks in snake order, swaps and
/// unshuffles, the rows, shuffles and swaps, a clean-up for each size of strips; columns are reversed for plain
/// order.
Step steps_by_recurrence(std::int64_t s, bool plain) {
  Step best = MeshSortProgram::shearsort(static_cast<std::int32_t>(std::min<std::int64_t>(s, 1024))).steps();
  if (s > 1024) best = std::numeric_limits<Step>::max();
  int log = 0;
  while ((std::int64_t{1} << log) < s) ++log;
  for (std::int64_t block = s / 2; block > 1 && block * block >= s; block /= 2) {
    const std::int64_t lists = s / block * (s / block);
    const std::int64_t blocks = block < 4 ? MeshSortProgram::shearsort(2).steps() : steps_by_recurrence(block, false);
    const std::int64_t steps = blocks + (s - 1) + (s + 1) + (s - 1) + 5 * (lists / 4) * log + (plain ? s : 0);
    best = std::min(best, static_cast<Step>(steps));
  }
  return best;
}

TEST(MeshSortProgram, StepsOfTheMergeTendToFourSides) {
  for (std::int32_t s = 64; s <= 4096; s *= 2)
    ASSERT_EQ(MeshSortProgram::fastest(s).steps(), steps_by_recurrence(s, true)) << s;
  const std::map<std::int64_t, Step> plain = {{1 << 8, 1613},    {1 << 10, 5652},    {1 << 12, 19820},
                                              {1 << 16, 282987}, {1 << 20, 4331386}, {1 << 22, 17107306}};
  for (const auto& [s, steps] : plain) EXPECT_EQ(steps_by_recurrence(s, true), steps) << s;
  // In the order of the snake, 3.1 s is met from 2^22 on.
  EXPECT_EQ(steps_by_recurrence(1 << 21, false), 6510458);
  EXPECT_EQ(steps_by_recurrence(1 << 22, false), 12913002);
}

// The last corner has no information about the k(k + 1)/2 keys next to the first one for 2s - 2 - k steps. If these
// are 2s - 2 or more, they can determine that its key by then belongs into the first row, in either order, s - 1
// steps away.
TEST(MeshSortProgram, NoneTakesLessThanThreeSidesLessARoot) {
  for (std::int32_t s = 2; s <= 64; ++s) {
    std::int32_t k = 0;
    while (k * (k + 1) / 2 < 2 * s - 2) ++k;
    EXPECT_GE(MeshSortProgram::fastest(s).steps(), 3 * s - 3 - k) << s;
  }
}

TEST(MeshSortProgram, PrefersTheFewestSteps) {
  const std::map<std::int32_t, Step> steps = {{1, 0},    {2, 6},    {3, 19},   {4, 23},   {8, 53},
                                              {16, 119}, {32, 265}, {48, 444}, {64, 494}, {128, 890}};
  for (const auto& [side, count] : steps) EXPECT_EQ(MeshSortProgram::fastest(side).steps(), count) << side;
}

/// The effect of a program on keys alone. Partners agree on each other.
template <class Key>
std::vector<Key> compare_all(const MeshSortProgram& program, std::int32_t side, std::vector<Key> keys) {
  for (const SortPhase& phase : program.phases())
    for (std::int32_t round = 0; round < phase.rounds; ++round)
      for (std::int32_t line = 0; line < side; ++line)
        for (std::int32_t i = 0; i < side; ++i) {
          const int partner = phase.partner(i, line, round);
          if (partner == 0) continue;
          EXPECT_TRUE(i + partner >= 0 && i + partner < side && phase.partner(i + partner, line, round) == -partner);
          if (partner < 0) continue;
          const auto place = [&](std::int32_t along) {
            return static_cast<std::size_t>(phase.axis == 0 ? along * side + line : line * side + along);
          };
          Key &here = keys[place(i)], &there = keys[place(i + 1)];
          if (phase.kind == SortPhase::Kind::exchange || (here > there) == phase.ascends(line)) std::swap(here, there);
        }
  return keys;
}

/// True if keys are in column-major order.
template <class Key>
bool is_sorted(std::int32_t side, const std::vector<Key>& keys) {
  std::vector<Key> by_column;
  for (std::int32_t column = 0; column < side; ++column)
    for (std::int32_t row = 0; row < side; ++row)
      by_column.push_back(keys[static_cast<std::size_t>(row * side + column)]);
  return std::is_sorted(by_column.begin(), by_column.end());
}

// A program that sorts all inputs of zeros and ones sorts everything.
TEST(MeshSortProgram, SortsAllZerosAndOnes) {
  std::vector<std::pair<std::int32_t, MeshSortProgram>> programs = {{4, MeshSortProgram::multiway_merge(4)}};
  for (const std::int32_t side : {1, 2, 3, 4}) programs.emplace_back(side, MeshSortProgram::shearsort(side));
  for (const auto& [side, program] : programs) {
    const std::int32_t nodes = side * side;
    for (std::uint32_t input = 0; input < 1u << nodes; ++input) {
      std::vector<char> keys;
      for (std::int32_t i = 0; i < nodes; ++i) keys.push_back(static_cast<char>(input >> i & 1));
      ASSERT_TRUE(is_sorted(side, compare_all(program, side, keys))) << "side " << side << " input " << input;
    }
  }
}

/// Zeros and ones: random ones of any density, and chequered and striped ones with whatever period.
std::vector<std::vector<char>> zeros_and_ones(std::int32_t side, std::uint64_t seed) {
  RandomStream random(seed, Purpose::destination, side, 0);
  const auto nodes = static_cast<std::uint32_t>(side * side);
  const std::uint32_t ones = random.bounded(nodes + 1), period = 1 + random.bounded(static_cast<std::uint32_t>(side));
  const std::uint32_t shift = random.bounded(period);
  std::vector<std::vector<char>> inputs(4);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    const std::uint32_t row = node / static_cast<std::uint32_t>(side) + shift,
                        column = node % static_cast<std::uint32_t>(side) + shift;
    inputs[0].push_back(random.bounded(nodes) < ones ? 1 : 0);
    inputs[1].push_back(static_cast<char>((row / period + column / period) & 1));
    inputs[2].push_back(static_cast<char>(row / period & 1));
    inputs[3].push_back(static_cast<char>((column / period) & 1) ^ (random.bounded(16) == 0 ? 1 : 0));
  }
  return inputs;
}

TEST(MeshSortProgram, MergesZerosAndOnesOfLargeSquares) {
  for (const auto& [side, seeds] : std::map<std::int32_t, std::uint64_t>{{8, 400}, {16, 150}, {32, 30}, {64, 6}})
    for (std::int32_t block = side / 2; block * block >= side; block /= 2) {
      const MeshSortProgram program = MeshSortProgram::multiway_merge(side, block);
      for (std::uint64_t seed = 1; seed <= seeds; ++seed)
        for (const std::vector<char>& input : zeros_and_ones(side, seed))
          ASSERT_TRUE(is_sorted(side, compare_all(program, side, input)))
              << "side " << side << " block " << block << " seed " << seed;
    }
}

// The same through the hardware: destinations in the first and in the last node of a larger mesh.
TEST(MeshSort, SortsZerosAndOnesPacketByPacket) {
  for (const std::int32_t s : {2, 3, 4}) {
    const Grid mesh = Grid::mesh({s + s, s});
    const std::uint32_t inputs = 1u << (s * s);
    const std::uint32_t stride = s == 4 ? 97 : 1;
    for (std::uint32_t input = 0; input < inputs; input += stride) {
      std::vector<Packet> packets;
      for (NodeId node = 0; node < s * s; ++node)
        packets.push_back({node, (input >> node & 1) != 0 ? mesh.nodes() - 1 : mesh.nodes() - s, 1, 0});
      for (const std::string& sort : sorts_of(s)) {
        const StepperResult result = run_mesh_sort(mesh, s, packets, sort);
        ASSERT_FALSE(result.violation) << result.violation->text;
        expect_sorted(mesh, s, result);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(MeshSort, SortsEverySubsquare) {
  for (const auto& [s, shape] : std::map<std::int32_t, std::vector<std::int64_t>>{
           {1, {3, 2}}, {2, {4, 6}}, {3, {9, 6}}, {4, {8, 8}}, {5, {10, 5}}, {6, {6, 6}}, {7, {7, 7}}, {8, {8, 16}}})
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      SCOPED_TRACE("s " + std::to_string(s) + " seed " + std::to_string(seed));
      const Grid mesh = Grid::mesh(shape);
      std::vector<NodeId> reversed = identity_permutation(mesh.nodes());
      std::reverse(reversed.begin(), reversed.end());
      for (const auto& packets :
           {permutation_packets(random_permutation(mesh.nodes(), seed)), sparse(mesh, seed, 0.6, 5),
            sparse(mesh, seed, 0.1, 100), sparse(mesh, seed, 1, 2), permutation_packets(reversed)}) {
        for (const std::string& sort : sorts_of(s)) {
          const StepperResult result = run_mesh_sort(mesh, s, packets, sort);
          ASSERT_FALSE(result.violation) << result.violation->text;
          expect_sorted(mesh, s, result);
          if (HasFailure()) return;
        }
      }
    }
}

TEST(MeshSort, MergesLargeSubsquares) {
  for (const auto& [s, seeds] : std::map<std::int32_t, std::uint64_t>{{16, 4}, {32, 1}}) {
    const Grid mesh = Grid::mesh({s, s});
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
      for (const auto& packets :
           {permutation_packets(random_permutation(mesh.nodes(), seed)), sparse(mesh, seed, 0.5, 9)}) {
        const StepperResult result = run_mesh_sort(mesh, s, packets, "merge");
        ASSERT_FALSE(result.violation) << result.violation->text;
        expect_sorted(mesh, s, result);
      }
  }
}

/// The first phase of a sort by itself, which sorts even columns downwards. `lines`: the initial content of such a
/// column, [index] -> key in 0 .. side-1, or `nothing`.
struct SortedLines {
  static constexpr int nothing = -1;
  using Line = std::vector<int>;

  SortedLines(NodeId side, const std::vector<Line>& lines) {
    const NodeId lines_of_square = (side + 1) / 2;
    const auto squares = (static_cast<NodeId>(lines.size()) + lines_of_square - 1) / lines_of_square;
    const Grid mesh = Grid::mesh({side, squares * side});
    const auto node_of = [=](NodeId line, NodeId place) {
      return (place * squares + line / lines_of_square) * side + line % lines_of_square * 2;
    };
    const auto line_of = [=](NodeId node) {
      return static_cast<std::size_t>(node / side % squares * lines_of_square + node % side / 2);
    };
    std::vector<Packet> packets;
    for (NodeId place = 0; place < side; ++place)
      for (NodeId line = 0; line < static_cast<NodeId>(lines.size()); ++line) {
        const int key = lines[static_cast<std::size_t>(line)][static_cast<std::size_t>(place)];
        // In an odd column, so that no packet starts at its destination.
        if (key != nothing) packets.push_back({node_of(line, place), key * squares * side + 1, 1, 0});
      }
    ListSource source(packets);
    StepperOptions options;
    options.max_steps = side + 1;
    const StepperResult result =
        run_stepper(mesh, *named_algorithm("mesh-sort", mesh, {{"s", std::int64_t{side}}}, &packets), source, options);
    EXPECT_FALSE(result.violation);

    std::vector<NodeId> at;
    for (const Packet& packet : result.record.packets) at.push_back(packet.source);
    last_move.assign(lines.size(), no_step);
    for (const TraceRow& row : result.rows) {
      if (row.event != TraceEvent::hop) continue;
      at[static_cast<std::size_t>(row.packet)] = row.to;
      last_move[line_of(row.to)] = row.step;
    }
    std::map<NodeId, int> key_at;
    for (std::size_t p = 0; p < at.size(); ++p) key_at[at[p]] = result.record.packets[p].destination / (squares * side);
    EXPECT_EQ(key_at.size(), packets.size()) << "two packets in a node";
    for (NodeId line = 0; line < static_cast<NodeId>(lines.size()); ++line) {
      sorted.emplace_back();
      for (NodeId place = 0; place < side; ++place) {
        const auto found = key_at.find(node_of(line, place));
        sorted.back().push_back(found == key_at.end() ? nothing : found->second);
      }
    }
  }

  std::vector<Line> sorted;     ///< [line]: the packets after side + 1 steps
  std::vector<Step> last_move;  ///< [line]: the last step in which a packet moved
};

/// All permutations of 0 .. side-1 that begin with 0 .. fixed-1, in chunks that are not too long.
template <class Visit>
void visit_permutations(NodeId side, NodeId fixed, const Visit& visit) {
  std::vector<SortedLines::Line> lines;
  SortedLines::Line order = identity_permutation(side);
  for (bool more = true; more;) {
    lines.push_back(order);
    more = std::next_permutation(order.begin() + fixed, order.end());
    if (more && lines.size() < 5040) continue;
    visit(lines, SortedLines(side, lines));
    lines.clear();
  }
}

// The paper's lemma allows a line of s packets s steps, 0 to s-1; some permutations need step s, too, in which only
// packets move.
TEST(MeshSort, SortsALineInOneStepMoreThanItHasNodes) {
  const std::map<NodeId, int> need_one_more = {{2, 0}, {3, 2}, {4, 4}, {5, 32}, {6, 88}, {7, 992}, {8, 3184}};
  for (const auto& [side, expected] : need_one_more) {
    int late = 0;
    visit_permutations(side, 0,
                       [&late, n = side](const std::vector<SortedLines::Line>& lines, const SortedLines& result) {
                         for (std::size_t i = 0; i < lines.size(); ++i) {
                           ASSERT_EQ(result.sorted[i], identity_permutation(n));
                           late += result.last_move[i] == n ? 1 : 0;
                         }
                       });
    EXPECT_EQ(late, expected) << side;
  }
}

// The same if the pairs (1, 2), (3, 4), .. come first: where the least key waits at the head of a line, and so never
// moves, the others are such a line.
TEST(MeshSort, SortsALineInOneStepMoreWhicheverPairsComeFirst) {
  const std::map<NodeId, int> need_one_more = {{2, 1}, {3, 2}, {4, 10}, {5, 32}, {6, 232}};
  for (const auto& [side, expected] : need_one_more) {
    int late = 0;
    visit_permutations(side + 1, 1, [&](const std::vector<SortedLines::Line>& lines, const SortedLines& result) {
      for (std::size_t i = 0; i < lines.size(); ++i) {
        ASSERT_LE(result.last_move[i], side);
        late += result.last_move[i] == side ? 1 : 0;
      }
    });
    EXPECT_EQ(late, expected) << side;
  }
}

// Every line of up to 5 nodes with equal keys and with empty nodes, which come last.
TEST(MeshSort, SortsALineWithEqualKeysAndEmptyNodes) {
  for (NodeId side = 2; side <= 5; ++side) {
    std::vector<SortedLines::Line> lines;
    SortedLines::Line line(static_cast<std::size_t>(side), SortedLines::nothing);
    for (bool more = true; more;) {
      lines.push_back(line);
      std::size_t place = 0;
      while (place < line.size() && ++line[place] == side) line[place++] = SortedLines::nothing;
      more = place < line.size();
      if (more && lines.size() < 5040) continue;
      const SortedLines result(side, lines);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        std::sort(lines[i].begin(), lines[i].end(), [](int a, int b) { return b == -1 ? a != -1 : a != -1 && a < b; });
        ASSERT_EQ(result.sorted[i], lines[i]);
      }
      lines.clear();
    }
  }
}

// In any step either vertical or horizontal links are used, as in the program; no packet moves after its end.
TEST(MeshSort, UsesTheAxisOfTheStep) {
  const std::map<std::string, std::pair<std::int32_t, MeshSortProgram>> sorts = {
      {"shearsort", {5, MeshSortProgram::shearsort(5)}}, {"merge", {8, MeshSortProgram::multiway_merge(8)}}};
  for (const auto& [sort, side_and_program] : sorts) {
    const auto& [s, program] = side_and_program;
    const Grid mesh = Grid::mesh({2 * s, s});
    const StepperResult result = run_mesh_sort(mesh, s, permutation_packets(random_permutation(mesh.nodes(), 2)), sort);
    std::int64_t keys = 0, hops = 0;
    for (const TraceRow& row : result.rows) {
      if (row.event != TraceEvent::key && row.event != TraceEvent::hop) continue;
      ASSERT_LT(row.step, program.steps());
      EXPECT_EQ(mesh.axis_of(row.port), program.phase(row.step).axis);
      (row.event == TraceEvent::key ? keys : hops) += 1;
    }
    EXPECT_EQ(keys, result.record.control_hops);
    EXPECT_EQ(hops, result.record.flit_hops);
    EXPECT_GT(hops, 0);
  }
}

TEST(MeshSort, DeliversWhatEndsAtHomeAndNothingElse) {
  const Grid mesh = Grid::mesh({4, 4});
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const StepperResult result = run_mesh_sort(mesh, 4, permutation_packets(random_permutation(16, seed)));
    const std::vector<PacketId> places = final_places(mesh, result);
    for (NodeId node = 0; node < 16; ++node) {
      const PacketId packet = places[static_cast<std::size_t>(node)];
      if (packet == no_packet) continue;
      const bool home = result.record.packets[static_cast<std::size_t>(packet)].destination == node;
      EXPECT_EQ(result.record.delivered[static_cast<std::size_t>(packet)], home ? 23 : no_step);
    }
  }
}

std::unique_ptr<Algorithm> sort_of(const std::vector<std::int64_t>& shape, const std::vector<Packet>& packets,
                                   const KeyValue& s = {}, const std::string& sort = "fastest") {
  const Grid mesh = Grid::mesh(shape);
  return named_algorithm("mesh-sort", mesh, {{"s", s}, {"sort", sort}}, &packets);
}

TEST(MeshSort, RefusesWhatItCannotServe) {
  EXPECT_THROW(sort_of({4, 4, 4}, {}), InputError);
  EXPECT_THROW(sort_of({4, 6}, {}, std::int64_t{4}), InputError);
  EXPECT_THROW(sort_of({6, 4}, {}, std::int64_t{3}), InputError);
  EXPECT_THROW(sort_of({4, 4}, {{1, 2, 1, 0}, {1, 3, 1, 0}}), InputError);
  EXPECT_THROW(sort_of({4, 4}, {{1, 2, 1, 3}}), InputError);
  for (const std::int64_t side : {1, 2, 3, 6, 12})
    EXPECT_THROW(sort_of({12, 12}, {}, side, "merge"), InputError) << side;
  EXPECT_NO_THROW(sort_of({12, 12}, {}, std::int64_t{4}, "merge"));
  EXPECT_THROW(named_algorithm("mesh-sort", Grid::mesh({4, 4})), InputError) << "of packets without an end";
  EXPECT_EQ(sort_of({4, 6}, {})->metrics().at("s"), 2);
}

TEST(MeshSort, PromisesTheStepsOfItsProgram) {
  const auto algorithm = sort_of({8, 8}, {});
  EXPECT_EQ(algorithm->bounds({}).at("steps"), 53);
  EXPECT_EQ(algorithm->schedule()->steps, 53);
  EXPECT_EQ(sort_of({64, 64}, {})->bounds({}).at("steps"), 494);
  EXPECT_EQ(sort_of({8, 8}, {}, {}, "merge")->bounds({}).at("steps"), 69);
}

}  // namespace
}  // namespace starloom::links
