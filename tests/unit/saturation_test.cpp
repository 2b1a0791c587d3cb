// SPDX-License-Identifier: Apache-2.0
// The search for the load of saturation, against networks that are formulas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>

#include <starloom/campaign/saturation.hpp>

namespace starloom {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

using Network = std::function<LoadMetrics(double load)>;

/// Latency of an M/D/1 queue below its capacity; above it all runs are lost and what is accepted stays behind.
LoadMetrics queue_of(double capacity, double load) {
  LoadMetrics metrics;
  metrics.load = load;
  metrics.runs = 4;
  metrics.offered = load;
  metrics.accepted = std::min(load, capacity);
  if (load < capacity) metrics.latency = 10 + 10 * load / (2 * (capacity - load));
  else metrics.lost = 4;
  return metrics;
}

SaturationSearch searched(SaturationDefinition definition, std::optional<double> within, const Network& network,
                          std::size_t most, const LoadRange& range = {}) {
  SaturationSearch search(definition, range, within);
  for (auto loads = search.wanted(most); !loads.empty(); loads = search.wanted(most))
    for (const double load : loads) search.learn(network(load));
  return search;
}

TEST(SaturationSearch, FindsWhereLatencyIsThreeTimesTheLightest) {
  for (const double capacity : {0.09, 0.37, 0.5, 0.93})
    for (const double within : {0.1, 0.005, 0.0001}) {
      const auto network = [&](double load) { return queue_of(capacity, load); };
      const auto found = searched(SaturationDefinition::three_times_lightest, within, network, 1);
      // 10 + 5 x / (c - x) = 3 l
      const double third = *network(0.01).latency * 3, wanted = capacity * (third - 10) / (third - 5);
      EXPECT_LE(found.within(), within);
      EXPECT_NEAR(found.load(), wanted, found.within()) << capacity << " " << within;
      EXPECT_FALSE(found.is_unsaturated());
    }
}

TEST(SaturationSearch, FindsWhereFivePerCentAreNotAccepted) {
  const auto network = [](double load) { return queue_of(0.38, load); };
  const auto found = searched(SaturationDefinition::accepted_below_offered, 0.002, network, 1);
  EXPECT_NEAR(found.load(), 0.4, found.within());
}

// Measuring ahead, on machines with many cores, changes neither the answer nor what it says it took.
TEST(SaturationSearch, MeasuringAheadChangesNothing) {
  const auto network = [](double load) { return queue_of(0.61, load); };
  const auto one = searched(SaturationDefinition::three_times_lightest, 0.003, network, 1);
  for (const std::size_t most : {2, 3, 7, 20}) {
    const auto many = searched(SaturationDefinition::three_times_lightest, 0.003, network, most);
    EXPECT_EQ(many.low(), one.low());
    EXPECT_EQ(many.high(), one.high());
    EXPECT_EQ(many.runs(), one.runs());
    EXPECT_EQ(many.loads().size(), one.loads().size());
  }
  EXPECT_EQ(one.runs(), 4 * static_cast<std::int64_t>(one.loads().size()));
}

TEST(SaturationSearch, AsksForWhatDecidesFirst) {
  SaturationSearch search(SaturationDefinition::three_times_lightest, {}, 0.1);
  for (const double load : {0.01, 1.0}) {
    EXPECT_THAT(search.wanted(7), ElementsAre(load));
    search.learn(queue_of(0.7, load));
  }
  EXPECT_THAT(search.wanted(1), ElementsAre(0.5));
  EXPECT_THAT(search.wanted(100), ElementsAre(0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875));
  search.learn(queue_of(0.7, 0.75));
  EXPECT_FALSE(search.is_over());
  search.learn(queue_of(0.7, 0.5));
  EXPECT_EQ(search.low(), 0.5);
  EXPECT_EQ(search.high(), 0.75);
  EXPECT_THAT(search.wanted(100), ElementsAre(0.625));
}

TEST(SaturationSearch, SaysIfNothingSaturates) {
  const auto network = [](double load) { return queue_of(2, load); };
  const auto found = searched(SaturationDefinition::three_times_lightest, 0.01, network, 1);
  EXPECT_TRUE(found.is_unsaturated());
  EXPECT_EQ(found.low(), 1);
  EXPECT_THAT(found.loads(), SizeIs(2));
}

// Sources that are off half of the time offer at most half: the search ends below, without saturation.
TEST(SaturationSearch, StopsAtLoadsThatAreRefused) {
  for (const double capacity : {2.0, 0.3}) {
    SaturationSearch search(SaturationDefinition::three_times_lightest, {}, 0.01);
    for (auto loads = search.wanted(1); !loads.empty(); loads = search.wanted(1))
      for (const double load : loads) {
        if (load > 0.5) search.refuse(load);
        else search.learn(queue_of(capacity, load));
      }
    EXPECT_EQ(search.is_unsaturated(), capacity > 1);
    EXPECT_LE(search.high() - search.low(), 0.02);
    EXPECT_NEAR(search.load(), capacity > 1 ? 0.5 : 0.24, 0.02);
  }
}

// It ends at the load that fills a link, and asks for a fiftieth of it first.
TEST(SaturationSearch, GoesNoFurtherThanTheBound) {
  for (const double bound : {0.4, 0.03}) {
    const auto network = [&](double load) { return queue_of(0.9 * bound, load); };
    const auto found = searched(SaturationDefinition::three_times_lightest, std::nullopt, network, 1, {bound, 1});
    EXPECT_EQ(found.lightest(), bound / 50 < 0.01 ? bound / 50 : 0.01);
    EXPECT_EQ(found.loads().back().load, bound);
    EXPECT_LE(found.within(), std::min(0.005, 0.02 * bound));
    EXPECT_GT(found.within(), 0.2 * std::min(0.005, 0.02 * bound));
    EXPECT_NEAR(found.load(), 0.72 * bound, 0.03 * bound);
  }
}

// A network that carries all that its links do saturates at the bound, if runs at a greater load can show that it does.
TEST(SaturationSearch, AnswersWithTheBoundIfNothingSaturatesUpToIt) {
  for (const double capacity : {0.45, 0.9}) {
    const auto network = [&](double load) { return queue_of(capacity, load); };
    const auto found = searched(SaturationDefinition::accepted_below_offered, 0.01, network, 1, {0.4, 1});
    EXPECT_EQ(found.is_at_bound(), capacity == 0.45);
    EXPECT_EQ(found.is_unsaturated(), capacity == 0.9);
    EXPECT_EQ(found.load(), 0.4);
    EXPECT_EQ(found.loads().back().load, 0.5);
    EXPECT_EQ(found.runs(), 12);
  }
}

// Without earlier results: the lightest load is halved until its runs complete, and the precision of the result
// follows its size.
TEST(SaturationSearch, HalvesTheLightestLoadUntilItCompletes) {
  const auto network = [](double load) { return queue_of(0.002, load); };
  const auto found = searched(SaturationDefinition::three_times_lightest, std::nullopt, network, 1);
  EXPECT_EQ(found.lightest(), 0.00125);
  EXPECT_FALSE(found.is_unsaturated());
  EXPECT_LE(found.within(), 0.02 * 0.0025);
  EXPECT_LT(found.load(), 0.002);
  EXPECT_GT(found.load(), 0.0015);
  EXPECT_EQ(found.loads().back().load, 0.01);
  EXPECT_EQ(found.runs(), 4 * static_cast<std::int64_t>(found.loads().size()));
}

// One run of four that is cut off does not decide; two do.
TEST(SaturationSearch, MostRunsDecide) {
  for (const std::int64_t lost : {1, 2}) {
    const auto network = [&](double load) {
      LoadMetrics metrics = queue_of(0.9, load);
      if (load > 0.3 && load < 0.9) metrics.lost = lost;
      return metrics;
    };
    const auto found = searched(SaturationDefinition::three_times_lightest, 0.01, network, 1);
    EXPECT_EQ(found.load() < 0.32, lost == 2);
  }
}

}  // namespace
}  // namespace starloom
