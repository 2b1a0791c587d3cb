// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/pops/optics.hpp>

#include <gtest/gtest.h>

#include <starloom/message/pops/direct_model.hpp>
#include <starloom/message/pops/randomized_model.hpp>
#include <starloom/planning/pops/optical_energy.hpp>
#include "support/permutations.hpp"

namespace starloom::pops {
namespace {

TEST(PopsOptics, LossIsSplittingAndStages) {
  const OpticalParts parts;
  EXPECT_NEAR(path_loss_db(parts, 1), 0, 1e-12);
  EXPECT_NEAR(path_loss_db(parts, 16), 12.04 + 1.2, 0.005);
  EXPECT_NEAR(path_loss_db(parts, 64), 18.06 + 1.8, 0.005);
  EXPECT_NEAR(path_loss_db(parts, 256), 24.08 + 2.4, 0.005);
  EXPECT_NEAR(path_loss_db(parts, 4096), 36.12 + 3.6, 0.005);
  OpticalParts connected;
  connected.connectors_db = 1.5;
  EXPECT_NEAR(path_loss_db(connected, 16) - path_loss_db(parts, 16), 1.5, 1e-12);
}

TEST(PopsOptics, OtherLossesOfAPathAdd) {
  OpticalParts parts;
  parts.losses = {{"ring", 1.5, 2}, {"waveguide", 100, 0.005}};
  EXPECT_NEAR(path_loss_db(parts, 16), 12.0412 + 1.2 + 3 + 0.5, 1e-4);
  EXPECT_NEAR(power_margin_db(parts, 16), 23 - 16.7412, 1e-4);
}

TEST(PopsOptics, TheLeastLaunchPowerLeavesTheMargin) {
  OpticalParts parts;
  parts.launch_dbm = 7;
  EXPECT_EQ(launch_power_dbm(parts, 16), 7);
  parts.least_launch = true;
  EXPECT_NEAR(launch_power_dbm(parts, 16), -6.7588, 1e-4);
  EXPECT_EQ(power_margin_db(parts, 16), parts.margin_db);
  OpticalParts given = parts;
  given.least_launch = false;
  given.launch_dbm = launch_power_dbm(parts, 16);
  EXPECT_NEAR(power_margin_db(given, 16), 3, 1e-9);
  // At most 100 dBm: 90 dB for d, its stages and other losses.
  parts.sensitivity_dbm = 7;
  EXPECT_TRUE(is_legal(parts, 1 << 27));
  EXPECT_FALSE(is_legal(parts, 1 << 28));
  parts.losses = {{"wall", 90, 1}};
  EXPECT_EQ(largest_group_size(parts), 1);
  parts.losses = {{"wall", 90.1, 1}};
  EXPECT_EQ(largest_group_size(parts), 0);
}

TEST(PopsOptics, LargestGroupLeavesTheMargin) {
  EXPECT_EQ(largest_group_size(OpticalParts()), 64);  // 3.31 dB a doubling, 20 dB to spend
  for (double launch = -25; launch <= 60; launch += 1.7) {
    OpticalParts parts;
    parts.launch_dbm = launch;
    const std::int32_t d = largest_group_size(parts);
    if (d > 0) {
      EXPECT_GE(power_margin_db(parts, d), parts.margin_db);
    }
    if (d < 1 << 30) {
      EXPECT_LT(power_margin_db(parts, d + 1), parts.margin_db);
    }
  }
}

/// Three data slots of 77 + 128 ns and two for acknowledgements of 77 + 16 ns on POPS(8,4): 128 transmitters and as
/// many receivers.
class OpticalEnergies : public testing::Test {
 protected:
  OpticalEnergy energy() const { return energy_of(parts_, transceivers_, Pops(8, 4), use_); }

  OpticalParts parts_;
  Transceivers transceivers_;
  const OpticalUse use_ = {{3, 2}, {10, 4}, {30, 8}, {9, 3}};
};

TEST_F(OpticalEnergies, LasersBurnWhileTheyDrive) {
  EXPECT_DOUBLE_EQ(energy().laser_pj, 4 * (10 * 205 + 4 * 93));
  parts_.launch_dbm = 10;
  transceivers_.laser_efficiency = 0.5;
  EXPECT_DOUBLE_EQ(energy().laser_pj, 20 * (10 * 205 + 4 * 93));
  transceivers_.lasers_always_on = true;
  EXPECT_DOUBLE_EQ(energy().laser_pj, 20 * 128 * (3 * 205 + 2 * 93));
}

TEST_F(OpticalEnergies, ModulatorsPayForBitsThatAreDrivenAndReceiversForThoseHeard) {
  EXPECT_DOUBLE_EQ(energy().modulators_pj, 0.1 * (10 * 128 + 4 * 16));
  EXPECT_DOUBLE_EQ(energy().receivers_pj, 0.4 * (9 * 128 + 3 * 16));
}

TEST_F(OpticalEnergies, ReceiversAreOnAlwaysOrWhileTheyListen) {
  EXPECT_DOUBLE_EQ(energy().receivers_static_pj, 2 * 128 * (3 * 205 + 2 * 93));
  transceivers_.receivers_always_on = false;
  EXPECT_DOUBLE_EQ(energy().receivers_static_pj, 2 * (30 * 205 + 8 * 93));
}

TEST_F(OpticalEnergies, TuningTakesPowerAtBothEnds) {
  EXPECT_EQ(energy().tuning_pj, 0);
  transceivers_.tuning_mw = 0.5;
  EXPECT_DOUBLE_EQ(energy().tuning_pj, 0.5 * 256 * (3 * 205 + 2 * 93));
  const OpticalEnergy all = energy();
  EXPECT_DOUBLE_EQ(all.total_pj(),
                   all.laser_pj + all.modulators_pj + all.receivers_pj + all.receivers_static_pj + 0.5 * 256 * 801);
}

TEST(PopsOptics, PartsAndNetworks) {
  const Parts parts = parts_of(Pops(16, 4));
  EXPECT_EQ(parts.couplers, 16);
  EXPECT_EQ(parts.transmitters, 256);
  EXPECT_EQ(parts.receivers, 256);
  const std::vector<Pops> networks = legal_networks(OpticalParts(), 4096);
  ASSERT_EQ(networks.size(), 7u);  // d = 1 .. 64
  EXPECT_EQ(networks.back().group_size(), 64);
  EXPECT_EQ(networks.back().groups(), 64);
}

TEST(PopsOptics, CostsOfTheFixedAlgorithms) {
  EXPECT_EQ(offline_cost(Pops(16, 16)).slots(), 2);
  EXPECT_EQ(offline_cost(Pops(9, 4)).slots(), 6);
  EXPECT_EQ(offline_cost(Pops(9, 4)).data_drives, 2);
  EXPECT_EQ(offline_cost(Pops(1, 16)).slots(), 1);
  EXPECT_EQ(offline_cost(Pops(1, 16)).data_drives, 1);
  EXPECT_EQ(comparator_sort_cost(Pops(16, 16)).slots(), 72);
  EXPECT_EQ(comparator_sort_cost(Pops(16, 16)).data_drives, 72);
  EXPECT_EQ(comparator_sort_cost(Pops(32, 8)).slots(), 288);
  EXPECT_EQ(comparator_sort_cost(Pops(32, 8)).data_drives, 72);
  EXPECT_EQ(comparator_sort_cost(Pops(1, 16)).slots(), 10);
  EXPECT_EQ(comparator_sort_cost(Pops(3, 5)).slots(), 20);
  EXPECT_FALSE(randomized_cost(Pops(3, 5)));
  EXPECT_EQ(randomized_cost(Pops(9, 1))->slots(), 9);
  EXPECT_NEAR(randomized_cost(Pops(1, 4))->slots(), 17.7, 0.1);  // means of 100 seeds: 17.5, 316.8
  EXPECT_NEAR(randomized_cost(Pops(1, 64))->slots(), 317.1, 0.1);
  EXPECT_FALSE(randomized_cost(Pops(1 << 28, 2)));  // it would take 2^29 cycles
}

TEST(PopsOptics, PublishedFormulaGivesThePublishedFigures) {
  // Column B of the paper's table I: d = g, 4g, 16g.
  const int square[] = {37, 54, 79, 112, 153, 202, 259, 324, 397, 478, 567, 664};
  const int four[] = {118, 177, 268, 391, 546, 733, 952, 1203, 1486, 1801, 2148};
  const int sixteen[] = {442, 669, 1024, 1507, 2118, 2857};
  const auto published = [](std::int64_t d, std::int64_t g) { return published_slots(Pops(d, g)); };
  std::int64_t g = 2;
  for (const int slots : square) {
    EXPECT_EQ(published(g, g), slots);
    g *= 2;
  }
  g = 2;
  for (const int slots : four) {
    EXPECT_EQ(published(4 * g, g), slots);
    g *= 2;
  }
  g = 2;
  for (const int slots : sixteen) {
    EXPECT_EQ(published(16 * g, g), slots);
    g *= 2;
  }
  EXPECT_FALSE(published(6, 6));
  EXPECT_FALSE(published(4, 8));
}

/// Cycles that the mean field of `randomized` expects.
double expected_cycles(std::int64_t d, std::int64_t g) { return randomized_cost(Pops(d, g))->ack_slots / 2; }

TEST(PopsOptics, MeanFieldMeetsTheMeasuredMeans) {
  // Measured means: docs/algorithms/randomized.md. With d > g groups scatter, which the mean field does not know: it is
  // low where they differ for long.
  const struct {
    std::int64_t g;
    double measured;
  } squares[] = {{2, 3.022}, {4, 4.32}, {8, 5.40}, {16, 6.08}, {64, 6.90}, {256, 7.13}, {1024, 7.62}, {4096, 8.0}};
  for (const auto& square : squares)
    EXPECT_NEAR(expected_cycles(square.g, square.g) / square.measured, 1, 0.02) << square.g;
  EXPECT_NEAR(expected_cycles(256, 64) / 18.95, 0.98, 0.015);
  EXPECT_NEAR(expected_cycles(1024, 64) / 67.3, 0.98, 0.015);
  EXPECT_NEAR(expected_cycles(8192, 512) / 66.7, 0.99, 0.015);
  // d < g, of the campaign pops-blocks.
  EXPECT_NEAR(expected_cycles(4, 256) / 203.9, 1, 0.05);
  EXPECT_NEAR(expected_cycles(2, 1024) / 1187.5, 1, 0.05);
}

/// Mean slots of `runs` random permutations, seeds 1, 2, ..
template <class Route>
double mean_slots(const Pops& pops, int runs, Route route) {
  double sum = 0;
  for (int run = 1; run <= runs; ++run) {
    const auto seed = static_cast<std::uint64_t>(run);
    sum += static_cast<double>(route(random_permutation(pops.nodes(), seed), seed).slots.size());
  }
  return sum / runs;
}

TEST(PopsOptics, MeanFieldOfBlocksMeetsRuns) {
  const struct {
    std::int64_t d;
    std::int64_t g;
    int runs;
  } networks[] = {{2, 4, 5000}, {2, 16, 5000}, {3, 9, 2000},  {4, 8, 2000},
                  {4, 64, 400}, {8, 64, 200},  {12, 48, 200}, {32, 64, 100}};
  for (const auto& one : networks) {
    const Pops pops(one.d, one.g);
    const RandomizedRules rules(pops, RandomizedOptions());
    const double measured = mean_slots(pops, one.runs, [&](const std::vector<NodeId>& destination, std::uint64_t seed) {
      return route_randomized(pops, rules, destination, seed, 1 << 24, false);
    });
    EXPECT_NEAR(randomized_cost(pops)->slots() / measured, 1, 0.05) << one.d << ", " << one.g;
  }
}

TEST(PopsOptics, MeanFieldOfCouplersMeetsRuns) {
  const struct {
    std::int64_t d;
    std::int64_t g;
    int runs;
  } networks[] = {{4, 4, 2000}, {8, 8, 2000}, {32, 32, 400}, {32, 8, 400}, {8, 32, 400}, {64, 16, 100}};
  for (const auto& one : networks) {
    const Pops pops(one.d, one.g);
    std::int64_t drives = 0;
    const double measured = mean_slots(pops, one.runs, [&](const std::vector<NodeId>& destination, std::uint64_t seed) {
      MessageRun run = route_direct(pops, destination, seed, 1 << 24);
      drives += run.data_drives;
      return run;
    });
    const Cost cost = *direct_cost(pops);
    EXPECT_NEAR(cost.slots() / measured, 1, 0.08) << one.d << ", " << one.g;
    EXPECT_NEAR(cost.data_drives * pops.nodes() * one.runs / static_cast<double>(drives), 1, 0.03) << one.d;
  }
  EXPECT_FALSE(direct_cost(Pops(1024, 4)));  // 256 packets a coupler
}

TEST(PopsOptics, MessagesOfThePackets) {
  // Measured: 6.98 messages a packet for d = g, 7.98 for d = 4g, 8.16 for d = 16g.
  const auto messages = [](std::int64_t d, std::int64_t g) {
    const Cost cost = *randomized_cost(Pops(d, g));
    EXPECT_EQ(cost.ack_drives, 2);
    return cost.data_drives + cost.ack_drives;
  };
  EXPECT_NEAR(messages(256, 256), 6.98, 0.05);
  EXPECT_NEAR(messages(1024, 256), 7.98, 0.08);
  EXPECT_NEAR(messages(2048, 128), 8.16, 0.08);
}

TEST(PopsOptics, TimeAndEnergy) {
  const OpticalParts parts;
  EXPECT_DOUBLE_EQ(data_slot_ns(parts), 77 + 128);
  EXPECT_DOUBLE_EQ(ack_slot_ns(parts), 77 + 16);
  const Cost cycle{3, 2, 0, 0};
  EXPECT_DOUBLE_EQ(time_ns(parts, cycle), 3 * 128 + 2 * 16 + 5 * 77);
  EXPECT_DOUBLE_EQ(energy_pj(parts, 4.98, 2), 500 * (4.98 * 205 + 2 * 93));
  OpticalParts fast;
  fast.bit_rate_gbps = 10;
  fast.data_bytes = 64;
  fast.guard_ns = 2;
  EXPECT_DOUBLE_EQ(data_slot_ns(fast), 53.2);
  EXPECT_DOUBLE_EQ(ack_slot_ns(fast), 3.6);
}

}  // namespace
}  // namespace starloom::pops
