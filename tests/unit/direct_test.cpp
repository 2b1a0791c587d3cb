// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/direct/direct.hpp>

#include <gtest/gtest.h>

#include <starloom/message/pops/direct_model.hpp>
#include "support/permutations.hpp"
#include "support/same_run.hpp"

namespace starloom::pops {
namespace {

SteppedRun stepped(const Pops& pops, const std::vector<NodeId>& destination, std::uint64_t seed,
                   const Stepping& stepping = {}) {
  const DirectRules rules(pops);
  std::vector<std::int32_t> source_group(destination.size(), no_group);
  for (std::size_t node = 0; node < destination.size(); ++node)
    if (destination[node] != no_node)
      source_group[static_cast<std::size_t>(destination[node])] = pops.group_of(static_cast<NodeId>(node));
  const auto controllers = controllers_for(pops, [&](NodeId node) {
    const NodeId to = destination[static_cast<std::size_t>(node)];
    return DirectController(rules, to == no_node ? no_packet : node, to, source_group[static_cast<std::size_t>(node)]);
  });
  return run_stepper(pops, *controllers, {DirectRules::cycle_slots, 0, no_step}, seed, stepping);
}

TEST(Direct, ModelAndControllersAgree) {
  for (const auto& [d, g] : {std::pair{1, 1}, {1, 6}, {4, 4}, {16, 16}, {8, 3}, {3, 8}, {16, 4}, {5, 1}})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Pops pops(d, g);
      std::vector<NodeId> destination = random_permutation(pops.nodes(), seed);
      if (seed == 4) destination = identity_permutation(pops.nodes());  // all of a group on one coupler
      if (seed == 5)
        for (std::size_t node = 0; node < destination.size(); node += 2) destination[node] = no_node;
      SCOPED_TRACE(testing::Message() << "POPS(" << d << "," << g << ") seed " << seed);
      const MessageRun model = route_direct(pops, destination, seed, 1 << 20);
      EXPECT_TRUE(model.finished);
      EXPECT_EQ(model.undelivered, 0);
      Stepping shuffled;
      shuffled.order = random_permutation(pops.nodes(), 5);
      expect_same(model, stepped(pops, destination, seed));
      expect_same(model, stepped(pops, destination, seed, shuffled));
      if (HasFatalFailure()) return;
    }
}

TEST(Direct, HoweverManyThreadsTheRunIsTheSame) {
  for (const auto& [d, g] : {std::pair{64, 64}, {700, 4}, {20, 210}}) {
    const Pops pops(d, g);
    std::vector<NodeId> destination = random_permutation(pops.nodes(), 3);
    for (std::size_t node = 0; node < destination.size(); node += 7) destination[node] = no_node;
    const SteppedRun plain = stepped(pops, destination, 8);
    for (const int threads : {1, 2, 3, 5}) {
      SCOPED_TRACE(testing::Message() << "POPS(" << d << "," << g << ") threads " << threads);
      MessageLimits limits(1 << 20);
      limits.threads = threads;
      const MessageRun model = route_direct(pops, destination, 8, limits);
      EXPECT_TRUE(model.finished);
      expect_same(model, plain);
    }
  }
}

TEST(Direct, OneCouplerTakesAtLeastACycleForEachOfItsPackets) {
  // The oblivious route meets its worst case in the identity: d packets of each group on one coupler.
  const Pops pops(32, 32);
  const std::size_t identity = route_direct(pops, identity_permutation(pops.nodes()), 1, 1 << 20).slots.size();
  EXPECT_GE(identity, 2u * 32);
  EXPECT_GT(identity, route_direct(pops, random_permutation(pops.nodes(), 1), 1, 1 << 20).slots.size());
}

TEST(Direct, StopsAtItsLimit) {
  const Pops pops(16, 2);
  const MessageRun run = route_direct(pops, identity_permutation(32), 1, 4);
  EXPECT_EQ(run.slots.size(), 4u);
  EXPECT_FALSE(run.finished);
  EXPECT_GT(run.undelivered, 0);
}

}  // namespace
}  // namespace starloom::pops
