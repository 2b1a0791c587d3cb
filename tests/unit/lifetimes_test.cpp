// SPDX-License-Identifier: Apache-2.0
#include <starloom/topology/lifetimes.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <starloom/topology/fault_timeline.hpp>
#include "support/networks.hpp"

namespace starloom {
namespace {

TEST(Lifetimes, TimesAreThoseOfAnIndependentReference) {
  ExponentialTimes times(1, 0, 1);
  std::vector<Step> drawn;
  for (int i = 0; i < 6; ++i) drawn.push_back(times.next(1000));
  EXPECT_EQ(drawn, (std::vector<Step>{217, 1416, 278, 59, 795, 474}));
}

TEST(Lifetimes, TimesAreExponential) {
  constexpr int count = 20'000;
  constexpr double mean = 1000;
  std::vector<Step> times;
  for (NodeId node = 0; node < count / 100; ++node) {
    ExponentialTimes of_cable(7, node, 2);
    for (int i = 0; i < 100; ++i) times.push_back(of_cable.next(static_cast<Step>(mean)));
  }
  // Four standard deviations.
  for (const double limit : {100.0, 500.0, 1000.0, 3000.0}) {
    const auto longer =
        std::count_if(times.begin(), times.end(), [limit](Step time) { return static_cast<double>(time) > limit; });
    const double expected = std::exp(-limit / mean);
    EXPECT_NEAR(static_cast<double>(longer) / count, expected, 4 * std::sqrt(expected * (1 - expected) / count));
  }
}

TEST(Lifetimes, TimesAreAtLeastAStepAndMayBeLong) {
  ExponentialTimes times(3, 5, 0);
  Step longest = 0;
  for (int i = 0; i < 100; ++i) {
    EXPECT_GE(times.next(1), 1);
    longest = std::max(longest, times.next(Step{1} << 32));
  }
  EXPECT_GT(longest, Step{1} << 33);
}

FaultTimeline timeline_of(const NetworkGraph& graph, const Lifetimes& lifetimes, std::vector<Outage> outages = {},
                          std::uint64_t seed = 1) {
  return FaultTimeline(Faults(graph), outages, lifetimes, seed);
}

TEST(Lifetimes, EventsAreThoseOfAnIndependentReference) {
  const NetworkGraph graph = network_of(Grid::mesh({8, 8})).graph;
  FaultTimeline timeline = timeline_of(graph, {100'000, 1'000});
  EXPECT_TRUE(timeline.events().empty());
  timeline.extend(20'000);
  // Both links of a cable.
  const std::vector<FaultEvent>& events = timeline.events();
  const auto deaths = std::count_if(events.begin(), events.end(), [](const FaultEvent& event) { return event.dies; });
  EXPECT_EQ(deaths, 2 * 17);
  const auto name = [&](const FaultEvent& event) { return graph.link_name(event.node, event.port); };
  EXPECT_EQ(name(events[0]), "link_r05_c07_south");
  EXPECT_EQ(name(events[1]), "link_r06_c07_north");
  EXPECT_EQ(events[0].step, 676);
  const auto repair = std::find_if(events.begin(), events.end(), [](const FaultEvent& event) { return !event.dies; });
  EXPECT_EQ(name(*repair), "link_r05_c07_south");
  EXPECT_EQ(repair->step, 1053);
}

/// They are the same however far and in whatever order they are asked for.
TEST(Lifetimes, EventsDoNotDependOnWhatIsKnown) {
  const NetworkGraph graph = network_of(Grid::torus({3, 3})).graph;
  const std::vector<Outage> outages = {{Outage::Kind::router, {}, 4, 100, 400}, {Outage::Kind::router, {}, 7, 0, 50}};
  FaultTimeline whole = timeline_of(graph, {300, 100}, outages, 3);
  whole.extend(5'000);
  FaultTimeline parts = timeline_of(graph, {300, 100}, outages, 3);
  for (Step step = 0; step <= 5'000; step += 7) parts.extend(step);
  parts.extend(5'000);
  EXPECT_TRUE(parts.events() == whole.events());
  EXPECT_GT(whole.events().size(), 400u);
  FaultTimeline asked = timeline_of(graph, {300, 100}, outages, 3);
  for (std::size_t i = 0; i < whole.events().size(); ++i) {
    const FaultEvent& event = whole.events()[i];
    EXPECT_EQ(asked.find(i, event.step - 1), nullptr);
    const FaultEvent* const found = asked.find(i, 5'000);
    ASSERT_NE(found, nullptr);
    EXPECT_TRUE(*found == event);
  }
  EXPECT_EQ(asked.find(whole.events().size(), 5'000), nullptr);
}

/// Hardware is dead while anything kills it.
TEST(Lifetimes, JoinOtherOutages) {
  const NetworkGraph graph = network_of(Grid::mesh({1, 2})).graph;
  const LinkEnd link{0, 1};
  const Cable cable{link, partner_of(graph, link)};
  FaultTimeline alone = timeline_of(graph, {20, 10});
  alone.extend(200);
  ASSERT_GE(alone.events().size(), 8u);
  const Step first = alone.events()[0].step, repaired = alone.events()[2].step;
  // Another outage begins in the first one, and ends behind it.
  FaultTimeline both =
      timeline_of(graph, {20, 10}, {{Outage::Kind::cable, cable, no_node, repaired - 1, repaired + 1}});
  both.extend(200);
  EXPECT_EQ(both.events()[0].step, first);
  EXPECT_EQ(both.events()[2].step, repaired + 1);
  // A dead cable does not fail.
  FaultTimeline dead = timeline_of(graph, {20, 10}, {{Outage::Kind::cable, cable}});
  dead.extend(10'000);
  EXPECT_TRUE(dead.events().empty());
  EXPECT_EQ(dead.find(0, 20'000), nullptr);
}

TEST(Lifetimes, OtherTimelinesKnowAllEvents) {
  const NetworkGraph graph = network_of(Grid::mesh({2, 2})).graph;
  FaultTimeline timeline(Faults(graph), {{Outage::Kind::router, {}, 1, 10, 30}});
  const std::size_t events = timeline.events().size();
  EXPECT_GT(events, 4u);
  EXPECT_EQ(timeline.find(events, 1'000), nullptr);
  EXPECT_EQ(timeline.find(0, 9), nullptr);
  ASSERT_NE(timeline.find(0, 10), nullptr);
  EXPECT_EQ(timeline.find(0, 10)->step, 10);
}

}  // namespace
}  // namespace starloom
