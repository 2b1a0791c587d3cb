#include "planners/star_optics.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace starloom {
namespace {

TEST(StarOptics, LossIsSplittingAndStages) {
  const OpticalParts parts;
  EXPECT_NEAR(coupler_loss_db(parts, 1), 0, 1e-12);
  EXPECT_NEAR(coupler_loss_db(parts, 16), 12.04 + 1.2, 0.005);
  EXPECT_NEAR(coupler_loss_db(parts, 64), 18.06 + 1.8, 0.005);
  EXPECT_NEAR(coupler_loss_db(parts, 256), 24.08 + 2.4, 0.005);
  EXPECT_NEAR(coupler_loss_db(parts, 4096), 36.12 + 3.6, 0.005);
  OpticalParts connected;
  connected.connectors_db = 1.5;
  EXPECT_NEAR(coupler_loss_db(connected, 16) - coupler_loss_db(parts, 16), 1.5, 1e-12);
}

TEST(StarOptics, LargestGroupLeavesTheMargin) {
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

TEST(StarOptics, PartsAndNetworks) {
  const StarParts parts = parts_of(Pops(16, 4));
  EXPECT_EQ(parts.couplers, 16);
  EXPECT_EQ(parts.transmitters, 256);
  EXPECT_EQ(parts.receivers, 256);
  const std::vector<Pops> networks = legal_networks(OpticalParts(), 4096);
  ASSERT_EQ(networks.size(), 7u);  // d = 1 .. 64
  EXPECT_EQ(networks.back().group_size(), 64);
  EXPECT_EQ(networks.back().groups(), 64);
}

TEST(StarOptics, SlotsOfTheFixedAlgorithms) {
  const ExpectedSlots square = expected_slots(Pops(16, 16));
  EXPECT_EQ(square.offline, 2);
  EXPECT_EQ(square.comparator_sort, 72);
  EXPECT_EQ(expected_slots(Pops(1, 16)).comparator_sort, 10);
  EXPECT_EQ(expected_slots(Pops(3, 5)).comparator_sort, 20);
  EXPECT_FALSE(expected_slots(Pops(3, 5)).randomized);
  EXPECT_EQ(expected_slots(Pops(9, 1)).randomized, 9);
}

TEST(StarOptics, PublishedFormulaGivesThePublishedFigures) {
  // The column B of the paper's table I: d = g, 4g, 16g.
  const int square[] = {37, 54, 79, 112, 153, 202, 259, 324, 397, 478, 567, 664};
  const int four[] = {118, 177, 268, 391, 546, 733, 952, 1203, 1486, 1801, 2148};
  const int sixteen[] = {442, 669, 1024, 1507, 2118, 2857};
  const auto published = [](std::int64_t d, std::int64_t g) { return expected_slots(Pops(d, g)).published; };
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

TEST(StarOptics, MeanFieldMeetsTheMeasuredMeans) {
  const auto cycles = [](std::int64_t d, std::int64_t g) {
    return (*expected_slots(Pops(d, g)).randomized - static_cast<double>(d > g ? d / g - 1 : 0)) / 5;
  };
  // Measured means: docs/algorithms/randomized.md. Groups scatter, which the mean field does not know: it is low where
  // they differ for long.
  EXPECT_NEAR(cycles(16, 16), 6.08, 0.25);
  EXPECT_NEAR(cycles(64, 64), 6.90, 0.1);
  EXPECT_NEAR(cycles(1024, 1024), 7.62, 0.1);
  EXPECT_NEAR(cycles(4096, 4096), 8.0, 0.1);
  EXPECT_NEAR(cycles(256, 64) / 18.95, 0.98, 0.015);
  EXPECT_NEAR(cycles(1024, 64) / 67.3, 0.98, 0.015);
  EXPECT_NEAR(cycles(8192, 512) / 66.7, 0.99, 0.015);
  EXPECT_NEAR(cycles(32, 64) / 9.9, 0.95, 0.05);
  EXPECT_NEAR(cycles(8, 64) / 28, 0.82, 0.05);
}

TEST(StarOptics, TimeAndEnergy) {
  EXPECT_DOUBLE_EQ(cycle_time_ns({100, 10, 2}), 330);
  EXPECT_DOUBLE_EQ(energy_per_packet(498, 2, 200, 0.5, 100), 10.96);
  EXPECT_THROW(energy_per_packet(1, 1, 1, 1, 0), std::invalid_argument);
}

}  // namespace
}  // namespace starloom
