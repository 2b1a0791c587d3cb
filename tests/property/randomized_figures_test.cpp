/// \file What the paper and the mean field promise of `randomized`, on samples that are small enough for a test. The
/// published tables themselves are campaigns.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <starloom/message/pops/randomized_model.hpp>
#include "support/permutations.hpp"

namespace starloom::pops {
namespace {

constexpr Step no_limit = 1 << 24;

/// Cycles of `runs` random permutations, seeds 1, 2, ..
std::vector<double> sampled_cycles(std::int32_t d, std::int32_t g, int runs, RandomizedOptions options = {}) {
  const Pops pops(d, g);
  const RandomizedRules rules(pops, options);
  std::vector<double> cycles;
  for (int seed = 1; seed <= runs; ++seed) {
    const auto s = static_cast<std::uint64_t>(seed);
    const bool check = pops.nodes() <= (seed == 1 ? checked_nodes : 4096);
    const MessageRun run = route_randomized(pops, rules, random_permutation(pops.nodes(), s), s, no_limit, check);
    EXPECT_EQ(run.undelivered, 0);
    // The blind drain, of which the run needs no more.
    EXPECT_EQ(static_cast<std::int64_t>(run.slots.size()), 5 * run.units + rules.drain_slots());
    cycles.push_back(static_cast<double>(run.units));
  }
  return cycles;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}
double deviation(const std::vector<double>& values) {
  const double middle = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - middle) * (value - middle);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}
double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}
double worst(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

TEST(RandomizedFigures, ExactOnTheSmallestNetwork) {
  // All states of POPS(2,2) can be listed: mean 136/45 over uniform permutations, standard deviation 1.75654.
  const std::vector<double> cycles = sampled_cycles(2, 2, 100'000);
  EXPECT_NEAR(mean(cycles), 136.0 / 45, 0.017);  // 3 sigma
  EXPECT_NEAR(deviation(cycles), 1.757, 0.03);
}

TEST(RandomizedFigures, SquareNetworks) {
  EXPECT_NEAR(mean(sampled_cycles(4, 4, 2000)), 4.32, 0.08);
  EXPECT_NEAR(mean(sampled_cycles(16, 16, 1000)), 6.08, 0.08);
  EXPECT_NEAR(mean(sampled_cycles(64, 64, 1000)), 6.90, 0.05);
}

TEST(RandomizedFigures, AMillionProcessors) { EXPECT_NEAR(mean(sampled_cycles(1024, 1024, 100)), 7.62, 0.2); }

TEST(RandomizedFigures, SixteenMillionProcessors) {
  const double cycles = sampled_cycles(4096, 4096, 1).front();
  EXPECT_GE(cycles, 8);
  EXPECT_LE(cycles, 9);
}

TEST(RandomizedFigures, GroupsOfFourTimesTheirNumber) {
  EXPECT_NEAR(mean(sampled_cycles(64, 16, 200)), 18.47, 0.25);
  EXPECT_NEAR(mean(sampled_cycles(256, 64, 200)), 18.95, 0.12);
}

TEST(RandomizedFigures, GroupsOfSixteenTimesTheirNumberAndTheConstant) {
  EXPECT_NEAR(mean(sampled_cycles(1024, 64, 200)), 67.3, 0.35);
  // The paper's tables were made with C = 4; its limit is seen to be another law.
  RandomizedOptions limit;
  limit.C = std::exp(1 + std::exp(-1.0));
  EXPECT_GT(std::abs(mean(sampled_cycles(1024, 64, 100, limit)) - 67.3), 0.35);
  EXPECT_NEAR(median(sampled_cycles(32, 2, 1001)), 57, 1);
  EXPECT_NEAR(median(sampled_cycles(64, 4, 1001)), 62, 1);
  EXPECT_NEAR(median(sampled_cycles(128, 8, 401)), 66, 1);
}

TEST(RandomizedFigures, GuardCutsTheTail) {
  RandomizedOptions guarded;
  guarded.guard = true;
  const std::vector<double> free = sampled_cycles(32, 2, 1000), with_guard = sampled_cycles(32, 2, 1000, guarded);
  EXPECT_GT(worst(free), 400);
  EXPECT_LT(worst(with_guard), 150);
  EXPECT_NEAR(median(free), median(with_guard), 1);
}

TEST(RandomizedFigures, MoreGroupsThanProcessorsInThem) {
  EXPECT_NEAR(mean(sampled_cycles(32, 64, 200)), 9.9, 0.3);
  EXPECT_NEAR(mean(sampled_cycles(16, 64, 200)), 15.7, 0.5);
  EXPECT_NEAR(mean(sampled_cycles(8, 64, 200)), 28, 1);
  for (const double cycles : sampled_cycles(1, 9, 20)) EXPECT_LE(cycles, 9);  // in turn
}

TEST(RandomizedFigures, StructuredPermutations) {
  const auto average = [](std::int32_t d, std::int32_t g, const std::vector<NodeId>& permutation) {
    const Pops pops(d, g);
    const RandomizedRules rules(pops, RandomizedOptions());
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed)
      sum += static_cast<double>(route_randomized(pops, rules, permutation, seed, no_limit, seed == 1).units);
    return sum / 200;
  };
  const std::vector<NodeId> same = identity_permutation(4096);
  std::vector<NodeId> transposed(4096), shifted(4096), tall(256 * 64);
  for (std::size_t i = 0; i < 4096; ++i) {
    transposed[i] = static_cast<NodeId>(i % 64 * 64 + i / 64);
    shifted[i] = static_cast<NodeId>((i + 64) % 4096);
  }
  for (std::size_t i = 0; i < tall.size(); ++i)  // index j of group a: to group j mod 64, index a + 64 * (j div 64)
    tall[i] = static_cast<NodeId>(i % 64 * 256 + i % 256 / 64 * 64 + i / 256);
  // Fixed points get no short cut, and traffic between pairs of groups is as good as random.
  EXPECT_NEAR(average(64, 64, same), 6.92, 0.1);
  EXPECT_NEAR(average(64, 64, {same.rbegin(), same.rend()}), 6.92, 0.1);
  EXPECT_NEAR(average(64, 64, shifted), 6.92, 0.1);
  // All packets of a group have one temporary group.
  EXPECT_NEAR(average(64, 64, transposed), 5.29, 0.12);
  EXPECT_NEAR(average(256, 64, tall), 14.55, 0.2);
}

TEST(RandomizedFigures, MeanField) {
  const Pops pops(1024, 1024);
  const RandomizedRules rules(pops, RandomizedOptions());
  const MessageRun run = route_randomized(pops, rules, random_permutation(pops.nodes(), 3), 3, no_limit, true);
  double left = 1;
  for (int cycle = 0; cycle < 5; ++cycle) {
    left *= 1 - std::exp(-left - left * std::exp(-left));
    const double sent = static_cast<double>(run.slots[static_cast<std::size_t>(5 * cycle + 5)].drives);
    EXPECT_NEAR(sent / pops.nodes() / left, 1, 0.025) << "cycle " << cycle;
  }
  // 2.64 copies a packet in slot 1, 1.34 in slot 2, and one in each of the others.
  EXPECT_NEAR(static_cast<double>(run.data_drives + run.ack_drives) / pops.nodes(), 6.98, 0.07);
}

TEST(RandomizedFigures, LawOfParticipationLeavesLessThanAFullGroup) {
  const auto residue = [](std::int32_t d, std::int32_t g) {
    const Pops pops(d, g);
    const RandomizedRules rules(pops, RandomizedOptions());
    const MessageRun run = route_randomized(pops, rules, random_permutation(pops.nodes(), 1), 1, no_limit, false);
    std::int64_t cycle = 0;
    while (rules.participation(cycle) < std::uint64_t{1} << 32) ++cycle;
    return static_cast<double>(run.slots[static_cast<std::size_t>(5 * cycle)].drives) / (std::int64_t{g} * g);
  };
  EXPECT_NEAR(residue(1024, 256), 0.94, 0.01);
  EXPECT_NEAR(residue(2048, 128), 0.71, 0.02);
}

TEST(RandomizedFigures, TheUnrepairedSlotFiveLosesPackets) {
  const auto lost = [](std::int32_t d, std::int32_t g) {
    const Pops pops(d, g);
    RandomizedOptions literal;
    literal.literal = true;
    const RandomizedRules rules(pops, literal);
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const MessageRun run =
          route_randomized(pops, rules, random_permutation(pops.nodes(), seed), seed, no_limit, seed == 1);
      EXPECT_TRUE(run.finished);
      sum += static_cast<double>(run.undelivered);
    }
    return sum / 5 / pops.nodes();
  };
  EXPECT_NEAR(lost(512, 128), 0.17, 0.015);
  EXPECT_NEAR(lost(1024, 64), 0.21, 0.015);
}

}  // namespace
}  // namespace starloom::pops
