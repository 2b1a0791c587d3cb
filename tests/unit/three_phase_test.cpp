// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include <starloom/control/links/paths.hpp>
#include <starloom/support/error.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/permutations.hpp"
#include "support/stepper.hpp"
#include "support/trace_text.hpp"

namespace starloom::links {
namespace {

using testing::ElementsAre;
using Keys = std::map<std::string, KeyValue>;

StepperResult run_three_phase(const Grid& grid, std::vector<Packet> packets, const Keys& keys, std::uint64_t seed = 1) {
  ListSource source(std::move(packets));
  StepperOptions options;
  options.seed = seed;
  return run_stepper(grid, *named_algorithm("three-phase", grid, keys), source, options);
}

Keys slice_of(std::int64_t rows) { return {{"slice", rows}}; }

/// The nodes of the shortest path along one axis, without `from`. On a grid of two dimensions.
void walk(const Grid& grid, NodeId to, int axis, std::vector<NodeId>& path) {
  while (grid.offset(path.back(), to, axis) != 0)
    path.push_back(grid.neighbour(path.back(), grid.port_along(axis, grid.offset(path.back(), to, axis))));
}

// Three packets per node: the random rows of a node and step are chosen one after the other.
TEST(ThreePhase, GoesByWayOfTheRowThatItsRandomWordsName) {
  struct Case {
    Grid grid;
    std::int64_t rows;
    int row_axis, column_axis;  ///< the axis along a row, the axis along a column
    std::int64_t slice;
  };
  const Case cases[] = {{Grid::mesh({6, 5}), 6, 1, 0, 6},
                        {Grid::mesh({7, 3}), 7, 1, 0, 3},
                        {Grid::torus({4, 5}), 5, 0, 1, 5},
                        {Grid::torus({3, 8}), 8, 0, 1, 3},
                        {Grid::mesh({1, 6}), 1, 1, 0, 1}};
  for (const Case& c : cases)
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      std::vector<Packet> packets;
      for (NodeId node = 0; node < c.grid.nodes(); ++node)
        for (const NodeId shift : {1, 7, 11}) packets.push_back({node, (node * 5 + shift) % c.grid.nodes(), 1, 2});
      const StepperResult result = run_three_phase(c.grid, packets, slice_of(c.slice), seed);
      ASSERT_EQ(result.end, StepperEnd::all_delivered);
      std::map<PacketId, std::vector<NodeId>> paths;
      for (const TraceRow& row : result.rows)
        if (row.event == TraceEvent::hop) paths[row.packet].push_back(row.to);

      const auto columns = static_cast<NodeId>(c.grid.nodes() / c.rows);
      std::map<NodeId, std::uint32_t> drawn;
      for (PacketId p = 0; p < static_cast<PacketId>(packets.size()); ++p) {
        const Packet& packet = result.record.packets[static_cast<std::size_t>(p)];
        if (packet.source == packet.destination) continue;
        const std::int64_t row = packet.source / columns;
        const std::int64_t first = row / c.slice * c.slice;
        const std::int64_t height = std::min(c.rows, first + c.slice) - first;
        RandomStream random(seed, Purpose::algorithm, packet.source, 2, drawn[packet.source]++);
        const auto chosen = first + random.bounded(static_cast<std::uint32_t>(height));
        const auto turn = static_cast<NodeId>(packet.source + (chosen - row) * columns);
        std::vector<NodeId> path = {packet.source};
        walk(c.grid, turn, c.column_axis, path);
        walk(c.grid, packet.destination, c.row_axis, path);
        walk(c.grid, packet.destination, c.column_axis, path);
        path.erase(path.begin());
        path.erase(std::find(path.begin(), path.end(), packet.destination) + 1, path.end());
        ASSERT_EQ(paths[p], path) << "packet " << p << " seed " << seed << " turn " << turn;
      }
    }
}

TEST(ThreePhase, WithOneRowASliceIsGreedy) {
  for (const Grid& grid : {Grid::mesh({6, 6}), Grid::torus({5, 4})})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const auto packets = permutation_packets(random_permutation(grid.nodes(), seed));
      ListSource source(packets);
      const StepperResult greedy = run_stepper(grid, *named_algorithm("greedy", grid), source);
      EXPECT_EQ(run_three_phase(grid, packets, slice_of(1)).rows, greedy.rows);
    }
}

TEST(ThreePhase, HasOneSliceOfAllRowsUnlessTold) {
  const Grid mesh = Grid::mesh({6, 6});
  const auto packets = permutation_packets(random_permutation(36, 3));
  EXPECT_EQ(run_three_phase(mesh, packets, {}).rows, run_three_phase(mesh, packets, slice_of(6)).rows);
  EXPECT_NE(run_three_phase(mesh, packets, {}).rows, run_three_phase(mesh, packets, slice_of(2)).rows);
}

// Both packets wait for the same link: the one with the longer path leaves first, whatever its number.
TEST(ThreePhase, TheLongestWayGoesFirst) {
  const Grid line = Grid::mesh({1, 5});
  EXPECT_THAT(run_three_phase(line, {{0, 2, 1, 0}, {0, 4, 1, 0}, {0, 2, 1, 0}}, {}).record.delivered,
              ElementsAre(3, 4, 4));
}

// A packet whose random row is beyond its destination is consumed as it passes.
TEST(ThreePhase, EndsWhereItMeetsItsDestination) {
  const Grid column = Grid::mesh({9, 1});
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const StepperResult result = run_three_phase(column, {{4, 5, 1, 0}}, {}, seed);
    const auto row = static_cast<Step>(RandomStream(seed, Purpose::algorithm, 4, 0).bounded(9));
    EXPECT_THAT(result.record.delivered, ElementsAre(row >= 4 ? 1 : 2 * (4 - row) + 1)) << "row " << row;
  }
}

TEST(ThreePhase, HasNoFixedPathBeforeItsRowIsDrawn) {
  const Grid mesh = Grid::mesh({4, 4});
  EXPECT_EQ(routed_port(*named_algorithm("three-phase", mesh), 0, 15), no_port);
  EXPECT_EQ(routed_port(*named_algorithm("three-phase", mesh, slice_of(1)), 0, 15), mesh.dimension_order_port(0, 15));
}

TEST(ThreePhase, PromisesNoSteps) {
  const Grid mesh = Grid::mesh({4, 4});
  EXPECT_TRUE(named_algorithm("three-phase", mesh)->bounds(permutation_packets(identity_permutation(16))).empty());
}

TEST(ThreePhase, RefusesWhatItCannotServe) {
  EXPECT_THROW(named_algorithm("three-phase", Grid::mesh({4, 4, 2})), InputError);
  EXPECT_THROW(named_algorithm("three-phase", Grid::torus({4})), InputError);
  EXPECT_THROW(named_algorithm("three-phase", Grid::mesh({4, 9}), slice_of(5)), InputError);
  EXPECT_THROW(named_algorithm("three-phase", Grid::torus({9, 4}), slice_of(5)), InputError);
  EXPECT_NO_THROW(named_algorithm("three-phase", Grid::mesh({4, 9}), slice_of(4)));
}

}  // namespace
}  // namespace starloom::links
