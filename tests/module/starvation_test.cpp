// SPDX-License-Identifier: Apache-2.0
/// \file A class of traffic that stays in the network while another one moves (docs/traffic-classes.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/control/links/make_algorithm.hpp>
#include <starloom/simulation/links/simulation.hpp>
#include <starloom/traffic/packet_list.hpp>
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"

namespace starloom::links {
namespace {

constexpr std::int32_t stream = 3000;

/// A long packet of class 1 crosses a line of three nodes; meanwhile node 1 sends packets of class 0.
SimulationResult run_line(const std::string& priority, Step quiet, std::vector<Packet> packets) {
  const LinkNetwork& network = network_of(Grid::mesh({1, 3}), 1);
  AlgorithmContext context{&network, 1};
  context.classes = {{"bulk"}, {"urgent", {}, 1}};
  const auto algorithm = make_algorithm(
      tested_algorithm("vc-wormhole"), context,
      {{"channels", std::int64_t{2}}, {"allocator", PartValue{"priority-islip"}}, {"priority", priority}});
  packets.push_back(packet_of_class(1, 0, 2, stream, 0));
  PacketList traffic(std::move(packets));
  SimulationSetup setup;
  setup.network = &network;
  setup.algorithm = algorithm.get();
  setup.traffic = &traffic;
  setup.limits.quiet = quiet;
  return simulate(setup);
}

TEST(Starvation, EndsTheRunWithTheNameOfTheClass) {
  const SimulationResult run = run_line("class", 500, {packet_of_class(0, 1, 2, 4, 50)});
  EXPECT_EQ(run.outcome, Outcome::livelock);
  ASSERT_TRUE(run.starved);
  EXPECT_EQ(run.starved->number, 0u);
  EXPECT_EQ(run.starved->since, 50);
  EXPECT_EQ(run.record.steps_run, 551);
  EXPECT_EQ(run.sums.classes[0].oldest, 50);
  EXPECT_THAT(run.explanation, testing::ElementsAre("packets of class bulk in the network:",
                                                    testing::HasSubstr("packet 1 waits at node_r00_c01"),
                                                    "2 packets undelivered in total"));
}

TEST(Starvation, CountsFromTheLastDeliveryOfTheClass) {
  // A packet in the other direction is delivered in between.
  const SimulationResult run =
      run_line("class", 500, {packet_of_class(0, 1, 2, 4, 50), packet_of_class(0, 2, 1, 1, 300)});
  ASSERT_TRUE(run.starved);
  EXPECT_GT(run.starved->since, 300);
  EXPECT_LT(run.starved->since, 320);
  EXPECT_EQ(run.record.steps_run, run.starved->since + 501);
}

/// A class without a packet in the network waits for its sources, however long that takes.
TEST(Starvation, IsNotTheSilenceOfSources) {
  const SimulationResult run =
      run_line("class", 500, {packet_of_class(0, 1, 0, 1, 5), packet_of_class(0, 1, 0, 1, 2500)});
  EXPECT_EQ(run.outcome, Outcome::completed);
  EXPECT_FALSE(run.starved);
}

TEST(Starvation, HasNoTimeBeforeTheLimitOrWithAges) {
  EXPECT_EQ(run_line("class", stream + 100, {packet_of_class(0, 1, 2, 4, 50)}).outcome, Outcome::completed);
  EXPECT_EQ(run_line("none", 500, {packet_of_class(0, 1, 2, 4, 50)}).outcome, Outcome::completed);
}

}  // namespace
}  // namespace starloom::links
