// SPDX-License-Identifier: Apache-2.0
/// \file Routers that differ from node to node: netlist and reference simulator agree (docs/regions.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/schema/key_text.hpp>
#include <starloom/topology/subnets.hpp>
#include "support/dice.hpp"
#include "support/lockstep.hpp"
#include "support/routed_networks.hpp"
#include "support/varied_routers.hpp"

namespace starloom::links {
namespace {

using Keys = std::map<std::string, KeyValue>;

/// Whatever counts the flits behind an out-port counts those of the router there: credits, empty buffers, the selection
/// of an out-port, flow control of packets. Stages are those of the router that a flit is in.
TEST(Regions, NetlistAndStepperAgreeOnRandomMixes) {
  for (std::uint64_t seed = 0; seed < 120 && !testing::Test::HasFailure(); ++seed) {
    Dice dice(seed);
    const int channels = 2 + dice.below(3);
    Keys keys = {{"channels", std::int64_t{channels}}, {"buffer", std::int64_t{1 + dice.below(5)}}};
    const LinkNetwork* network = &network_of(Grid::mesh({3, 4}), 1 + dice.below(2));
    std::string selection = "least-occupied";
    switch (dice.below(5)) {
      case 0:
        network = &kept(uneven_network(seed));
        keys["function"] = std::string("up-down");
        break;
      case 1:
        network = &fat_tree(2, 3);
        keys["function"] = std::string("nearest-ancestor");
        keys["nearest-ancestor.ascent"] = std::string("adaptive");
        break;
      case 2: network = &concentrated_mesh({2, 2}, 3); break;
      case 3: keys["function"] = std::string("west-first"); break;
      default:
        keys["function"] = std::string("adaptive");
        if (dice.one_in(2)) keys["selection"] = selection = "random";
        break;
    }
    const int most_flits = 1 + dice.below(5);
    std::optional<std::int32_t> least = 1;
    if (dice.one_in(2)) {
      keys["pipeline"] = std::int64_t{4 + dice.below(2)};
      keys["speculative"] = false;
    }
    switch (dice.below(9)) {
      case 0:
        keys["allocator"] = PartValue{"priority-islip"};
        keys["prefer_empty"] = true;
        break;
      case 1: keys["wait_for_tail_credit"] = true; break;
      case 2: keys["busy_when_full"] = true; break;
      case 3:
        keys["flow"] = std::string("cut-through");
        least = most_flits;
        keys["buffer"] = std::int64_t{most_flits + dice.below(3)};
        break;
      case 4: keys["speedup.output"] = std::int64_t{2}; break;
      case 5:
        keys.erase("pipeline");
        keys.erase("speculative");
        keys["stages.switch"] = std::int64_t{2};
        break;
      case 6: keys["speedup.internal"] = std::int64_t{2}; break;
      case 7:
        keys.erase("buffer");
        keys["buffers.places"] = std::int64_t{channels + dice.below(9)};
        least.reset();
        break;
      default: break;
    }
    std::string text = "seed " + std::to_string(seed) + " on " + network->title;
    for (const auto& [key, value] : keys) text += ", " + key + ": " + value_text(value);
    SCOPED_TRACE(text);
    std::vector<Packet> packets;
    const auto processor = [&] { return network->graph.processor(dice.below(network->graph.processors())); };
    for (int k = 0; k < 60; ++k) packets.push_back({processor(), processor(), 1 + dice.below(most_flits), Step{k / 4}});
    const auto algorithm = varied_routers(*network, keys, seed, least);
    EXPECT_EQ(expect_lockstep(*network, *algorithm, packets, seed, 6000, 0, selection, plain_rules(keys)),
              StepperEnd::all_delivered);
    // So do the counts of a run that is stopped.
    expect_lockstep(*network, *algorithm, packets, seed, 12 + dice.below(20), 0, selection, plain_rules(keys));
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
