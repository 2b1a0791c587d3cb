// SPDX-License-Identifier: Apache-2.0
// Rajasekaran and Overholt 1990, section 2: greedy routing, furthest destination first, takes at most rows + columns -
// 2 steps for every permutation of a mesh, partial ones included.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/algorithms/table/algorithm_table.hpp>
#include <starloom/control/links/algorithm.hpp>
#include <starloom/simulation/links/simulation.hpp>
#include <starloom/support/error.hpp>
#include <starloom/traffic/packet_list.hpp>
#include "support/permutations.hpp"
#include "support/stepper.hpp"
#include "unit/traffic_support.hpp"

namespace starloom::links {
namespace {

using Shape = std::vector<std::int64_t>;

constexpr NodeId most_nodes_of_a_netlist = 200;

/// Runs greedy routing on a mesh.
class GreedyBound : public testing::TestWithParam<Shape> {
 protected:
  GreedyBound() : mesh_(Grid::mesh(GetParam())) {
    const AlgorithmEntry* entry = find_algorithm("greedy");
    std::map<std::string, KeyValue> keys;
    for (const KeySpec& key : entry->keys)
      if (inner_section(key.name).empty()) keys[key.name] = key.default_value;
    greedy_ = std::get<MakeAlgorithm>(entry->make)({&network_of(mesh_)}, KeyValues(keys));
  }

  /// The run completes within the bound.
  void keeps_bound(Traffic& traffic, const std::string& name) const {
    const RunRecord record = run(traffic);
    ASSERT_EQ(record.delivered_count, static_cast<std::int64_t>(record.packets.size())) << name;
    Step steps = 0;
    for (const Step delivered : record.delivered) steps = std::max(steps, delivered);
    EXPECT_LE(steps, bound()) << name;
    // The bound is announced with the result.
    EXPECT_EQ(greedy_->bounds(record.packets).at("steps"), static_cast<double>(bound())) << name;
  }
  Step bound() const { return GetParam()[0] + GetParam()[1] - 2; }
  bool is_small() const { return mesh_.nodes() <= most_nodes_of_a_netlist; }

  /// Small meshes are netlists, checked by the referee; the reference simulator, which agrees with them row by row,
  /// replaces large ones, whose modules take long to destroy.
  RunRecord run(Traffic& traffic) const {
    if (!is_small()) return run_stepper(mesh_, *greedy_, traffic).record;
    SimulationSetup setup;
    setup.network = &network_of(mesh_);
    setup.algorithm = greedy_.get();
    setup.traffic = &traffic;
    SimulationResult result = simulate(setup);
    EXPECT_EQ(result.outcome, Outcome::completed) << result.violation.text;
    return std::move(result.record);
  }

  Grid mesh_;
  std::unique_ptr<Algorithm> greedy_;
};

TEST_P(GreedyBound, NamedPermutations) {
  const std::vector<std::string> others = {"hot-spot",    "random-function", "file",    "packets",
                                           "application", "ranks",           "uniform", "transactions"};
  std::size_t served = 0;
  for (const PatternEntry& entry : all_patterns()) {
    if (std::count(others.begin(), others.end(), entry.name) != 0) continue;
    std::vector<std::map<std::string, KeyValue>> variants = {{}};
    if (entry.name == "shift") {
      variants.clear();
      for (const std::int64_t offset :
           {std::int64_t{1}, GetParam()[1] - 1, std::int64_t{mesh_.nodes() / 2}, std::int64_t{-1}})
        variants.push_back({{"offset", offset}});
    }
    if (entry.name == "bounded") {
      variants.clear();
      for (const std::int64_t distance : {1, 3, 8}) variants.push_back({{"distance", distance}});
    }
    for (const auto& keys : variants) {
      std::unique_ptr<Traffic> traffic;
      try {
        traffic = make_traffic(entry.name, mesh_, keys);
      } catch (const InputError&) {
        continue;  // a pattern of other shapes
      }
      ++served;
      keeps_bound(*traffic, entry.name);
    }
  }
  EXPECT_GE(served, 12u);
}

TEST_P(GreedyBound, RandomPermutations) {
  const std::uint64_t runs = is_small() ? 1000 : 10;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    PacketList traffic(permutation_packets(random_permutation(mesh_.nodes(), seed)));
    keeps_bound(traffic, "seed " + std::to_string(seed));
    if (HasFailure()) return;
  }
}

// Random permutations are blind to much: here all packets of a row go to one column, so that they meet there. Row r
// sends to column (r + shift) mod columns, and each column to its rows in an order of its own.
TEST_P(GreedyBound, RowsIntoColumns) {
  const std::int64_t side = std::min(GetParam()[0], GetParam()[1]), columns = GetParam()[1];
  for (std::int64_t shift = 0; shift < side; shift += is_small() ? 1 : side / 4)
    for (const bool mirrored : {false, true}) {
      std::vector<Packet> packets;
      for (std::int64_t r = 0; r < side; ++r)
        for (std::int64_t c = 0; c < side; ++c) {
          const std::int64_t row = mirrored ? side - 1 - c : (c + r) % side;
          packets.push_back(
              {static_cast<NodeId>(r * columns + c), static_cast<NodeId>(row * columns + (r + shift) % side), 1, 0});
        }
      PacketList traffic(packets);
      keeps_bound(traffic, "shift " + std::to_string(shift));
    }
}

INSTANTIATE_TEST_SUITE_P(Meshes, GreedyBound,
                         testing::Values(Shape{1, 16}, Shape{4, 4}, Shape{5, 7}, Shape{8, 8}, Shape{12, 3},
                                         Shape{13, 15}, Shape{32, 32}, Shape{9, 40}),
                         [](const auto& mesh) {
                           return std::to_string(mesh.param[0]) + "x" + std::to_string(mesh.param[1]);
                         });

}  // namespace
}  // namespace starloom::links
