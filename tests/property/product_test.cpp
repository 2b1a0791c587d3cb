// SPDX-License-Identifier: Apache-2.0
// The product planner: plans fit to drive within a + 2b - 3, with at most one packet staying in a node.
#include <starloom/algorithms/product/product_planner.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <starloom/core/random.hpp>
#include <starloom/support/error.hpp>
#include "support/counter_examples.hpp"
#include "support/permutations.hpp"
#include "support/plain_planner.hpp"

namespace starloom::links {
namespace {

using testing::HasSubstr;

/// Packets set off, and turn, only where a phase begins: in one of three stages.
void moves_in_phases(const Plan& plan) {
  std::set<Step> beginnings;
  for (const Journey& journey : plan.journeys) {
    Port before = no_port;
    Step stage = journey.start;
    for (const Port port : journey.moves) {
      if (port != no_port && port != before) beginnings.insert(stage);
      before = port;
      ++stage;
    }
  }
  EXPECT_LE(beginnings.size(), 3u);
}

void keeps_the_bound(const Grid& mesh, const std::vector<Packet>& packets) {
  const Plan plan = plan_product(mesh, packets);
  ASSERT_EQ(plan_error(mesh, packets, plan, {1}), "");
  EXPECT_LE(plan.length(), product_bound(mesh));
  moves_in_phases(plan);
}

TEST(Product, KeepsItsBoundOnEveryPermutationOfSmallMeshes) {
  for (const Grid& mesh : {Grid::mesh({2, 2}), Grid::mesh({2, 3}), Grid::mesh({3, 2}), Grid::mesh({1, 5}),
                           Grid::mesh({5, 1}), Grid::mesh({1, 1})}) {
    std::vector<NodeId> destinations = identity_permutation(mesh.nodes());
    do keeps_the_bound(mesh, permutation_packets(destinations));
    while (std::next_permutation(destinations.begin(), destinations.end()));
  }
}

TEST(Product, KeepsItsBoundOnLargerOnes) {
  for (const std::vector<std::int64_t>& shape :
       std::vector<std::vector<std::int64_t>>{{8, 8}, {5, 12}, {12, 5}, {16, 16}, {7, 7}}) {
    const Grid mesh = Grid::mesh(shape);
    EXPECT_EQ(product_bound(mesh), std::max(shape[0], shape[1]) + 2 * std::min(shape[0], shape[1]) - 3);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::vector<Packet> packets = permutation_packets(random_permutation(mesh.nodes(), seed));
      keeps_the_bound(mesh, packets);
      std::vector<Packet> part;
      RandomStream dice(seed, Purpose::algorithm, 0, 6);
      for (const Packet& packet : packets)
        if (dice.bounded(2) == 0) part.push_back(packet);
      keeps_the_bound(mesh, part);
    }
    if (shape[0] == shape[1]) keeps_the_bound(mesh, permutation_packets(quarter_turn(mesh.side(0))));
  }
  EXPECT_EQ(product_bound(Grid::mesh({10, 10})), 27);
}

TEST(Product, RefusesWhatIsNoPermutationOfAMesh) {
  const auto refusal = [](const Grid& grid, const std::vector<Packet>& packets) -> std::string {
    try {
      plan_product(grid, packets);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const Grid mesh = Grid::mesh({2, 2});
  EXPECT_THAT(refusal(mesh, {{0, 1, 1, 0}, {0, 2, 1, 0}}), HasSubstr("packet 1: node 0 is already the source"));
  EXPECT_THAT(refusal(mesh, {{0, 1, 1, 0}, {2, 1, 1, 0}}), HasSubstr("packet 1: node 1 is already the destination"));
  EXPECT_THAT(refusal(mesh, {{0, 7, 1, 0}}), HasSubstr("destination 7 is not a node"));
  EXPECT_THAT(refusal(Grid::torus({2, 2}), {}), HasSubstr("needs a two-dimensional mesh"));
  EXPECT_EQ(refusal(mesh, {}), "accepted");
}

}  // namespace
}  // namespace starloom::links
