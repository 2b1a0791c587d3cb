// SPDX-License-Identifier: Apache-2.0
/// \file Routing functions on what faults leave. Numbers of pairs and loads come from an independent implementation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/routing/segments.hpp>
#include <starloom/routing/up_down.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/topology/faults.hpp>

#include "support/dice.hpp"
#include "support/link_paths.hpp"
#include "support/routed_networks.hpp"

namespace starloom {
namespace {

using links::Dice;
using routing::ChannelRange;
using routing::Choice;
using routing::Choices;
using routing::FunctionEntry;
using routing::Head;
using routing::RoutingFunction;
using testing::ElementsAre;
using testing::HasSubstr;

std::unique_ptr<RoutingFunction> function_on(const std::string& name, const LinkNetwork& network, const Faults& faults,
                                             int channels = 1, std::map<std::string, KeyValue> keys = {}) {
  static const std::vector<FunctionEntry> functions = routing::standard_functions();
  routing::FunctionContext context{&network, 0, channels};
  context.faults = &faults;
  return part_named(functions, name).made(context, KeyValues(std::move(keys)));
}

const LinkNetwork& square(std::int64_t side = 8) { return network_of(Grid::mesh({side, side})); }

/// The cable between (3, 3) and (3, 4) of the 8 x 8 mesh.
Faults central_cable() {
  Faults faults(square().graph);
  faults.kill_cable({{27, 1}, partner_of(square().graph, {27, 1})});
  return faults;
}
Faults random_four() {
  Faults faults(square().graph);
  for (const Cable& cable : random_cables(cables_of(square().graph), std::int64_t{4}, 1)) faults.kill_cable(cable);
  return faults;
}
Faults central_router() {
  Faults faults(square().graph);
  faults.kill_router(27);
  return faults;
}

/// Pairs of two living processors without a path.
std::int64_t lost_pairs(const RoutingFunction& function, const Faults& faults) {
  const routing::PairsWithoutPath* const without = function.without_path();
  std::int64_t count = 0;
  for (NodeId source = 0; without != nullptr && source < faults.graph().nodes(); ++source)
    for (NodeId destination = 0; destination < faults.graph().nodes(); ++destination)
      count += !faults.processor_is_dead(source) && !faults.processor_is_dead(destination) &&
                       without->contains(source, destination)
                   ? 1
                   : 0;
  return count;
}

/// Of one packet for each ordered pair that has a path, always by the first choice.
struct Load {
  std::int64_t hops = 0, greatest = 0;
  NodeId node = no_node;
  Port port = no_port;

  bool operator==(const Load& other) const {
    return std::tie(hops, greatest, node, port) == std::tie(other.hops, other.greatest, other.node, other.port);
  }
  friend std::ostream& operator<<(std::ostream& out, const Load& load) {
    return out << load.greatest << " at port " << load.port << " of " << load.node << ", " << load.hops << " hops";
  }
};

Load load_of(const RoutingFunction& function, const NetworkGraph& graph) {
  std::vector<std::int64_t> crossings(graph.link_slots(), 0);
  Load load;
  for (const std::vector<std::size_t>& path : paths_of(function, graph))
    for (const std::size_t link : path) {
      ++crossings[link];
      ++load.hops;
    }
  const auto greatest = std::max_element(crossings.begin(), crossings.end());
  const auto slot = static_cast<std::size_t>(greatest - crossings.begin());
  load.greatest = *greatest;
  load.node = static_cast<NodeId>(slot / static_cast<std::size_t>(graph.ports()));
  load.port = static_cast<Port>(slot % static_cast<std::size_t>(graph.ports()));
  return load;
}

struct Lost {
  const char* function;
  std::int64_t cable, one_way, router, all_cables, worst_cable;
};

class PrunedOnAMesh : public testing::TestWithParam<Lost> {};

TEST_P(PrunedOnAMesh, LosesThePairsOfTheReference) {
  const Lost& lost = GetParam();
  const NetworkGraph& graph = square().graph;
  const Faults cable = central_cable(), router = central_router();
  EXPECT_EQ(lost_pairs(*function_on(lost.function, square(), cable), cable), lost.cable);
  EXPECT_EQ(lost_pairs(*function_on(lost.function, square(), router), router), lost.router);
  Faults one_way(graph);
  one_way.kill_link({27, 1});
  EXPECT_EQ(lost_pairs(*function_on(lost.function, square(), one_way), one_way), lost.one_way);
}

TEST_P(PrunedOnAMesh, LosesThePairsOfTheReferenceWithEachSingleCable) {
  const NetworkGraph& graph = square().graph;
  std::int64_t sum = 0, most = 0;
  for (const Cable& each : cables_of(graph)) {
    Faults faults(graph);
    faults.kill_cable(each);
    const std::int64_t pairs = lost_pairs(*function_on(GetParam().function, square(), faults), faults);
    sum += pairs;
    most = std::max(most, pairs);
  }
  EXPECT_EQ(sum, GetParam().all_cables);
  EXPECT_EQ(most, GetParam().worst_cable);
}

INSTANTIATE_TEST_SUITE_P(Functions, PrunedOnAMesh,
                         testing::Values(Lost{"dimension-order", 256, 128, 433, 21504, 256},
                                         Lost{"west-first", 144, 16, 256, 12096, 256},
                                         Lost{"north-last", 128, 64, 225, 12096, 256},
                                         Lost{"negative-first", 160, 80, 272, 12096, 256},
                                         Lost{"odd-even", 60, 44, 100, 5432, 66}),
                         [](const testing::TestParamInfo<Lost>& info) {
                           std::string name = info.param.function;
                           name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                           return name;
                         });

TEST(FaultRouting, UpDownTakesWhatIsLeft) {
  const NetworkGraph& graph = square().graph;
  const Load whole{21504, 624, 28, 3}, cable{21760, 688, 36, 3}, four{22440, 564, 28, 0};
  EXPECT_EQ(load_of(*function_on("up-down", square(), Faults(graph)), graph), whole);
  EXPECT_EQ(load_of(*function_on("up-down", square(), central_cable()), graph), cable);
  EXPECT_EQ(load_of(*function_on("up-down", square(), random_four()), graph), four);
  const Faults router = central_router();
  const auto function = function_on("up-down", square(), router);
  EXPECT_EQ(load_of(*function, graph).greatest, 665);
  EXPECT_EQ(lost_pairs(*function, router), 0);
  EXPECT_EQ(function->without_path()->count(), 2 * 63) << "from and to the dead processor";
}

TEST(FaultRouting, ShortestTakesWhatIsLeft) {
  const NetworkGraph& graph = square().graph;
  const Load cable{21568, 240, 3, 1};
  EXPECT_EQ(load_of(*function_on("shortest", square(), central_cable()), graph), cable);
  const Load four = load_of(*function_on("shortest", square(), random_four()), graph);
  EXPECT_EQ(four.greatest, 240);
  EXPECT_EQ(four.hops, 21688);
}

struct Ways {
  const char* turns;
  Load cable;
  std::int64_t lost;
};

class LegalWays : public testing::TestWithParam<Ways> {};

TEST_P(LegalWays, AreThoseOfTheReference) {
  const Faults faults = central_cable();
  const auto function = function_on("legal-ways", square(), faults, 1, {{"turns", std::string(GetParam().turns)}});
  EXPECT_EQ(load_of(*function, square().graph), GetParam().cable);
  EXPECT_EQ(lost_pairs(*function, faults), GetParam().lost);
}

INSTANTIATE_TEST_SUITE_P(Turns, LegalWays,
                         testing::Values(Ways{"segments", {21616, 412, 20, 0}, 0},
                                         Ways{"west-first", {20768, 240, 3, 1}, 128},
                                         Ways{"odd-even", {21416, 233, 30, 0}, 32},
                                         Ways{"north-last", {21760, 256, 35, 1}, 0},
                                         Ways{"negative-first", {21824, 256, 19, 1}, 0}),
                         [](const testing::TestParamInfo<Ways>& info) {
                           std::string name = info.param.turns;
                           name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                           return name;
                         });

TEST(FaultRouting, SegmentsAreThoseOfTheReference) {
  const auto segments = [](const Faults& faults) {
    const NetworkGraph left = faults.left_both_ways();
    return routing::Segments(left, routing::chosen_roots(left), false).count();
  };
  const auto greatest = [](const Faults& faults) {
    return load_of(*function_on("legal-ways", square(), faults), square().graph).greatest;
  };
  EXPECT_EQ(segments(Faults(square().graph)), 49);
  EXPECT_EQ(greatest(Faults(square().graph)), 405);
  EXPECT_EQ(segments(central_cable()), 48);
  EXPECT_EQ(segments(random_four()), 45);
  EXPECT_EQ(greatest(random_four()), 374);
}

TEST(FaultRouting, SegmentsLeaveNoCycleAndNoPairOfAPartWithoutAPath) {
  Dice dice(17);
  for (int round = 0; round < 150; ++round) {
    SCOPED_TRACE(round);
    const LinkNetwork& network = kept(random_network(dice));
    Faults faults(network.graph);
    for (const Cable& cable : cables_of(network.graph)) {
      if (dice.one_in(8)) faults.kill_cable(cable);
      else if (dice.one_in(12)) faults.kill_link(cable.lower);
    }
    const auto function = function_on("legal-ways", network, faults);
    EXPECT_EQ(wrongly_served(*function, faults), "");
    EXPECT_TRUE(leave_no_cycle(paths_of(*function, network.graph)));
  }
}

// A terminal and a second root of a part are none.
TEST(FaultRouting, SegmentsBeginAtTheFirstRootOfAPartThatForwards) {
  const LinkNetwork& clos = folded_clos({1, 3, 2, 0, 2});
  std::int64_t all = 0;
  for (const Cable& cable : cables_of(clos.graph)) all += clos.graph.is_terminal(cable.lower.node) ? 0 : 1;
  const auto count = [&](const std::vector<NodeId>& roots) {
    return routing::Segments(clos.graph, roots, false).count();
  };
  EXPECT_EQ(count({0}), all - 5 + 1) << "leaves and spines less one, as cables of a tree, are bridges or in segments";
  EXPECT_EQ(count({0, 7, 8}), count({7}));
}

// One turn less is enough for a cycle of waiting packets.
TEST(FaultRouting, TurnModelsLeaveNoCycle) {
  Dice dice(18);
  for (const char* turns : {"west-first", "north-last", "negative-first", "odd-even"})
    for (int round = 0; round < 20; ++round) {
      SCOPED_TRACE(turns);
      Faults faults(square(5).graph);
      for (const Cable& cable : cables_of(square(5).graph)) {
        if (dice.one_in(6)) faults.kill_cable(cable);
        else if (dice.one_in(6)) faults.kill_link(cable.lower);
      }
      const auto function = function_on("legal-ways", square(5), faults, 1, {{"turns", std::string(turns)}});
      EXPECT_TRUE(leave_no_cycle(paths_of(*function, square(5).graph)));
    }
}

/// The refusal of a function of a network without faults.
std::string refusal(const std::string& name, const LinkNetwork& network, std::map<std::string, KeyValue> keys) {
  try {
    function_on(name, network, Faults(network.graph), 3, std::move(keys));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FaultRouting, KeysThatExcludeOneAnother) {
  const LinkNetwork& torus = network_of(Grid::torus({4, 4}));
  EXPECT_EQ(refusal("legal-ways", torus, {{"turns", std::string("odd-even")}}),
            "odd-even is a turn model of meshes of two dimensions; use segments");
  EXPECT_EQ(refusal("legal-ways", square(), {{"turns", std::string("odd-even")}, {"root", std::string("3")}}),
            "the turns of odd-even have no root; leave this key out");
  EXPECT_EQ(refusal("yx", torus, {{"backup", std::string("up-down")}}), "accepted");
  EXPECT_EQ(
      refusal("yx", torus, {{"backup", std::string("up-down")}, {"ties", std::string("random")}}),
      "packets of yx choose a direction at random here, which excludes a backup; set ties, or leave this key out");
}

using Pairs = std::vector<std::int64_t>;

Pairs layers(const std::string& layering, const LinkNetwork& network, const Faults& faults) {
  return function_on("layered", network, faults, 8, {{"layering", layering}})->pairs_of_layers();
}

TEST(FaultRouting, LayersHaveThePairsOfTheReference) {
  const Faults whole(square().graph);
  for (const char* layering : {"lash", "dfsssp"}) EXPECT_EQ(layers(layering, square(), whole), Pairs{4032});
  EXPECT_EQ(layers("lash", square(), central_cable()), (Pairs{3872, 160}));
  EXPECT_EQ(layers("dfsssp", square(), central_cable()), (Pairs{3854, 178}));
  EXPECT_EQ(layers("lash", square(), random_four()), (Pairs{3483, 549}));
  EXPECT_EQ(layers("dfsssp", square(), random_four()), (Pairs{3661, 371}));
  const LinkNetwork& ring = network_of(Grid::torus({8}));
  for (const char* layering : {"lash", "dfsssp"}) EXPECT_EQ(layers(layering, ring, Faults(ring.graph)), (Pairs{47, 9}));
  const LinkNetwork &small = network_of(Grid::torus({4, 4})), &large = network_of(Grid::torus({8, 8}));
  EXPECT_EQ(layers("lash", small, Faults(small.graph)), (Pairs{209, 24, 7}));
  EXPECT_EQ(layers("dfsssp", small, Faults(small.graph)), (Pairs{209, 29, 2}));
  EXPECT_EQ(layers("lash", large, Faults(large.graph)), (Pairs{2961, 702, 369}));
  EXPECT_EQ(layers("dfsssp", large, Faults(large.graph)), (Pairs{2961, 909, 154, 8}));
}

// The paths are those of `shortest`, and the channels of a path leave no cycle.
TEST(FaultRouting, LayersLeaveNoCycle) {
  Dice dice(19);
  int several = 0;
  for (int round = 0; round < 80; ++round) {
    SCOPED_TRACE(round);
    const LinkNetwork& network = kept(random_network(dice));
    Faults faults(network.graph);
    for (const Cable& cable : cables_of(network.graph))
      if (dice.one_in(8)) faults.kill_cable(cable);
    const std::string layering = round % 2 == 0 ? "lash" : "dfsssp";
    const auto function = function_on("layered", network, faults, 9, {{"layering", layering}});
    const auto count = static_cast<int>(function->pairs_of_layers().size());
    several += count > 1 ? 1 : 0;
    for (int layer = 0; layer < count; ++layer)
      EXPECT_TRUE(leave_no_cycle(paths_of(*function, network.graph, [&](const Head& head) {
        const ChannelRange own = function->source_channels(head, {0, 9});
        Choices choices;
        function->route(head, choices);
        for (const Choice& choice : choices) EXPECT_EQ(choice.first % count, choices.begin()->first % count);
        if (network.graph.is_terminal(head.node)) EXPECT_EQ(own.first, choices.begin()->first);
        return choices.begin()->first % count == layer;
      })));
    EXPECT_EQ(load_of(*function, network.graph), load_of(*function_on("shortest", network, faults), network.graph));
  }
  EXPECT_GT(several, 10);
}

TEST(FaultRouting, LayersNeedChannels) {
  try {
    function_on("layered", square(), central_cable(), 1);
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "layered needs 2 channels here, has 1");
  }
}

// With four channels in two layers, two belong to each.
TEST(FaultRouting, LayersShareAllChannels) {
  const auto function = function_on("layered", square(), central_cable(), 4);
  for (const int channel : {0, 1, 2, 3}) {
    Choices choices;
    function->route({9, 3, channel, 60}, choices);
    ASSERT_EQ(choices.size(), 2u);
    EXPECT_EQ(choices.begin()[0].first, channel % 2);
    EXPECT_EQ(choices.begin()[1].first, channel % 2 + 2);
    EXPECT_EQ(choices.begin()[0].count, 1);
    choices.clear();
    function->every_path()->route({9, 3, channel % 2, 60}, choices);
    ASSERT_EQ(choices.size(), 1u) << "one of the channels, which are alike, is enough for proofs";
    EXPECT_EQ(choices.begin()->first, channel % 2);
  }
}

TEST(FaultRouting, BackupTakesTheCutPairsInTheLastChannel) {
  const Faults faults = central_cable();
  const auto function = function_on("dimension-order", square(), faults, 3, {{"backup", std::string("up-down")}});
  const Load cable{21664, 256, 36, 3};
  EXPECT_EQ(load_of(*function, square().graph), cable);
  EXPECT_EQ(lost_pairs(*function, faults), 0);
  const auto alone = function_on("dimension-order", square(), faults, 2);
  std::int64_t in_last = 0;
  for (NodeId source = 0; source < 64; ++source)
    for (NodeId destination = 0; destination < 64; ++destination) {
      if (source == destination) continue;
      Choices choices;
      function->route({source, 4, 0, destination}, choices);
      ASSERT_EQ(choices.size(), 1u);
      const bool last = choices.begin()->first == 2;
      EXPECT_EQ(choices.begin()->count, last ? 1 : 2);
      EXPECT_EQ(last, alone->without_path()->contains(source, destination));
      in_last += last ? 1 : 0;
    }
  EXPECT_EQ(in_last, 256);
}

TEST(FaultRouting, BackupServesCutPairsOfAPartBesideDeadRouters) {
  Faults faults = central_router();
  faults.kill_cable({{9, 1}, {10, 3}});
  const auto function = function_on("dimension-order", square(), faults, 2, {{"backup", std::string("up-down")}});
  EXPECT_EQ(lost_pairs(*function, faults), 0);
  EXPECT_EQ(function->without_path()->count(), 2 * 63) << "from and to the dead processor";
}

// A pair that up-down cannot serve, because one direction of its only cable is dead, may have a path all the same.
TEST(FaultRouting, BackupLosesThePairsThatNeitherServes) {
  const LinkNetwork& row = network_of(Grid::mesh({1, 4}));
  Faults faults(row.graph);
  faults.kill_link({1, 1});
  const auto function = function_on("yx", row, faults, 2, {{"backup", std::string("up-down")}});
  EXPECT_EQ(lost_pairs(*function, faults), 4) << "from 0 and 1 to 2 and 3";
}

// With one direction dead, up-down leaves out the other one, too.
TEST(FaultRouting, UpDownTakesNoLinkWhosePartnerIsDead) {
  Faults faults(square().graph);
  faults.kill_link({27, 1});
  const Load both{21760, 688, 36, 3};
  EXPECT_EQ(load_of(*function_on("up-down", square(), faults), square().graph), both);
}

TEST(FaultRouting, UpDownHasARootInEachPart) {
  const LinkNetwork& row = network_of(Grid::mesh({1, 6}));
  Faults faults(row.graph);
  faults.kill_cable({{2, 1}, {3, 3}});
  for (const bool given : {false, true}) {
    std::map<std::string, KeyValue> keys;
    if (given) keys["root"] = std::string("1");
    const auto function = function_on("up-down", row, faults, 1, keys);
    EXPECT_EQ(lost_pairs(*function, faults), 2 * 9);
    EXPECT_EQ(load_of(*function, row.graph).hops, 2 * 8);
  }
}

// Nodes that are equally far from the root of another part are ordered by their numbers: 3, 5, 4 would lead down to 5,
// and then up.
TEST(FaultRouting, APartWithoutTheGivenRootHasOneOfItsOwn) {
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "b", "c", "d", "e"}) builder.add_node(NodeRole::processor, name);
  for (const auto& [one, other] : {std::pair(0, 1), {1, 2}, {2, 4}, {4, 3}}) {
    builder.add_link(one, other);
    builder.add_link(other, one);
  }
  const LinkNetwork& chain = kept({"chain", builder.build(), {}, "graph"});
  Faults faults(chain.graph);
  faults.kill_cable({{1, 1}, {2, 0}});
  const auto function = function_on("up-down", chain, faults, 1, {{"root", std::string("a")}});
  EXPECT_EQ(lost_pairs(*function, faults), 2 * 6);
}

TEST(FaultRouting, UpDownRefusesADeadRoot) {
  const Faults faults = central_router();
  try {
    function_on("up-down", square(), faults, 1, {{"root", std::string("node_r03_c03")}});
    FAIL() << "accepted";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "node_r03_c03 is dead; choose another root, or leave this key out");
  }
}

TEST(FaultRouting, TheRootsOfANetworkLeaveOutDeadOnes) {
  const LinkNetwork& clos = folded_clos({1, 3, 2, 0, 2});
  Faults faults(clos.graph);
  for (NodeId node = 0; node < clos.graph.nodes(); ++node)
    if (clos.graph.node_name(node) == "spine_00") faults.kill_router(node);
  EXPECT_EQ(faults.routers(), 1);
  EXPECT_EQ(lost_pairs(*function_on("up-down", clos, faults), faults), 0);
}

// A packet never has only choices for which it may not wait, and what is acyclic stays so.
TEST(FaultRouting, PrunedFunctionsKeepAnEscapeChannel) {
  const LinkNetwork& network = square(4);
  for (const char* name : {"min-adaptive", "adaptive"}) {
    Faults faults(network.graph);
    faults.kill_link({5, 1});
    const auto function = function_on(name, network, faults, 3);
    std::set<std::tuple<NodeId, Port, int>> seen;
    const std::function<void(const Head&)> follow = [&](const Head& head) {
      if (head.node == head.destination || !seen.emplace(head.node, head.in_port, head.in_channel).second) return;
      Choices choices;
      function->route(head, choices);
      EXPECT_TRUE(std::any_of(choices.begin(), choices.end(), [](const Choice& c) { return c.priority == 0; })) << name;
      for (const Choice& choice : choices) {
        EXPECT_FALSE(faults.link_is_dead(head.node, choice.port));
        const LinkEnd far = network.graph.far_end(head.node, choice.port);
        for (int channel = choice.first; channel < choice.first + choice.count; ++channel)
          follow({far.node, far.port, channel, head.destination, head.random_choice});
      }
    };
    for (NodeId destination = 0; destination < 16; ++destination) {
      seen.clear();
      for (NodeId source = 0; source < 16; ++source)
        if (function->without_path() == nullptr || !function->without_path()->contains(source, destination))
          follow({source, network.graph.ports(), 0, destination, 0});
    }
    EXPECT_GT(lost_pairs(*function, faults), 0) << "of the escape function " << name;
  }
}

// Packets draw only intermediate nodes over which they have a path.
TEST(FaultRouting, PrunedFunctionsDrawWhatHasAPath) {
  const LinkNetwork& network = square(4);
  Faults faults(network.graph);
  faults.kill_cable({{5, 1}, {6, 3}});
  const auto function = function_on("valiant", network, faults, 2);
  EXPECT_EQ(function->without_path(), nullptr) << "some intermediate node always avoids the cable";
  EXPECT_LT(function->random_choices_between(4, 7), 16u);
  for (const NodeId source : {0, 4, 5})
    for (std::uint32_t number = 0; number < function->random_choices_between(source, 7); ++number) {
      Choices choices;
      function->route({source, network.graph.ports(), 0, 7, function->random_choice_between(source, 7, number)},
                      choices);
      EXPECT_GT(choices.size(), 0u) << source << ", " << number;
    }
  EXPECT_EQ(function->random_choices_between(0, 3), 14u) << "not over 4 and 5, from which it would go along their row";
}

// A dead channel of a link is not offered; with all of them dead, the link is not.
TEST(FaultRouting, DeadChannelsAreNotOffered) {
  const LinkNetwork& row = network_of(Grid::mesh({1, 4}));
  for (const char* name : {"dimension-order", "up-down", "shortest"}) {
    Faults faults(row.graph);
    faults.kill_channel({1, 1}, 1);
    const auto function = function_on(name, row, faults, 3);
    Choices choices;
    function->route({1, 3, 0, 3}, choices);
    ASSERT_EQ(choices.size(), 2u) << name;
    EXPECT_EQ(choices.begin()[0].first, 0);
    EXPECT_EQ(choices.begin()[0].count, 1);
    EXPECT_EQ(choices.begin()[1].first, 2);
    EXPECT_EQ(choices.begin()[1].count, 1);
    EXPECT_EQ(function->without_path(), nullptr);
    faults.kill_channel({1, 1}, 0);
    faults.kill_channel({1, 1}, 2);
    EXPECT_EQ(lost_pairs(*function_on(name, row, faults, 3), faults), 4) << name;
  }
}

}  // namespace
}  // namespace starloom
