// SPDX-License-Identifier: Apache-2.0
/// \file Routers that differ from node to node: netlist and reference simulator agree (docs/regions.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/schema/key_text.hpp>
#include <starloom/topology/subnets.hpp>
#include "support/dice.hpp"
#include "support/lockstep.hpp"
#include "support/routed_networks.hpp"
#include "support/router_mixes.hpp"
#include "support/varied_routers.hpp"

namespace starloom::links {
namespace {

using Keys = std::map<std::string, KeyValue>;

/// Whatever counts the flits behind an out-port counts those of the router there: credits, empty buffers, the selection
/// of an out-port, flow control of packets. Stages are those of the router that a flit is in.
TEST(Regions, NetlistAndStepperAgreeOnRandomMixes) {
  for (std::uint64_t seed = 0; seed < 120 && !testing::Test::HasFailure(); ++seed) {
    const RouterMix mix = router_mix(seed);
    SCOPED_TRACE(mix.text);
    const auto algorithm = varied_routers(*mix.network, mix.keys, seed, mix.least);
    const PlainRules rules = plain_rules(mix.keys);
    EXPECT_EQ(expect_lockstep(*mix.network, *algorithm, mix.packets, seed, 6000, 0, mix.selection, rules),
              StepperEnd::all_delivered);
    // So do the counts of a run that is stopped.
    const auto stop = static_cast<Step>(12 + seed % 20);
    expect_lockstep(*mix.network, *algorithm, mix.packets, seed, stop, 0, mix.selection, rules);
  }
}

/// Each link has the channels of its receiver, and a routing function divides these among its classes: datelines,
/// orders, phases, escape channels.
TEST(Regions, LinksHaveTheChannelsOfTheirReceivers) {
  struct Case {
    const LinkNetwork& network;
    std::string function;
    std::int32_t least;  ///< channels
  };
  const LinkNetwork &mesh = network_of(Grid::mesh({3, 4})), &torus = network_of(Grid::torus({4, 3}));
  for (std::uint64_t seed = 0; seed < 120 && !testing::Test::HasFailure(); ++seed) {
    const LinkNetwork& uneven = kept(uneven_network(seed));
    const std::vector<Case> cases = {{mesh, "dimension-order", 1},
                                     {torus, "dimension-order", 2},
                                     {mesh, "o1turn", 2},
                                     {mesh, "valiant", 2},
                                     {torus, "valiant", 4},
                                     {mesh, "adaptive", 2},
                                     {torus, "adaptive", 3},
                                     {mesh, "planar-adaptive", 3},
                                     {mesh, "min-adaptive", 2},
                                     {uneven, "up-down-adaptive", 2},
                                     {uneven, "up-down", 1},
                                     {concentrated_mesh({2, 2}, 3), "o1turn", 2},
                                     {flattened_butterfly({3, 3}, 2), "ugal", 2}};
    const Case& one = cases[seed % cases.size()];
    Dice dice(seed);
    Keys keys = {{"function", one.function},
                 {"channels", std::int64_t{one.least + dice.below(3)}},
                 {"buffer", std::int64_t{1 + dice.below(5)}}};
    switch (dice.below(6)) {
      case 0: keys["wait_for_tail_credit"] = true; break;
      case 1: keys["speedup.output"] = std::int64_t{2}; break;
      case 2: keys["allocator"] = PartValue{"wavefront"}; break;
      case 3: keys["busy_when_full"] = true; break;
      default: break;
    }
    std::string text = "seed " + std::to_string(seed) + " on " + one.network.title;
    for (const auto& [key, value] : keys) text += ", " + key + ": " + value_text(value);
    SCOPED_TRACE(text);
    const NetworkGraph& graph = one.network.graph;
    std::vector<Packet> packets;
    const auto processor = [&] { return graph.processor(dice.below(graph.processors())); };
    for (int k = 0; k < 80; ++k) packets.push_back({processor(), processor(), 1 + dice.below(5), Step{k / 8}});
    const auto algorithm = varied_routers(one.network, keys, seed, 1, one.least);
    EXPECT_FALSE(algorithm->declaration().channels_of_nodes.empty());
    EXPECT_EQ(expect_lockstep(one.network, *algorithm, packets, seed, 6000, 0, "least-occupied", plain_rules(keys)),
              StepperEnd::all_delivered);
  }
}

}  // namespace
}  // namespace starloom::links
