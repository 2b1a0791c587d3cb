// SPDX-License-Identifier: Apache-2.0
/// \file Networks with clocks of different periods: netlist and reference simulator agree (docs/clocks.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/simulation/links/simulation.hpp>
#include <starloom/topology/clocks.hpp>
#include <starloom/traffic/packet_list.hpp>
#include "support/fresh_context.hpp"
#include "support/lockstep.hpp"
#include "support/named_algorithm.hpp"
#include "support/networks.hpp"
#include "support/router_mixes.hpp"
#include "support/varied_routers.hpp"

namespace starloom::links {
namespace {

/// Two nodes in a row, with these clocks.
LinkNetwork pair_of(std::int32_t first, std::int32_t second, const CrossingKeys& crossing = {}) {
  LinkNetwork network = network_of(Grid::mesh({1, 2}));
  NetworkGraphBuilder builder(network.graph);
  builder.set_crossing({0, network.graph.out_ports(0).lowest()}, crossing);
  network.graph = builder.build();
  return with_clocks(std::move(network), {first, second});
}

/// The steps from 0 in which a packet from node 0 to node 1 is delivered.
Step delivered(const LinkNetwork& network, std::int32_t flits) {
  const auto algorithm = named_algorithm("vc-wormhole", network, {{"channels", std::int64_t{1}}});
  ListSource source({{0, 1, flits}});
  return run_netlist(network, *algorithm, source, {}).record.delivered.at(0);
}

/// By hand: a flit that leaves its buffer in t arrives in t + 3 cycles of the sender, is readable at the next edge of
/// the receiver and behind its synchroniser, and is consumed 3 cycles later.
TEST(Clocks, FlitsCrossAtTheEdgesOfTheReceiver) {
  struct Case {
    std::int32_t sender, receiver, flits;
    std::optional<std::int32_t> synchroniser;
    Step delivered;
  };
  for (const Case& one : std::vector<Case>{{1, 1, 1, {}, 8},
                                           {1, 1, 1, 2, 10},
                                           {2, 2, 1, 2, 20},
                                           {1, 2, 4, 2, 22},
                                           {2, 3, 1, 0, 21},
                                           {3, 2, 1, 0, 22},
                                           {2, 2, 1, {}, 16},
                                           {1, 2, 1, {}, 12},
                                           {1, 2, 1, 2, 16},
                                           {1, 2, 4, {}, 18},
                                           {2, 1, 1, {}, 13},
                                           {2, 1, 1, 2, 15},
                                           {2, 3, 1, {}, 27},
                                           {2, 3, 1, 2, 27},
                                           {3, 2, 1, {}, 26}}) {
    SCOPED_TRACE(std::to_string(one.sender) + " to " + std::to_string(one.receiver));
    EXPECT_EQ(delivered(pair_of(one.sender, one.receiver, {one.synchroniser, 0}), one.flits), one.delivered);
  }
}

/// One clock of three steps: everything takes three times as long.
TEST(Clocks, ASlowClockStretchesARun) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RouterMix mix = router_mix(seed);
    SCOPED_TRACE(mix.text);
    const NetworkGraph& graph = mix.network->graph;
    const LinkNetwork slow =
        with_clocks(*mix.network, std::vector<std::int32_t>(static_cast<std::size_t>(graph.nodes()), 3));
    // Choices at random depend on the step.
    auto keys = mix.keys;
    keys.erase("selection");
    keys["credit_latency"] = std::int64_t{graph.greatest_wire_cycles() + 1 + static_cast<std::int64_t>(seed % 3)};
    std::vector<Packet> later = mix.packets;
    for (Packet& packet : later) packet.created *= 3;
    const auto run = [&](const LinkNetwork& network, const std::vector<Packet>& packets) {
      const auto algorithm = named_algorithm("vc-wormhole", network, keys);
      ListSource source(packets);
      return run_netlist(network, *algorithm, source, {});
    };
    NetlistRun fast = run(*mix.network, mix.packets);
    const NetlistRun stretched = run(slow, later);
    for (TraceRow& row : fast.rows) row.step *= 3;
    for (CreditRow& row : fast.credits) row.step *= 3;
    EXPECT_EQ(stretched.rows, fast.rows);
    EXPECT_EQ(stretched.credits, fast.credits);
    ASSERT_EQ(stretched.record.use->buffers.size(), fast.record.use->buffers.size());
    for (std::size_t i = 0; i < fast.record.use->buffers.size(); ++i) {
      EXPECT_EQ(stretched.record.use->buffers[i].flit_steps, 3 * fast.record.use->buffers[i].flit_steps);
      EXPECT_EQ(stretched.record.use->buffers[i].credit_stalls, 3 * fast.record.use->buffers[i].credit_stalls);
    }
  }
}

TEST(Clocks, NetlistAndStepperAgreeOnRandomMixes) {
  for (std::uint64_t seed = 0; seed < 120 && !testing::Test::HasFailure(); ++seed) {
    const RouterMix mix = router_mix(seed);
    SCOPED_TRACE(mix.text);
    const LinkNetwork network =
        with_uneven_clocks(seed % 3 == 0 ? with_uneven_links(*mix.network, seed) : *mix.network, seed, seed % 4 != 0);
    const auto algorithm = seed % 2 == 0 ? named_algorithm("vc-wormhole", network, mix.keys)
                                         : varied_routers(network, mix.keys, seed, mix.least);
    const PlainRules rules = plain_rules(mix.keys);
    EXPECT_EQ(expect_lockstep(network, *algorithm, mix.packets, seed, 20000, 0, mix.selection, rules),
              StepperEnd::all_delivered);
    // So do the counts of a run that is stopped; a packet is created in its last step, so both run that.
    const auto stop = static_cast<Step>(17 + seed % 40);
    std::vector<Packet> packets = mix.packets;
    packets.push_back({packets[0].source, packets[1].source, 1, stop - 1});
    expect_lockstep(network, *algorithm, packets, seed, stop, 0, mix.selection, rules);
  }
}

/// It judges by rules of its own.
TEST(Clocks, TheRefereeAcceptsRandomMixes) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const RouterMix mix = router_mix(seed);
    SCOPED_TRACE(mix.text);
    const LinkNetwork network = with_uneven_clocks(*mix.network, seed);
    const auto algorithm = named_algorithm("vc-wormhole", network, mix.keys);
    fresh_context();
    PacketList traffic(mix.packets);
    SimulationSetup setup;
    setup.network = &network;
    setup.algorithm = algorithm.get();
    setup.traffic = &traffic;
    setup.seed = seed;
    const SimulationResult result = simulate(setup);
    EXPECT_EQ(result.outcome, Outcome::completed) << result.violation.text;
  }
}

}  // namespace
}  // namespace starloom::links
