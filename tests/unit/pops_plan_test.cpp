// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/pops/plan.hpp>

#include <gtest/gtest.h>

#include <algorithm>

#include <starloom/algorithms/comparator_sort/merge_exchange.hpp>
#include "support/permutations.hpp"

namespace starloom::pops {
namespace {

/// Things that may be used once.
class Once {
 public:
  explicit Once(std::int64_t things) : used_(static_cast<std::size_t>(things), false) {}
  bool use(std::int64_t thing) {
    const bool first = !used_.at(static_cast<std::size_t>(thing));
    used_[static_cast<std::size_t>(thing)] = true;
    return first;
  }

 private:
  std::vector<bool> used_;
};

/// The plan obeys the machine: every coupler has one driver a slot, every relay samples and passes on one packet a
/// round.
void expect_legal(const Pops& pops, const std::vector<NodeId>& destination) {
  const Plan plan = plan_permutation(pops, destination);
  const std::int32_t d = pops.group_size(), g = pops.groups();
  ASSERT_EQ(plan.slots(), d == 1 ? 1 : 2 * ((d + g - 1) / g));
  Once couplers(plan.slots() * pops.couplers()), relays(std::int64_t{plan.rounds} * pops.nodes());
  const auto drive = [&](std::int64_t slot, std::int32_t to, std::int32_t from) {
    return couplers.use(slot * pops.couplers() + pops.coupler(to, from));
  };
  for (std::size_t source = 0; source < destination.size(); ++source) {
    const NodeId to = destination[source], relay = plan.relay[source];
    if (to == no_node) {
      ASSERT_EQ(relay, no_node);
      continue;
    }
    const std::int32_t from_group = pops.group_of(static_cast<NodeId>(source)), to_group = pops.group_of(to);
    const std::int64_t round = plan.round[source];
    ASSERT_TRUE(round >= 0 && round < plan.rounds);
    if (plan.slots_per_round == 1) {
      ASSERT_TRUE(drive(0, to_group, from_group));
      continue;
    }
    ASSERT_TRUE(relay >= 0 && relay < pops.nodes());
    ASSERT_TRUE(relays.use(round * pops.nodes() + relay)) << "two packets at relay " << relay;
    ASSERT_TRUE(drive(2 * round, pops.group_of(relay), from_group));
    ASSERT_TRUE(drive(2 * round + 1, to_group, pops.group_of(relay)));
  }
}

TEST(PopsPlan, AllPermutationsOfUpToEight) {
  for (NodeId nodes = 1; nodes <= 8; ++nodes)
    for (NodeId d = 1; d <= nodes; ++d) {
      if (nodes % d != 0) continue;
      std::vector<NodeId> permutation = identity_permutation(nodes);
      do {
        expect_legal(Pops(d, nodes / d), permutation);
        if (HasFatalFailure()) FAIL() << "POPS(" << d << "," << nodes / d << ")";
      } while (std::next_permutation(permutation.begin(), permutation.end()));
    }
}

/// Larger ones: testbenches/campaigns/pops-offline.yaml.
TEST(PopsPlan, StructuredAndRandomPermutationsOfManySizes) {
  const std::pair<std::int32_t, std::int32_t> sizes[] = {
      {1, 8},  {2, 2},   {3, 3},   {4, 4},   {7, 7},    {8, 3},  {9, 4}, {12, 4}, {2, 8},  {3, 8},   {5, 8},
      {7, 16}, {33, 64}, {63, 64}, {64, 64}, {100, 17}, {5, 13}, {1, 1}, {5, 1},  {13, 5}, {31, 32}, {2, 129}};
  for (const auto& [d, g] : sizes) {
    const Pops pops(d, g);
    std::vector<NodeId> permutation = identity_permutation(pops.nodes());
    expect_legal(pops, permutation);
    for (const std::int32_t by : {1, d, d * g / 2}) {
      std::vector<NodeId> shifted = permutation;
      std::rotate(shifted.begin(), shifted.begin() + by % pops.nodes(), shifted.end());
      expect_legal(pops, shifted);
    }
    expect_legal(pops, {permutation.rbegin(), permutation.rend()});
    for (int seed = 1; seed <= 1000; ++seed) {
      std::vector<NodeId> random = random_permutation(pops.nodes(), static_cast<std::uint64_t>(seed));
      if (seed % 4 == 0)
        for (std::size_t i = 0; i < random.size(); i += 2) random[i] = no_node;
      expect_legal(pops, random);
      if (HasFatalFailure()) FAIL() << "POPS(" << d << "," << g << ") seed " << seed;
    }
  }
}

TEST(MergeExchange, SortsEveryZeroOneInput) {
  // A network that sorts all inputs of zeros and ones sorts everything (Knuth 5.3.4 Z).
  for (NodeId items = 1; items <= 16; ++items) {
    const std::vector<ComparatorStage> stages = merge_exchange(items);
    std::size_t log = 0;
    while ((NodeId{1} << log) < items) ++log;
    EXPECT_EQ(stages.size(), log * (log + 1) / 2);
    for (std::uint32_t input = 0; input < 1u << items; ++input) {
      std::uint32_t keys = input;
      for (const ComparatorStage& stage : stages)
        for (NodeId item = 0; item < items; ++item) {
          const NodeId partner = stage.partner(item, items);
          ASSERT_EQ(stage.partner(partner, items), item);
          if (partner > item && (keys >> item & 1) > (keys >> partner & 1)) keys ^= 1u << item | 1u << partner;
        }
      for (NodeId item = 1; item < items; ++item) ASSERT_LE(keys >> (item - 1) & 1, keys >> item & 1) << items;
    }
  }
}

}  // namespace
}  // namespace starloom::pops
