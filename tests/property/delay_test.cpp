// SPDX-License-Identifier: Apache-2.0
// The delay that one packet, or worm, causes another, and the planning time of all: observation 1 of TR 477 (Symvonis
// and Tidswell 1994), lemma 1 and the analysis of TR 490 (Roberts and Symvonis 1994).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include <starloom/core/random.hpp>
#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include <starloom/search/counting_bounds.hpp>
#include "support/counter_examples.hpp"
#include "support/permutations.hpp"
#include "support/plain_planner.hpp"

namespace starloom::links {
namespace {

/// In how many stages, at most, one packet kept another from starting: one that had its path already, and used a link
/// of any path that was tried there, in a stage in which a flit would have crossed it.
int greatest_delay(const Grid& mesh, const OneBendOptions& options, const std::vector<Packet>& packets) {
  PlainPlanner planner(mesh, options);
  const std::vector<PacketId> order = planner.order(packets);
  const OneBendPlan plan = planner.select_paths(packets, order);
  std::map<std::pair<NodeId, std::pair<Port, Step>>, PacketId> user;  // of a link in a stage
  const auto walk = [&](const Packet& packet, FirstSegment first, Step start, const auto& visit) {
    for (std::int32_t flit = 0; flit < options.flits; ++flit) {
      NodeId at = packet.source;
      Step stage = start + flit;
      for (const Port port : one_bend_moves(mesh, packet.source, packet.destination, first)) {
        visit(std::make_pair(at, std::make_pair(port, stage++)));
        at = mesh.neighbour(at, port);
      }
    }
  };
  std::vector<FirstSegment> tried = {FirstSegment::horizontal, FirstSegment::vertical};
  if (options.scheme != PathScheme::path_selection)
    tried = {options.scheme == PathScheme::horizontal_first ? FirstSegment::horizontal : FirstSegment::vertical};
  int greatest = 0;
  for (const PacketId p : order) {
    const Packet& packet = packets[static_cast<std::size_t>(p)];
    std::map<PacketId, int> stages;
    for (Step start = 0; start < plan.starts[static_cast<std::size_t>(p)]; ++start) {
      std::map<PacketId, bool> blocking;
      for (const FirstSegment first : tried)
        walk(packet, first, start, [&](const auto& place) {
          if (const auto found = user.find(place); found != user.end()) blocking[found->second] = true;
        });
      EXPECT_FALSE(blocking.empty()) << "packet " << p << " had no reason to wait";
      for (const auto& [q, yes] : blocking) greatest = std::max(greatest, ++stages[q]);
    }
    walk(packet, plan.first[static_cast<std::size_t>(p)], plan.starts[static_cast<std::size_t>(p)],
         [&](const auto& place) { EXPECT_TRUE(user.emplace(place, p).second); });
  }
  return greatest;
}

/// Random permutations, those that fill a quarter of all destinations, and a quarter turn.
std::vector<Packet> crowd(NodeId n, std::uint64_t seed) {
  if (seed == 0) return permutation_packets(quarter_turn(n));
  std::vector<NodeId> to = random_permutation(n * n, seed);
  if (seed % 2 == 1)
    for (NodeId& destination : to) destination /= 4;
  return permutation_packets(to);
}

TEST(Delay, OfSinglePacketsIsOneStageAtMost) {
  int worst = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed)
    for (int scheme = 0; scheme < 3; ++scheme)
      for (const PacketOrder order : {PacketOrder::longest_total, PacketOrder::random, PacketOrder::shortest_total}) {
        const NodeId n = 4 + static_cast<NodeId>(seed % 5);
        OneBendOptions options;
        options.ordering = {order, TieBreak::row_major, false, seed};
        options.scheme = static_cast<PathScheme>(scheme);
        worst = std::max(worst, greatest_delay(Grid::mesh({n, n}), options, crowd(n, seed)));
      }
  EXPECT_EQ(worst, 1);
}

TEST(Delay, OfWormsIsTwiceTheirLengthLessOneAtMost) {
  for (const std::int32_t flits : {2, 3, 5}) {
    int worst = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const NodeId n = 4 + static_cast<NodeId>(seed % 4);
      OneBendOptions options;
      options.ordering = {seed % 3 == 0 ? PacketOrder::random : PacketOrder::longest_horizontal, TieBreak::row_major,
                          seed % 3 == 1, seed};
      options.scheme = PathScheme::horizontal_first;
      options.flits = flits;
      worst = std::max(worst, greatest_delay(Grid::mesh({n, n}), options, crowd(n, seed)));
    }
    EXPECT_EQ(worst, 2 * flits - 1);
  }
}

/// Looks of the plain planner, per k^2 n^4.
double looks(NodeId n, PathScheme scheme, std::int32_t flits, const std::vector<NodeId>& destinations) {
  OneBendOptions options;
  options.scheme = scheme;
  options.flits = flits;
  PlainPlanner planner(Grid::mesh({n, n}), options);
  planner.plan(permutation_packets(destinations));
  const double nodes = static_cast<double>(n) * n;
  return static_cast<double>(planner.looks()) / (nodes * nodes * flits * flits);
}

// The paper's count: 2(a + b) stages, in each at most two paths of a + b links, for each of a b = N packets: 16 N^2
// checks.
TEST(PlanningTime, OfPermutationsIsAtMostQuadratic) {
  for (const bool turn : {false, true}) {
    double before = 16;
    for (const NodeId n : {8, 16, 32, 64}) {
      const double share =
          looks(n, PathScheme::path_selection, 1, turn ? quarter_turn(n) : random_permutation(n * n, 1));
      EXPECT_LT(share, before) << n;  // it grows more slowly than N^2
      before = share;
    }
    RecordProperty(turn ? "turn" : "random", std::to_string(before));
  }
}

// (2n - 2)(2k - 1) + 1 starts of k (2n - 2) links, for n^2 worms: less than 8 k^2 n^4 looks. A tenth of k^2 n^4 is
// enough.
TEST(PlanningTime, OfWormsIsAtMostTheSquareOfTheirFlits) {
  for (const std::int32_t flits : {1, 4, 8})
    for (const NodeId n : {8, 16})
      EXPECT_LT(looks(n, PathScheme::horizontal_first, flits, quarter_turn(n)), 0.1) << n << ' ' << flits;
}

// All worms of `block` cross the middle, n k / 2 flits on each of its links: no plan is shorter, and these are less
// than twice as long, except for the length of the path.
TEST(WormCut, HoldsWormsForATimeThatGrowsAsTheirFlitsAndTheSide) {
  for (const NodeId n : {8, 16, 32})
    for (const std::int32_t flits : {1, 4, 16}) {
      const Grid mesh = Grid::mesh({n, n});
      std::vector<NodeId> to;
      for (NodeId v = 0; v < n * n; ++v) to.push_back((v / n + n / 2) % n * n + (v % n + n / 2) % n);
      const std::vector<Packet> worms = permutation_packets(to, flits);
      const Step cut = counting_bounds(mesh, worms, flits).cut;
      EXPECT_EQ(cut, n * flits / 2);
      for (const PacketOrder order : {PacketOrder::longest_horizontal, PacketOrder::random}) {
        OneBendOptions options;
        options.ordering = {order, TieBreak::row_major, order != PacketOrder::random, 1};
        options.scheme = PathScheme::horizontal_first;
        options.flits = flits;
        OneBendPlanner planner(mesh, options);
        const std::int32_t length = planner.plan(worms).length;
        EXPECT_GE(length, cut);
        EXPECT_LE(length, 2 * cut + 2 * n - 2);
      }
    }
}

// A start for each worm is all that a node needs to know, and the last start is below 4kn: log2(4kn) bits.
TEST(WormSchedule, IsAStartForEachWorm) {
  const NodeId n = 16;
  const Grid mesh = Grid::mesh({n, n});
  for (const std::int32_t flits : {1, 4, 16}) {
    const std::vector<Packet> worms = permutation_packets(quarter_turn(n), flits);
    OneBendOptions options;
    options.scheme = PathScheme::horizontal_first;
    options.flits = flits;
    OneBendPlanner planner(mesh, options);
    OneBendPlan plan = planner.plan(worms);
    EXPECT_LT(*std::max_element(plan.starts.begin(), plan.starts.end()), 4 * flits * n);
    plan.first.assign(worms.size(), FirstSegment::horizontal);
    EXPECT_EQ(plan_error(mesh, worms, journeys(mesh, worms, plan, flits)), "");
  }
}

}  // namespace
}  // namespace starloom::links
