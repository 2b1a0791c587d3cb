// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/randomized/randomized.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <starloom/core/wide_philox.hpp>
#include <starloom/message/pops/randomized_model.hpp>
#include <starloom/support/error.hpp>
#include "support/permutations.hpp"
#include "support/same_run.hpp"

namespace starloom::pops {
namespace {

SteppedRun stepped(const Pops& pops, const RandomizedRules& rules, const std::vector<NodeId>& destination,
                   std::uint64_t seed, const Stepping& stepping = {}) {
  const auto controllers = controllers_for(pops, [&](NodeId node) {
    const NodeId to = destination[static_cast<std::size_t>(node)];
    return RandomizedController(rules, to == no_node ? no_packet : node, to);
  });
  Program program{RandomizedRules::cycle_slots, rules.drain_slots(), no_step};
  if (rules.round_robin()) program = {1, 0, pops.nodes()};
  return run_stepper(pops, *controllers, program, seed, stepping);
}

struct Size {
  std::int32_t d, g;
};
const Size sizes[] = {{1, 1},  {1, 4},  {5, 1},  {2, 2},  {3, 3}, {8, 8}, {13, 13}, {16, 16}, {4, 2},   {8, 2},
                      {15, 5}, {16, 4}, {32, 8}, {64, 4}, {2, 4}, {1, 7}, {3, 12},  {8, 32},  {16, 64}, {48, 16}};

TEST(Randomized, ModelAndControllersAgreeOnEverySlot) {
  for (const Size size : sizes)
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const Pops pops(size.d, size.g);
      const RandomizedRules rules(pops, RandomizedOptions());
      std::vector<NodeId> destination = random_permutation(pops.nodes(), seed);
      if (seed == 2) destination = identity_permutation(pops.nodes());
      if (seed == 3) std::reverse(destination.begin(), destination.end());
      if (seed >= 7)  // a part of a permutation
        for (std::size_t node = 0; node < destination.size(); node += 3) destination[node] = no_node;
      SCOPED_TRACE(testing::Message() << "POPS(" << size.d << "," << size.g << ") seed " << seed);
      const MessageRun model = route_randomized(pops, rules, destination, seed, 1 << 20, true);
      EXPECT_EQ(model.undelivered, 0);
      EXPECT_TRUE(model.finished);
      const SteppedRun plain = stepped(pops, rules, destination, seed);
      expect_same(model, plain);
      if (!rules.round_robin()) {
        EXPECT_EQ(model.units, plain.units);
      }
      if (HasFatalFailure()) return;
    }
}

TEST(Randomized, OrderOfEvaluationChangesNothing) {
  for (const Size size : {Size{16, 16}, Size{32, 8}, Size{8, 32}}) {
    const Pops pops(size.d, size.g);
    const RandomizedRules rules(pops, RandomizedOptions());
    const std::vector<NodeId> destination = random_permutation(pops.nodes(), 4);
    Stepping shuffled;
    shuffled.order = random_permutation(pops.nodes(), 99);
    expect_same(route_randomized(pops, rules, destination, 4, 1 << 20, true),
                stepped(pops, rules, destination, 4, shuffled));
  }
}

// More than 64 groups are in several strips of a table, the last of which may be incomplete.
TEST(Randomized, SizesOnBothSidesOfAStripAgree) {
  for (const Size size : {Size{63, 63}, Size{64, 64}, Size{65, 65}, Size{140, 70}, Size{66, 132}}) {
    const Pops pops(size.d, size.g);
    const RandomizedRules rules(pops, RandomizedOptions());
    std::vector<NodeId> destination = random_permutation(pops.nodes(), 7);
    SCOPED_TRACE(testing::Message() << "POPS(" << size.d << "," << size.g << ")");
    expect_same(route_randomized(pops, rules, destination, 7, 1 << 20, true), stepped(pops, rules, destination, 7));
    // So few packets that most couplers are not looked at.
    for (std::size_t node = 0; node < destination.size(); ++node)
      if (node % 23 != 0) destination[node] = no_node;
    expect_same(route_randomized(pops, rules, destination, 7, 1 << 20, true), stepped(pops, rules, destination, 7));
  }
}

// Groups whose indices do not fit into 16 bits: all processors of one of them have a packet.
TEST(Randomized, LargeGroupsLoseNoPacket) {
  constexpr std::int32_t width = 32, sender = 5;
  for (const std::int32_t size : {16384, 65568}) {
    const Pops pops(size, width);
    const RandomizedRules rules(pops, RandomizedOptions());
    std::vector<NodeId> destination(static_cast<std::size_t>(pops.nodes()), no_node);
    for (std::int32_t index = 0; index < size; ++index)
      destination[static_cast<std::size_t>(pops.node_at(sender, index))] =
          pops.node_at(index % width, size - 1 - index / width);
    SCOPED_TRACE(size);
    const MessageRun run = route_randomized(pops, rules, destination, 1, 1 << 20, false);
    EXPECT_EQ(run.undelivered, 0);
    EXPECT_EQ(std::count_if(run.delivered.begin(), run.delivered.end(), [](std::int32_t slot) { return slot >= 0; }),
              size);
    EXPECT_EQ(run.ack_drives, 2 * size);
  }
}

// A machine without vector instructions has the same run.
TEST(Randomized, HoweverWordsAreMadeTheRunIsTheSame) {
  const WordMaker& widest = word_maker();
  for (const Size size : {Size{64, 64}, Size{256, 16}, Size{30, 15}}) {
    const Pops pops(size.d, size.g);
    const RandomizedRules rules(pops, RandomizedOptions());
    const std::vector<NodeId> destination = random_permutation(pops.nodes(), 8);
    for (const WordMaker& maker : word_makers()) {
      if (!maker.runs_here) continue;
      SCOPED_TRACE(maker.name);
      use_word_maker(maker);
      const MessageRun run = route_randomized(pops, rules, destination, 8, 1 << 20, false);
      use_word_maker(widest);
      expect_same(run, stepped(pops, rules, destination, 8));
    }
  }
}

TEST(Randomized, HoweverManyThreadsTheRunIsTheSame) {
  for (const Size size : {Size{70, 210}, Size{210, 70}, Size{130, 130}}) {
    const Pops pops(size.d, size.g);
    const RandomizedRules rules(pops, RandomizedOptions());
    const std::vector<NodeId> destination = random_permutation(pops.nodes(), 3);
    const SteppedRun plain = stepped(pops, rules, destination, 8);
    for (const int threads : {1, 2, 3, 5, 7})
      for (const bool check : {false, true}) {
        SCOPED_TRACE(testing::Message() << threads << (check ? " checked" : ""));
        MessageLimits limits(1 << 20);
        limits.threads = threads;
        expect_same(route_randomized(pops, rules, destination, 8, limits, check), plain);
      }
  }
}

TEST(Randomized, OptionsAgreeToo) {
  for (const Size size : {Size{16, 4}, Size{32, 8}, Size{32, 2}}) {
    const Pops pops(size.d, size.g);
    for (const bool literal : {false, true})
      for (const bool guard : {false, true}) {
        const RandomizedRules rules(pops, {4, literal, guard, false});
        const std::vector<NodeId> destination = random_permutation(pops.nodes(), 5);
        expect_same(route_randomized(pops, rules, destination, 5, 1 << 20, true), stepped(pops, rules, destination, 5));
      }
  }
  const Pops square(9, 9);
  const RandomizedRules shifting(square, {4, false, false, true});
  const std::vector<NodeId> destination = random_permutation(square.nodes(), 6);
  const MessageRun model = route_randomized(square, shifting, destination, 6, 1 << 20, true);
  EXPECT_EQ(model.undelivered, 0);
  expect_same(model, stepped(square, shifting, destination, 6));
}

TEST(Randomized, StopsAtItsLimit) {
  const Pops pops(16, 16);
  const RandomizedRules rules(pops, RandomizedOptions());
  const std::vector<NodeId> destination = random_permutation(pops.nodes(), 1);
  const MessageRun run = route_randomized(pops, rules, destination, 1, 10, true);
  EXPECT_FALSE(run.finished);
  EXPECT_EQ(run.slots.size(), 10u);
  EXPECT_GT(run.undelivered, 0);
  EXPECT_LT(run.undelivered, pops.nodes());
  Stepping stepping;
  stepping.slot_limit = 10;
  expect_same(run, stepped(pops, rules, destination, 1, stepping));
}

TEST(Randomized, ACouplerThatLetsTheFirstDriverWinIsSeen) {
  const Pops pops(8, 8);
  const RandomizedRules rules(pops, RandomizedOptions());
  Stepping broken;
  broken.first_driver_wins = true;
  EXPECT_NE(stepped(pops, rules, random_permutation(pops.nodes(), 1), 1, broken).breach, nullptr);
}

TEST(Randomized, ASampleOfTheWrongGroupIsSeen) {
  const Pops pops(8, 8);
  const RandomizedRules rules(pops, RandomizedOptions());
  const std::vector<NodeId> destination = random_permutation(pops.nodes(), 1);
  Stepping deaf;
  deaf.slot_limit = 200;
  for (const int slot : {0, 1, 2, 3, 4}) {
    deaf.damage = [&](const SlotContext& context, SlotFrame& frame) {
      if (context.slot % 5 == slot && frame.sampled != no_group) frame.sampled = (frame.sampled + 1) % 8;
    };
    const SteppedRun run = stepped(pops, rules, destination, 1, deaf);
    const bool all = std::count(run.delivered.begin(), run.delivered.end(), -1) == 0;
    EXPECT_TRUE(run.breach != nullptr || !all || !run.finished) << "slot " << slot + 1;
  }
}

TEST(Randomized, PatienceFollowsTheLaw) {
  EXPECT_EQ(RandomizedRules::patience(Pops(64, 64)), 100'000);
  EXPECT_EQ(RandomizedRules::patience(Pops(32, 1)), 100'000);
  // 5 slots * ln 10^12 / (1024 * (7/8)^127); 64 * 2^-31 would take more slots than can be counted.
  EXPECT_NEAR(static_cast<double>(RandomizedRules::patience(Pops(128, 8))), 3.13e6, 0.02e6);
  EXPECT_EQ(RandomizedRules::patience(Pops(32, 2)), 2'147'483'647);
}

TEST(Randomized, DrawsAreMadeAfreshInEveryCycle) {
  // Two processors of a group that met once must separate: constant random choices would let them meet forever.
  const Pops pops(16, 16);
  const RandomizedRules rules(pops, RandomizedOptions());
  const auto drawn = [&](NodeId node, std::int64_t cycle) {
    return rules.random_group(7, node, 0, cycle, rules.participation(cycle));
  };
  for (NodeId one = 0; one < 16; ++one)
    for (NodeId other = one + 1; other < 16; ++other) {
      int meetings = 0;
      for (std::int64_t cycle = 0; cycle < 32; ++cycle) meetings += drawn(one, cycle) == drawn(other, cycle) ? 1 : 0;
      EXPECT_LT(meetings, 12);
    }
  std::vector<int> seen(16, 0);
  for (std::int64_t cycle = 0; cycle < 1600; ++cycle) ++seen[static_cast<std::size_t>(drawn(3, cycle))];
  for (const int count : seen) EXPECT_NEAR(count, 100, 40);
}

TEST(Randomized, DeadCouplersAreCrossedWithTheShift) {
  for (const double rate : {0.01, 0.1, 0.3}) {
    const Pops pops(16, 16);
    const DeadCouplers dead = DeadCouplers::at_random(pops, rate, 3);
    const RandomizedRules rules(pops, {4, false, false, true}, &dead);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const std::vector<NodeId> destination = random_permutation(pops.nodes(), seed);
      Stepping stepping;
      stepping.dead = &dead;
      const MessageRun model = route_randomized(pops, rules, destination, seed, 1 << 20, true);
      EXPECT_EQ(model.undelivered, 0);
      expect_same(model, stepped(pops, rules, destination, seed, stepping));
    }
  }
}

TEST(Randomized, WithoutTheShiftADeadCouplerBlocksItsPacketForEver) {
  const Pops pops(16, 16);
  DeadCouplers dead(pops);
  dead.kill(3, 5);
  const RandomizedRules rules(pops, {}, &dead);
  const std::vector<NodeId> destination = random_permutation(pops.nodes(), 1);
  Stepping stepping;
  stepping.dead = &dead;
  stepping.slot_limit = 1000;
  const MessageRun run = route_randomized(pops, rules, destination, 1, 1000, true);
  EXPECT_FALSE(run.finished);
  // Those whose temporary group is 5 and destination group 3, and vice versa.
  for (std::size_t source = 0; source < destination.size(); ++source) {
    const NodeId to = destination[source];
    EXPECT_EQ(run.delivered[source] < 0, to == pops.node_at(3, 5) || to == pops.node_at(5, 3));
  }
  EXPECT_EQ(run.undelivered, 2);
  expect_same(run, stepped(pops, rules, destination, 1, stepping));
}

TEST(Randomized, RefusesWhatItCannotServe) {
  const auto refused = [](std::int32_t d, std::int32_t g, const RandomizedOptions& options) {
    EXPECT_THROW(RandomizedRules(Pops(d, g), options), InputError) << d << " " << g;
  };
  refused(6, 4, {});
  refused(4, 6, {});
  refused(8, 8, {3.9});
  refused(8, 8, {std::numeric_limits<double>::infinity()});
  refused(8, 8, {std::numeric_limits<double>::quiet_NaN()});
  refused(8, 8, {4, true, false, false});
  refused(8, 4, {4, false, false, true});
  EXPECT_NO_THROW(RandomizedRules(Pops(8, 8), {std::exp(1 + std::exp(-1.0))}));
  const Pops pops(2, 2);
  const RandomizedRules rules(pops, RandomizedOptions());
  for (const std::vector<NodeId>& wrong : {std::vector<NodeId>{0, 1, 2}, std::vector<NodeId>{0, 1, 2, 4},
                                           std::vector<NodeId>{0, 1, 1, 2}, std::vector<NodeId>{0, 1, 2, -2}})
    EXPECT_THROW(route_randomized(pops, rules, wrong, 1, 100, true), InputError);
}

}  // namespace
}  // namespace starloom::pops
