// SPDX-License-Identifier: Apache-2.0
/// \file Routing functions in routers, on every network of their table: netlist and reference simulator agree, and what
/// `check` says of deadlocks holds under as much traffic as fits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/netlist_run.hpp"
#include "support/routed_networks.hpp"
#include "support/stepper.hpp"

namespace starloom::links {
namespace {

std::unique_ptr<Algorithm> router(const RoutedNetwork& routed, std::int64_t buffer) {
  std::map<std::string, KeyValue> keys = {
      {"function", routed.function}, {"channels", std::int64_t{routed.channels}}, {"buffer", buffer}};
  keys.insert(routed.keys.begin(), routed.keys.end());
  return named_algorithm("vc-wormhole", *routed.network, keys);
}

/// Every processor sends packet after packet, all created in step 0: half way round, to its mirror image, to a
/// neighbour and to a random processor, in turn.
std::vector<Packet> flood(NodeId processors, int rounds, std::int32_t flits, std::uint64_t seed) {
  std::vector<Packet> packets;
  const auto n = static_cast<std::uint32_t>(processors);
  for (int round = 0; round < rounds; ++round)
    for (NodeId source = 0; source < processors; ++source) {
      RandomStream dice(seed, Purpose::destination, source, round);
      const NodeId to[] = {(source + processors / 2) % processors, processors - 1 - source, (source + 1) % processors,
                           static_cast<NodeId>(dice.bounded(n))};
      packets.push_back({source, to[dice.bounded(4)], flits, 0});
    }
  return packets;
}

TEST(RoutingFunctions, NetlistAndStepperAgree) {
  for (const RoutedNetwork& routed : routed_networks()) {
    if (!routed.small) continue;
    SCOPED_TRACE(name_of(routed));
    const auto algorithm = router(routed, 3);
    const std::vector<Packet> packets = flood(routed.network->graph.processors(), 3, 4, 5);
    ListSource for_stepper(packets);
    StepperOptions plain_options;
    plain_options.max_steps = 2000;
    const StepperResult plain = run_stepper(*routed.network, *algorithm, for_stepper, plain_options);
    for (int variant = 0; variant < 4; ++variant) {
      ListSource for_netlist(packets);
      NetlistRunOptions options;
      options.max_steps = 2000;
      options.network.shuffle = variant == 1 ? 17 : 0;
      options.network.wake_all = variant == 2;
      options.network.threads = variant == 3 ? 3 : 1;
      const NetlistRun run = run_netlist(*routed.network, *algorithm, for_netlist, options);
      ASSERT_EQ(run.rows, plain.rows);
      EXPECT_EQ(run.credits, plain.credits);
      EXPECT_EQ(run.record.delivered, plain.record.delivered);
      EXPECT_EQ(run.end, plain.end);
    }
  }
}

// Small buffers, long packets, every source always busy, for 10,000 steps and more: one circle of waiting packets
// that can close will close.
TEST(RoutingFunctions, WhatIsAcyclicDeliversAll) {
  for (const RoutedNetwork& routed : routed_networks()) {
    if (!routed.small || !routed.acyclic) continue;
    SCOPED_TRACE(name_of(routed));
    const auto algorithm = router(routed, 2);
    ListSource source(flood(routed.network->graph.processors(), 700, 6, 1));
    NetlistRunOptions options;
    options.max_steps = 200'000;
    const NetlistRun run = run_netlist(*routed.network, *algorithm, source, options);
    EXPECT_EQ(run.end, StepperEnd::all_delivered);
    EXPECT_GE(run.record.steps_run, 10'000);
  }
}

TEST(RoutingFunctions, WhatMayDeadlockDoes) {
  for (const RoutedNetwork& routed : routed_networks()) {
    if (!routed.small || routed.acyclic) continue;
    SCOPED_TRACE(name_of(routed));
    const auto algorithm = router(routed, 2);
    ListSource source(flood(routed.network->graph.processors(), 200, 16, 1));
    NetlistRunOptions options;
    options.max_steps = 200'000;
    const NetlistRun run = run_netlist(*routed.network, *algorithm, source, options);
    EXPECT_EQ(run.end, StepperEnd::nothing_pending);
  }
}

}  // namespace
}  // namespace starloom::links
