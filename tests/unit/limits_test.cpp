// SPDX-License-Identifier: Apache-2.0
// Bounds for offline schedules, and searches for shortest ones: known answers, small meshes where everything can be
// tried, proofs that are checked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <random>
#include <starloom/search/counting_bounds.hpp>
#include <starloom/search/flow_bound.hpp>
#include <starloom/search/schedule_search.hpp>
#include <starloom/support/error.hpp>
#include "support/counter_examples.hpp"
#include "support/exhaustive_search.hpp"
#include "support/permutations.hpp"
#include "support/plain_planner.hpp"
#include "support/proof_checker.hpp"
#include "unit/scratch_folder.hpp"

namespace starloom::links {
namespace {

using testing::HasSubstr;

Grid square_mesh(NodeId n) { return Grid::mesh({n, n}); }

ScheduleSpace any_paths(std::int64_t residents = 0) { return {std::nullopt, {residents}, 1}; }
ScheduleSpace paths_of(PathScheme scheme, std::int32_t flits = 1) { return {scheme, {0}, flits}; }

/// Node v sends to targets[v mod number of targets].
std::vector<Packet> hot_spot(const Grid& grid, const std::vector<NodeId>& targets) {
  std::vector<NodeId> destinations;
  for (NodeId node = 0; node < grid.nodes(); ++node)
    destinations.push_back(targets[static_cast<std::size_t>(node) % targets.size()]);
  return permutation_packets(destinations);
}

std::vector<Packet> random_function(const Grid& grid, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<NodeId> destinations;
  for (NodeId node = 0; node < grid.nodes(); ++node)
    destinations.push_back(static_cast<NodeId>(random() % static_cast<std::uint64_t>(grid.nodes())));
  return permutation_packets(destinations);
}

Step flow(const Grid& grid, const std::vector<Packet>& packets, const ScheduleSpace& space = any_paths()) {
  return flow_bound(grid, packets, space, counting_bounds(grid, packets, space.flits).distance).value();
}

/// The least length of a schedule, found fit to drive by the judge.
Step optimum(const Grid& grid, const std::vector<Packet>& packets, const ScheduleSpace& space) {
  Step length = 0;
  SearchResult result = find_schedule(grid, packets, space, length);
  while (result.found == Answer::no) result = find_schedule(grid, packets, space, ++length);
  EXPECT_EQ(result.found, Answer::yes);
  EXPECT_EQ(plan_error(grid, packets, result.plan, space.residents), "");
  EXPECT_TRUE(belongs_to(space, grid, packets, result.plan));
  EXPECT_EQ(result.plan.length(), length);
  return length;
}

TEST(CountingBounds, AreCounted) {
  // All of a line to its left end: 3 packets over the last link, the farthest 3 away.
  const Grid line = Grid::mesh({1, 4});
  CountingBounds bounds = counting_bounds(line, hot_spot(line, {0}));
  EXPECT_EQ(bounds.distance, 3);
  EXPECT_EQ(bounds.cut, 3);
  EXPECT_EQ(bounds.degree, 3);
  // Worms of 5 flits hold links for 5 stages.
  bounds = counting_bounds(line, hot_spot(line, {0}), 5);
  EXPECT_EQ(bounds.distance, 7);
  EXPECT_EQ(bounds.cut, 15);
  EXPECT_EQ(bounds.degree, 15);
  // Two halves of a mesh exchanged: 8 packets over 4 links in each direction.
  std::vector<NodeId> halves;
  for (NodeId node = 0; node < 16; ++node) halves.push_back((node + 8) % 16);
  EXPECT_EQ(counting_bounds(square_mesh(4), permutation_packets(halves)).cut, 2);
  // On a torus a cut is two cuts.
  EXPECT_EQ(counting_bounds(Grid::torus({4, 4}), permutation_packets(halves)).cut, 1);
  EXPECT_EQ(counting_bounds(square_mesh(4), permutation_packets(identity_permutation(16))).greatest(), 0);
}

TEST(CountingBounds, AreRoundedUp) {
  // 5 packets over the 4 links between two rows; 3 into a corner with 2 links.
  std::vector<Packet> packets = {{4, 8, 1, 0}, {5, 9, 1, 0}, {6, 10, 1, 0}, {7, 11, 1, 0}, {0, 12, 1, 0}};
  EXPECT_EQ(counting_bounds(square_mesh(4), packets).cut, 2);
  packets = {{1, 0, 1, 0}, {4, 0, 1, 0}, {5, 0, 1, 0}};
  EXPECT_EQ(counting_bounds(square_mesh(4), packets).degree, 2);
}

TEST(CountingBounds, KnowWhatBeginsInANode) {
  // 4 packets over the only link of an end of a line; where they go, nodes have two.
  const std::vector<Packet> packets = {{0, 1, 1, 0}, {0, 1, 1, 0}, {0, 2, 1, 0}, {0, 2, 1, 0}};
  EXPECT_EQ(counting_bounds(Grid::mesh({1, 4}), packets).degree, 4);
}

TEST(FlowBound, IsThatOfThePaper) {
  EXPECT_EQ(flow(square_mesh(4), permutation_packets(five_swaps())), 4);
  EXPECT_EQ(flow(square_mesh(4), permutation_packets(five_swaps()), any_paths(1)), 3);
  for (NodeId d = 3; d <= 6; ++d) {
    EXPECT_EQ(flow(square_mesh(2 * d - 1), permutation_packets(unbounded_family(d))), d + 1) << "D = " << d;
    EXPECT_EQ(flow(square_mesh(2 * d - 1), permutation_packets(unbounded_family(d)), any_paths(1)), d) << "D = " << d;
  }
  EXPECT_EQ(flow(square_mesh(2), permutation_packets(identity_permutation(4))), 0);
}

TEST(FlowBound, CornersAreNarrow) {
  const Grid mesh = square_mesh(8);
  const std::vector<Packet> packets = hot_spot(mesh, {0, 1, 8, 9});
  EXPECT_EQ(counting_bounds(mesh, packets).greatest(), 12);
  EXPECT_EQ(flow_exists(mesh, packets, any_paths(), 14), Answer::no);
  EXPECT_EQ(flow_exists(mesh, packets, any_paths(), 15), Answer::yes);
}

TEST(FlowBound, LiesBetweenCountingAndTheOptimum) {
  const Grid grids[] = {Grid::mesh({3, 3}), Grid::mesh({2, 4}), Grid::torus({3, 3}), Grid::mesh({2, 2, 2})};
  for (const Grid& grid : grids)
    for (std::uint64_t seed = 1; seed <= 8; ++seed)
      for (const std::int64_t residents : {0, 1}) {
        const std::vector<Packet> packets = random_function(grid, seed);
        const Step bound = flow(grid, packets, any_paths(residents));
        EXPECT_GE(bound, counting_bounds(grid, packets).greatest());
        EXPECT_LE(bound, optimum(grid, packets, any_paths(residents)));
      }
  const Grid mesh = Grid::mesh({3, 3});
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
    for (const std::int32_t flits : {2, 5}) {
      const std::vector<Packet> packets = random_function(mesh, seed);
      const Step bound = flow(mesh, packets, {std::nullopt, {0}, flits});
      EXPECT_GE(bound, counting_bounds(mesh, packets, flits).greatest());
      EXPECT_LE(bound, optimum(mesh, packets, paths_of(PathScheme::path_selection, flits)));
    }
}

TEST(FlowBound, KnowsItsLimits) {
  const Grid large = square_mesh(40);
  EXPECT_EQ(flow_exists(large, hot_spot(large, {0}), any_paths(), 900), Answer::unknown);
  EXPECT_EQ(flow_bound(square_mesh(4), permutation_packets(five_swaps()), any_paths(), 3, 4, Deadline(0.0)),
            std::nullopt);
  EXPECT_EQ(flow_exists(large, hot_spot(large, {0}), any_paths(), 77), Answer::no);  // below the distance
}

TEST(ScheduleSearch, GalleryHasKnownOptima) {
  const std::vector<Packet> swaps = permutation_packets(five_swaps());
  EXPECT_EQ(optimum(square_mesh(4), swaps, any_paths()), 4);
  EXPECT_EQ(optimum(square_mesh(4), swaps, any_paths(1)), 3);
  for (const PathScheme scheme : {PathScheme::path_selection, PathScheme::horizontal_first, PathScheme::vertical_first})
    EXPECT_EQ(optimum(square_mesh(4), swaps, paths_of(scheme)), 4);
  EXPECT_EQ(optimum(square_mesh(4), swaps, {PathScheme::path_selection, {1}, 1}), 3);
  EXPECT_EQ(optimum(Grid::mesh({3, 4}), permutation_packets(twelve_nodes()), paths_of(PathScheme::path_selection)), 3);
  for (NodeId d = 3; d <= 6; ++d)
    EXPECT_EQ(optimum(square_mesh(2 * d - 1), permutation_packets(unbounded_family(d)), any_paths()), d + 1);
  for (const NodeId n : {6, 8, 10, 12, 16, 24})
    EXPECT_EQ(optimum(square_mesh(n), permutation_packets(quarter_turn(n)), paths_of(PathScheme::path_selection)),
              n - 1);
}

// If the solver says no, all schedules have been tried as well.
TEST(ScheduleSearch, AgreesWithTryingEverything) {
  const Grid grids[] = {Grid::mesh({2, 2}), Grid::mesh({2, 3}), Grid::mesh({3, 2}), Grid::mesh({1, 6})};
  for (const Grid& grid : grids)
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const std::vector<Packet> packets = random_function(grid, seed);
      const Step least = optimum(grid, packets, any_paths());
      EXPECT_TRUE(least == 0 ||
                  !ExhaustiveSearch(grid, packets, static_cast<std::int32_t>(least - 1)).finds_schedule());
    }
  const Grid larger[] = {Grid::mesh({3, 3}), Grid::mesh({2, 5}), Grid::mesh({3, 4}), Grid::mesh({4, 3})};
  for (const Grid& grid : larger)
    for (const PathScheme scheme :
         {PathScheme::path_selection, PathScheme::horizontal_first, PathScheme::vertical_first})
      for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const std::vector<Packet> packets = random_function(grid, seed);
        const Step least = optimum(grid, packets, paths_of(scheme));
        EXPECT_FALSE(ExhaustiveSearch(grid, packets, static_cast<std::int32_t>(least - 1), scheme).finds_schedule());
      }
}

TEST(Schedules, APlanBelongsToThoseWithItsPathsAndItsPlaces) {
  // Node 0 sends to the opposite corner. Out-ports N, E, S, W are 0 to 3.
  const Grid square = square_mesh(2);
  const std::vector<Packet> packet = {{0, 3, 1, 0}};
  const auto belongs = [&](const ScheduleSpace& space, std::vector<Port> moves, Step start = 0,
                           std::int32_t flits = 1) {
    return belongs_to(space, square, packet, Plan{{{start, std::move(moves)}}, flits});
  };
  EXPECT_TRUE(belongs(paths_of(PathScheme::horizontal_first), {1, 2}, 5));
  EXPECT_FALSE(belongs(paths_of(PathScheme::horizontal_first), {2, 1}));
  EXPECT_TRUE(belongs(paths_of(PathScheme::vertical_first), {2, 1}));
  EXPECT_FALSE(belongs(paths_of(PathScheme::vertical_first), {1, 2}));
  EXPECT_TRUE(belongs(paths_of(PathScheme::path_selection), {1, 2}));
  EXPECT_TRUE(belongs(paths_of(PathScheme::path_selection), {2, 1}));
  // A detour has more than one bend; a packet that stays on its path is a resident there.
  EXPECT_TRUE(belongs(any_paths(), {1, 3, 1, 2}));
  EXPECT_FALSE(belongs(paths_of(PathScheme::path_selection), {1, 3, 1, 2}));
  EXPECT_FALSE(belongs(any_paths(0), {1, no_port, 2}));
  EXPECT_TRUE(belongs(any_paths(1), {1, no_port, 2}));
  EXPECT_FALSE(belongs({std::nullopt, {1, 0, 1, 1}, 1}, {1, no_port, 2}));
  // The packets of the plan have another length, or one of them is not part of it.
  EXPECT_FALSE(belongs(any_paths(), {1, 2}, 0, 2));
  EXPECT_FALSE(belongs(any_paths(), {}, no_step));
}

TEST(ScheduleSearch, SourcesStartOnePacketAStage) {
  // The middle node of a line sends in both directions, without conflicts.
  const Grid line = Grid::mesh({1, 3});
  const std::vector<Packet> both = {{1, 0, 1, 0}, {1, 2, 1, 0}, {1, 1, 1, 0}};
  for (const ScheduleSpace& space : {any_paths(), any_paths(1), paths_of(PathScheme::path_selection)})
    EXPECT_EQ(optimum(line, both, space), 2);
  OneBendOptions options;
  for (const bool one : {false, true}) {
    options.one_start_per_stage = one;
    OneBendPlanner planner(line, options);
    EXPECT_EQ(belongs_to(any_paths(), line, both, journeys(line, both, planner.plan(both))), one);
  }
}

TEST(ScheduleSearch, RandomPermutationsThatStayNearTakeNoTime) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<NodeId> destinations = identity_permutation(36);
    const Grid mesh = square_mesh(6);
    for (int i = 0; i < 2000; ++i) {
      NodeId& a = destinations[random() % 36];
      NodeId& b = destinations[random() % 36];
      const auto at = [&](const NodeId& entry) { return static_cast<NodeId>(&entry - destinations.data()); };
      if (mesh.distance(at(a), b) <= 4 && mesh.distance(at(b), a) <= 4) std::swap(a, b);
    }
    EXPECT_LE(optimum(mesh, permutation_packets(destinations), any_paths()), 5);
  }
}

TEST(ScheduleSearch, ProvesThatFiveSwapsTakeFour) {
  const ScratchFolder scratch;
  SearchLimits limits;
  limits.proof = scratch.path() / "swaps.drat";
  EXPECT_EQ(find_schedule(square_mesh(4), permutation_packets(five_swaps()), any_paths(), 3, limits).found, Answer::no);
  const std::string formula = scratch.read("swaps.drat.cnf"), proof = scratch.read("swaps.drat");
  const auto accepted = [](const std::string& of_formula, const std::string& by_proof) {
    std::istringstream formula_stream(of_formula), proof_stream(by_proof);
    return ProofChecker(formula_stream).accepts(proof_stream);
  };
  EXPECT_TRUE(accepted(formula, proof));
  // The checker does not accept everything: the proof without its end, the empty clause at once for a formula without
  // the packets.
  EXPECT_FALSE(accepted(formula, proof.substr(0, proof.size() / 3)));
  EXPECT_FALSE(accepted("p cnf 2 2\n1 2 0\n-1 2 0\n", "0\n"));
  EXPECT_TRUE(accepted("p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n", "2 0\n0\n"));

  // Without a proof no file is written; an earlier one is kept.
  limits.proof = scratch.path() / "four.drat";
  EXPECT_EQ(find_schedule(square_mesh(4), permutation_packets(five_swaps()), any_paths(), 4, limits).found,
            Answer::yes);
  EXPECT_FALSE(std::filesystem::exists(*limits.proof));
  EXPECT_EQ(scratch.read("swaps.drat"), proof);
  limits.proof = scratch.path() / "none" / "swaps.drat";
  EXPECT_THROW(find_schedule(square_mesh(4), permutation_packets(five_swaps()), any_paths(), 3, limits), OutputError);
}

// The formula fits, the proof does not.
TEST(ScheduleSearch, AProofThatCannotBeWrittenIsAFault) {
  const ScratchFolder scratch;
  std::filesystem::create_symlink("/dev/full", scratch.file("full"));
  SearchLimits limits;
  limits.proof = scratch.file("full");
  try {
    find_schedule(square_mesh(4), permutation_packets(five_swaps()), any_paths(), 3, limits);
    FAIL() << "the proof is lost";
  } catch (const OutputError& error) {
    EXPECT_EQ(error.what(), limits.proof->string() + ": cannot be written (No space left on device)");
  }
  // Neither the formula nor a temporary file.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.path()), {}), 1);
}

TEST(ScheduleSearch, GivesUpWhereItIsToldTo) {
  const std::vector<Packet> packets = permutation_packets(quarter_turn(10));
  SearchLimits limits;
  limits.formula = 100;
  EXPECT_EQ(find_schedule(square_mesh(10), packets, any_paths(), 9, limits).found, Answer::unknown);
  limits = {};
  limits.deadline = Deadline(0.0);
  EXPECT_EQ(find_schedule(square_mesh(10), packets, any_paths(), 9, limits).found, Answer::unknown);
  limits = {};
  limits.conflicts = 0;
  EXPECT_NE(find_schedule(square_mesh(10), packets, any_paths(), 9, limits).found, Answer::no);
}

TEST(ScheduleSearch, RefusesWhatMakesNoSense) {
  const std::vector<Packet> packets = permutation_packets(identity_permutation(4));
  const auto error = [&](const Grid& grid, const ScheduleSpace& space) -> std::string {
    try {
      find_schedule(grid, packets, space, 3);
    } catch (const InputError& refused) {
      return refused.what();
    }
    return "";
  };
  EXPECT_THAT(error(square_mesh(2), any_paths(-1)), HasSubstr("a node has -1 waiting places; the minimum is 0"));
  EXPECT_THAT(error(square_mesh(2), {std::nullopt, {1}, 2}), HasSubstr("only packets of one flit may wait"));
  EXPECT_THAT(error(Grid::torus({2, 2}), paths_of(PathScheme::path_selection)), HasSubstr("scheme any works on every"));
  EXPECT_THAT(error(square_mesh(1), any_paths()), HasSubstr("packet 1: source 1 is not a node"));
}

}  // namespace
}  // namespace starloom::links
