// SPDX-License-Identifier: Apache-2.0
// Hot-potato routing: the packet of best rank is never deflected, so M packets are home within M diameters; random
// permutations take little more than the greatest distance.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/permutations.hpp"
#include "support/stepper.hpp"

namespace starloom::links {
namespace {

constexpr const char* priorities[] = {"rank", "restricted"};

/// Runs to the end. Everything must arrive.
StepperResult run(const Grid& grid, const std::vector<Packet>& packets, const std::string& priority) {
  ListSource source(packets);
  StepperResult result = run_stepper(grid, *named_algorithm("deflection", grid, {{"priority", priority}}), source);
  EXPECT_EQ(result.end, StepperEnd::all_delivered) << (result.violation ? result.violation->text : "");
  return result;
}

Step steps(const StepperResult& result) {
  return *std::max_element(result.record.delivered.begin(), result.record.delivered.end());
}

/// Hops that do not bring the packet of lowest number that moves in the same step nearer.
int steps_that_deflect_the_best(const Grid& grid, const StepperResult& result) {
  std::map<Step, const TraceRow*> best;
  for (const TraceRow& row : result.rows) {
    if (row.event != TraceEvent::hop) continue;
    const TraceRow*& lowest = best[row.step];
    if (lowest == nullptr || row.packet < lowest->packet) lowest = &row;
  }
  return static_cast<int>(std::count_if(best.begin(), best.end(), [&](const auto& entry) {
    const TraceRow& row = *entry.second;
    const NodeId to = result.record.packets[static_cast<std::size_t>(row.packet)].destination;
    return grid.distance(row.to, to) >= grid.distance(row.node, to);
  }));
}

void expect_within_the_bound(const Grid& grid, const StepperResult& result) {
  EXPECT_EQ(steps_that_deflect_the_best(grid, result), 0);
  EXPECT_LE(steps(result), static_cast<Step>(result.record.packets.size()) * grid.diameter());
}

TEST(Deflection, RandomPermutationsTakeLittleMoreThanTheirGreatestDistance) {
  const Grid mesh = Grid::mesh({36, 36});
  for (const char* priority : priorities) {
    Step sum = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const auto packets = permutation_packets(random_permutation(mesh.nodes(), seed));
      const StepperResult result = run(mesh, packets, priority);
      if (priority == priorities[0]) expect_within_the_bound(mesh, result);
      sum += steps(result);
    }
    EXPECT_NEAR(static_cast<double>(sum) / 20, 64.0, 1.5) << priority;
  }
}

TEST(Deflection, TransposeDeflectsNobody) {
  const Grid mesh = Grid::mesh({36, 36});
  std::vector<NodeId> destinations;
  std::int64_t distance = 0;
  for (NodeId node = 0; node < mesh.nodes(); ++node) {
    destinations.push_back(node % 36 * 36 + node / 36);
    distance += mesh.distance(node, destinations.back());
  }
  for (const char* priority : priorities) {
    const StepperResult result = run(mesh, permutation_packets(destinations), priority);
    EXPECT_EQ(steps(result), 70);
    EXPECT_EQ(result.record.flit_hops, distance);
  }
}

/// Inputs with many conflicts: in a random permutation most packets have none.
std::map<std::string, std::vector<NodeId>> crowds(const Grid& mesh) {
  const NodeId n = mesh.side(0);
  std::map<std::string, std::vector<NodeId>> destinations;
  for (NodeId row = 0; row < n; ++row)
    for (NodeId column = 0; column < n; ++column) {
      const NodeId mirrored = (n - 1 - row) * n + (n - 1 - column);
      destinations["reversal"].push_back(mirrored);
      destinations["all to the middle"].push_back(n / 2 * n + n / 2);
      destinations["all to a corner"].push_back(n * n - 1);
      destinations["each row to one node"].push_back((n - 1 - row) * n + row);
      destinations["rows into columns"].push_back((column + row) % n * n + row);
      destinations["quadrants to the opposite corners"].push_back(row / (n / 2) == 0 ? n * n - 1 - column % 2
                                                                                     : column % 2);
      destinations["all through the middle column"].push_back((n - 1 - row) * n + n / 2 + (column < n / 2 ? 0 : -1));
    }
  return destinations;
}

TEST(Deflection, CrowdsArriveWithinTheBound) {
  for (const NodeId n : {4, 8, 12}) {
    const Grid mesh = Grid::mesh({n, n});
    for (const auto& [name, destinations] : crowds(mesh)) {
      SCOPED_TRACE(name + ", n = " + std::to_string(n));
      expect_within_the_bound(mesh, run(mesh, permutation_packets(destinations), "rank"));
      run(mesh, permutation_packets(destinations), "restricted");
    }
  }
}

// Later packets wait in their processors; the packet with the best rank in the network takes a shortest path
// nevertheless.
TEST(Deflection, TheBestIsNeverDeflectedUnderLoad) {
  for (const Grid& grid : {Grid::mesh({6, 6}), Grid::torus({5, 4})})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      std::vector<Packet> packets;
      for (NodeId node = 0; node < grid.nodes(); ++node)
        for (Step burst = 0; burst < 6; ++burst) {
          RandomStream random(seed, Purpose::destination, node, burst);
          packets.push_back(
              {node, static_cast<NodeId>(random.bounded(static_cast<std::uint32_t>(grid.nodes()))), 1, burst});
        }
      EXPECT_EQ(steps_that_deflect_the_best(grid, run(grid, packets, "rank")), 0);
    }
}

}  // namespace
}  // namespace starloom::links
