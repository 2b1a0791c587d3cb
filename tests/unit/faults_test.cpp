// SPDX-License-Identifier: Apache-2.0
/// \file Dead hardware of networks of links: cables, random sets, and the network that is left.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <starloom/core/random.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/topology/fault_keys.hpp>
#include <starloom/topology/fault_timeline.hpp>
#include <starloom/topology/link_errors.hpp>
#include <starloom/topology/rerouting.hpp>

#include "support/routed_networks.hpp"

namespace starloom {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// By their lower links, without `link_`.
std::vector<std::string> names_of(const NetworkGraph& graph, const std::vector<Cable>& cables) {
  std::vector<std::string> names;
  for (const Cable& cable : cables) names.push_back(graph.link_name(cable.lower.node, cable.lower.port).substr(5));
  return names;
}

NetworkGraph mesh_of(std::int64_t rows, std::int64_t columns) {
  return link_network(Grid::mesh({rows, columns})).graph;
}

/// Nodes by their roles: h is a host, s a switch, p another processor; each pair is a link.
NetworkGraph of_roles(const std::string& roles, const std::vector<std::pair<NodeId, NodeId>>& links) {
  NetworkGraphBuilder builder;
  for (std::size_t node = 0; node < roles.size(); ++node)
    builder.add_node(roles[node] == 'h'   ? NodeRole::host
                     : roles[node] == 's' ? NodeRole::switch_node
                                          : NodeRole::processor,
                     "n" + std::to_string(node));
  for (const auto& [from, to] : links) builder.add_link(from, to);
  return builder.build();
}
std::vector<std::pair<NodeId, NodeId>> both_ways(const std::vector<std::pair<NodeId, NodeId>>& pairs) {
  std::vector<std::pair<NodeId, NodeId>> links;
  for (const auto& [one, other] : pairs) {
    links.emplace_back(one, other);
    links.emplace_back(other, one);
  }
  return links;
}

TEST(Cables, OfAMeshAreItsPairsOfLinks) {
  const NetworkGraph graph = mesh_of(8, 8);
  const std::vector<Cable> cables = cables_of(graph);
  EXPECT_EQ(cables.size(), 112u);
  EXPECT_EQ(names_of(graph, {cables[0], cables[1], cables.back()}),
            (std::vector<std::string>{"r00_c00_east", "r00_c00_south", "r07_c06_east"}));
  for (const Cable& cable : cables) {
    EXPECT_EQ(partner_of(graph, cable.lower), cable.upper);
    EXPECT_EQ(partner_of(graph, cable.upper), cable.lower);
  }
}

TEST(Cables, OfATorusOfSideTwoAreTwoBetweenEachPair) {
  const NetworkGraph graph = link_network(Grid::torus({2, 2})).graph;
  EXPECT_EQ(graph.links(), 16);
  EXPECT_EQ(cables_of(graph).size(), 8u);
}

// 0 to 1 by three links, two back by other ports; one of those back has the number of an in-port that leads there.
TEST(Cables, PairParallelLinksByRankWhereNoPortLeadsBack) {
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "b"}) builder.add_node(NodeRole::processor, name);
  builder.add_link(LinkEnd{0, 0}, LinkEnd{1, 4});
  builder.add_link(LinkEnd{0, 1}, LinkEnd{1, 2});
  builder.add_link(LinkEnd{0, 2}, LinkEnd{1, 5});
  builder.add_link(LinkEnd{1, 2}, LinkEnd{0, 1});
  builder.add_link(LinkEnd{1, 3}, LinkEnd{0, 6});
  const NetworkGraph graph = builder.build();
  EXPECT_EQ(partner_of(graph, {0, 0}), (LinkEnd{1, 3})) << "the first without a partner by its port";
  EXPECT_EQ(partner_of(graph, {0, 1}), (LinkEnd{1, 2})) << "by its port";
  EXPECT_FALSE(partner_of(graph, {0, 2}).connected());
  EXPECT_EQ(cables_of(graph).size(), 3u);
}

// From an independent implementation of the draws.
TEST(Faults, AreDrawnFromTheSeed) {
  const NetworkGraph graph = mesh_of(8, 8);
  const std::vector<Cable> cables = cables_of(graph);
  EXPECT_THAT(names_of(graph, random_cables(cables, std::int64_t{4}, 1)),
              ElementsAre("r04_c06_east", "r04_c01_south", "r03_c02_east", "r01_c01_south"));
  std::vector<std::size_t> by_rate;
  for (const std::uint64_t seed : {1u, 2u, 3u}) by_rate.push_back(random_cables(cables, 0.05, seed).size());
  EXPECT_THAT(by_rate, ElementsAre(7u, 5u, 5u));
  EXPECT_THAT(random_routers(graph, std::int64_t{6}, 1), ElementsAre(20, 32, 21, 9, 31, 19));
  EXPECT_EQ(random_cables(cables, 1.0, 1).size(), 112u);
  EXPECT_THAT(random_routers(graph, 0.0, 1), IsEmpty());
  EXPECT_EQ(random_routers(graph, 1.0, 1).size(), 64u);
}

TEST(Faults, CorruptCrossingsByNodePortAndStep) {
  const NetworkGraph graph = mesh_of(8, 8);
  LinkErrors::Rules rules;
  rules.probability = 0.001;
  const LinkErrors at_random(rules);
  std::vector<std::string> corrupt;
  for (Step step = 0; step < 12; ++step)
    for (NodeId node = 0; node < graph.nodes(); ++node)
      for (const Port port : graph.out_ports(node))
        if (at_random.corrupts(node, port, step))
          corrupt.push_back(graph.link_name(node, port).substr(5) + " in " + std::to_string(step));
  EXPECT_THAT(corrupt, ElementsAre("r07_c06_west in 6", "r01_c04_east in 8"));

  rules.probability = 0;
  EXPECT_FALSE(LinkErrors(rules).any());
  rules.at = {{{3, 1}, 7}};
  const LinkErrors named(rules);
  EXPECT_TRUE(named.any());
  EXPECT_TRUE(named.corrupts(3, 1, 7));
  EXPECT_FALSE(named.corrupts(3, 1, 8));
  EXPECT_FALSE(named.corrupts(3, 2, 7));
  EXPECT_FALSE(named.corrupts(4, 1, 7));
  rules.probability = 1;
  EXPECT_TRUE(LinkErrors(rules).corrupts(0, 0, 0));
}

TEST(Faults, CorruptAFlitWithAnyOfItsBits) {
  EXPECT_EQ(any_of_bits(0, 128), 0);
  EXPECT_EQ(any_of_bits(1, 1), 1);
  EXPECT_DOUBLE_EQ(any_of_bits(0.5, 3), 0.875);
  EXPECT_NEAR(any_of_bits(1e-6, 128), 1.27992e-4, 1e-8);
}

TEST(Faults, OfMoreCablesContainThoseOfFewer) {
  const NetworkGraph graph = mesh_of(4, 4);
  const std::vector<Cable> cables = cables_of(graph);
  const std::vector<std::string> all = names_of(graph, random_cables(cables, std::int64_t{24}, 5));
  for (std::int64_t count = 0; count <= 24; ++count) {
    const std::vector<std::string> some = names_of(graph, random_cables(cables, count, 5));
    EXPECT_EQ(some, (std::vector<std::string>{all.begin(), all.begin() + count}));
  }
}

TEST(Faults, OfARouterAreItsProcessorAndAllItsLinks) {
  const NetworkGraph graph = mesh_of(8, 8);
  Faults faults(graph);
  faults.kill_router(27);
  EXPECT_EQ(faults.links(), 8);
  EXPECT_EQ(faults.cables(), 4);
  EXPECT_EQ(faults.routers(), 1);
  EXPECT_EQ(faults.processors(), 63);
  EXPECT_TRUE(faults.node_is_dead(27));
  const NetworkGraph left = faults.left();
  EXPECT_EQ(left.links(), graph.links() - 8);
  EXPECT_TRUE(left.out_ports(27).empty());
  EXPECT_TRUE(left.in_ports(27).empty());
  EXPECT_EQ(left.distance(26, 28), 4) << "round the dead router";
  EXPECT_EQ(left.distance(26, 27), -1);
  EXPECT_EQ(left.link_name(0, 1), graph.link_name(0, 1));
  EXPECT_EQ(parts_of(faults, left).count, 1) << "dead nodes belong to no part";
  left.verify();
}

TEST(Faults, OfOneDirectionLeaveTheOtherAlive) {
  const NetworkGraph graph = mesh_of(8, 8);
  Faults faults(graph);
  faults.kill_link({27, 1});
  EXPECT_EQ(faults.links(), 1);
  EXPECT_EQ(faults.cables(), 0);
  EXPECT_EQ(faults.left().distance(27, 28), 3);
  EXPECT_EQ(faults.left().distance(28, 27), 1);
  EXPECT_EQ(faults.left_both_ways().distance(28, 27), 3);
  faults.kill_link({27, 1});
  EXPECT_EQ(faults.links(), 1) << "a link dies once";
}

// Two terminals at a switch that has another one behind it.
TEST(Faults, OfALinkOfATerminalKillItsProcessor) {
  const NetworkGraph graph = of_roles("pppss", both_ways({{0, 3}, {1, 3}, {2, 4}, {3, 4}}));
  Faults faults(graph);
  faults.kill_link({0, 0});
  EXPECT_TRUE(faults.processor_is_dead(0));
  EXPECT_TRUE(faults.node_is_dead(0));
  EXPECT_FALSE(faults.router_is_dead(0));
  const NetworkGraph left = faults.left();
  EXPECT_TRUE(left.is_terminal(0)) << "it still has no router";
  EXPECT_EQ(parts_of(faults, left).count, 1);
  faults.kill_router(4);
  EXPECT_TRUE(faults.processor_is_dead(2)) << "its switch is dead";
  EXPECT_EQ(faults.processors(), 1);
}

TEST(Faults, LeaveAProcessorThatHasOneLinkMoreARouter) {
  const NetworkGraph graph = of_roles("ppss", both_ways({{0, 2}, {0, 3}, {1, 2}, {2, 3}}));
  EXPECT_FALSE(graph.is_terminal(0));
  Faults faults(graph);
  faults.kill_cable(cables_of(graph)[0]);
  EXPECT_FALSE(faults.processor_is_dead(0));
  EXPECT_FALSE(faults.left().is_terminal(0));
}

TEST(Faults, AreAliveAfterAsManyRepairsAsDeaths) {
  const NetworkGraph graph = of_roles("pppss", both_ways({{0, 3}, {1, 3}, {2, 4}, {3, 4}}));
  Faults faults(graph);
  const Cable cable{{0, 0}, partner_of(graph, {0, 0})};
  faults.kill_cable(cable);
  faults.kill_router(3);
  faults.repair_cable(cable);
  EXPECT_TRUE(faults.cable_is_dead(cable)) << "its router is dead";
  EXPECT_TRUE(faults.processor_is_dead(0));
  faults.repair_router(3);
  EXPECT_EQ(faults.links(), 0);
  EXPECT_EQ(faults.cables(), 0);
  EXPECT_EQ(faults.routers(), 0);
  EXPECT_EQ(faults.processors(), 3);
}

Cable cable_of(const NetworkGraph& graph, LinkEnd link) { return {link, partner_of(graph, link)}; }

TEST(FaultTimelines, ListEveryDeathAndRepairOnce) {
  const NetworkGraph graph = mesh_of(2, 2);  // ports N E S W, 4: processor
  const Cable east = cable_of(graph, {0, 1});
  const FaultTimeline timeline(Faults(graph), {{Outage::Kind::cable, east, no_node, 10, 40},
                                               {Outage::Kind::router, {}, 1, 20, 30},
                                               {Outage::Kind::cable, east, no_node, 40, 50},
                                               {Outage::Kind::processor, {}, 3, 0, 30},
                                               {Outage::Kind::processor, {}, 2, 30},
                                               {Outage::Kind::link, {{2, 0}, {}}, no_node, 0}});
  EXPECT_TRUE(timeline.start().processor_is_dead(3));
  EXPECT_TRUE(timeline.start().link_is_dead(2, 0));
  EXPECT_EQ(timeline.start().links(), 1);
  EXPECT_EQ(timeline.fewest_processors(), 2);
  EXPECT_EQ(timeline.events(), (std::vector<FaultEvent>{{10, true, 0, 1},
                                                        {10, true, 1, 3},
                                                        {20, true, 1, no_port},
                                                        {20, true, 1, 2},
                                                        {20, true, 1, 4},
                                                        {20, true, 3, 0},
                                                        {30, false, 1, no_port},
                                                        {30, false, 1, 2},
                                                        {30, false, 1, 4},
                                                        {30, false, 3, 0},
                                                        {30, false, 3, 4},
                                                        {30, true, 2, 4},
                                                        {50, false, 0, 1},
                                                        {50, false, 1, 3}}))
      << "the cable dies again in the step of its repair, and goes on being dead";
}

// Against the hardware that all outages of a step kill, counted anew in every step.
TEST(FaultTimelines, HaveTheHardwareOfTheOutagesOfEachStep) {
  const NetworkGraph graph = of_roles("ppppss", both_ways({{0, 4}, {1, 4}, {2, 5}, {4, 5}, {3, 5}, {3, 4}}));
  const std::vector<Cable> cables = cables_of(graph);
  std::int64_t events = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RandomStream dice(seed, Purpose::faults, 0, 0);
    std::vector<Outage> outages;
    for (int i = 0; i < 8; ++i) {
      Outage outage;
      outage.kind = static_cast<Outage::Kind>(dice.bounded(4));
      if (outage.kind == Outage::Kind::router || outage.kind == Outage::Kind::processor)
        outage.node = static_cast<NodeId>(dice.bounded(outage.kind == Outage::Kind::router ? 6 : 4));
      else outage.cable = cables[dice.bounded(static_cast<std::uint32_t>(cables.size()))];
      outage.at = dice.bounded(12);
      if (dice.bounded(4) > 0) outage.until = outage.at + 1 + dice.bounded(12);
      outages.push_back(outage);
    }
    const FaultTimeline timeline(Faults(graph), outages);
    LivingHardware hardware(timeline.start());
    const std::vector<DeadTime> times = dead_times(timeline.start(), timeline.events());
    const auto is_dead = [&times](NodeId node, Port port, Step step) {
      return std::count_if(times.begin(), times.end(), [&](const DeadTime& time) {
               return time.node == node && time.port == port && time.from <= step &&
                      (time.until == no_step || step < time.until);
             }) == 1;
    };
    std::size_t next = 0;
    for (Step step = 0; step < 30; ++step) {
      for (; next < timeline.events().size() && timeline.events()[next].step == step; ++next)
        hardware.apply(timeline.events()[next]);
      std::vector<Outage> active;
      for (Outage outage : outages)
        if (outage.at <= step && (outage.until == no_step || step < outage.until)) {
          outage.at = 0;
          active.push_back(outage);
        }
      const Faults expected = FaultTimeline(Faults(graph), active).start();
      for (NodeId node = 0; node < graph.nodes(); ++node) {
        ASSERT_EQ(hardware.router_is_dead(node), expected.router_is_dead(node)) << seed << ' ' << step << ' ' << node;
        ASSERT_EQ(hardware.processor_is_dead(node), expected.processor_is_dead(node))
            << seed << ' ' << step << ' ' << node;
        ASSERT_EQ(is_dead(node, no_port, step), expected.router_is_dead(node)) << seed << ' ' << step << ' ' << node;
        ASSERT_EQ(is_dead(node, graph.ports(), step), expected.processor_is_dead(node))
            << seed << ' ' << step << ' ' << node;
        for (const Port port : graph.out_ports(node))
          ASSERT_EQ(hardware.way_is_dead(node, port), expected.link_is_dead(node, port))
              << seed << ' ' << step << ' ' << node << ' ' << port;
        for (const Port port : graph.out_ports(node))
          ASSERT_EQ(is_dead(node, port, step), expected.link_is_dead(node, port)) << seed << ' ' << step << ' ' << node;
      }
    }
    EXPECT_EQ(next, timeline.events().size());
    events += static_cast<std::int64_t>(next);
  }
  EXPECT_GT(events, 500);
}

/// The keys and texts of the errors of these faults.
std::vector<std::string> errors_of(const FaultKeys& keys) {
  try {
    faults_of(mesh_of(2, 2), keys, 1, 1);
  } catch (const ConfigError& error) {
    std::vector<std::string> texts;
    for (const auto& [key, text] : error.diagnostics()) texts.push_back(key + ": " + text);
    return texts;
  }
  return {};
}

DeadItem dead_item(const std::string& name, Step at, Step until = no_step) {
  DeadItem item;
  item.name = name;
  item.at = at;
  item.until = until;
  return item;
}

TEST(FaultKeys, NameTheSameThingAtDifferentTimes) {
  FaultKeys keys;
  keys.dead = {dead_item("link_r00_c00_east", 5, 10), dead_item("link_r00_c01_west", 10, 12),
               dead_item("link_r00_c00_east", 0, 5)};
  const FaultTimeline timeline = faults_of(mesh_of(2, 2), keys, 1, 1);
  EXPECT_TRUE(timeline.start().link_is_dead(0, 1));
  EXPECT_EQ(timeline.events(), (std::vector<FaultEvent>{{12, false, 0, 1}, {12, false, 1, 3}}));
}

TEST(FaultKeys, RefuseTimesThatOverlapOrEndBeforeTheyBegin) {
  FaultKeys keys;
  keys.dead = {dead_item("link_r00_c00_east", 5, 10), dead_item("link_r00_c01_west", 9), dead_item("3", 7, 7),
               dead_item("2", 0)};
  keys.cables = 1;
  keys.at = 8;
  keys.until = 3;
  EXPECT_THAT(errors_of(keys),
              ElementsAre("dead.1: the cable of link_r00_c00_east is dead already at the same time, by faults.dead.0; "
                          "leave one out",
                          "dead.2: it is repaired in step 7, but dies in step 7; until is greater than at",
                          "random: it is repaired in step 3, but dies in step 8; until is greater than at"));
  FaultKeys all;
  all.dead = {dead_item("0", 5), dead_item("1", 6), dead_item("2", 7, 9), dead_item("3", 8, 10)};
  EXPECT_THAT(errors_of(all), ElementsAre(": no processor is left alive; leave some of the faults out"));
  all.dead[3].at = 9;
  EXPECT_THAT(errors_of(all), IsEmpty());
}

TEST(FaultKeys, DrawCablesThatDieLater) {
  FaultKeys keys;
  keys.cables = 2;
  keys.at = 100;
  const FaultTimeline timeline = faults_of(mesh_of(8, 8), keys, 1, 1);
  EXPECT_EQ(timeline.start().links(), 0);
  ASSERT_EQ(timeline.events().size(), 4u);
  for (const FaultEvent& event : timeline.events()) EXPECT_EQ(event.step, 100);
}

TEST(Parts, AreNodesThatReachOneAnother) {
  const NetworkGraph graph = mesh_of(1, 4);
  Faults faults(graph);
  faults.kill_link({1, 1});
  const NetworkGraph left = faults.left();
  const Parts parts = parts_of(faults, left);
  EXPECT_EQ(parts.count, 2) << "a link that leads back only joins no parts";
  EXPECT_THAT(parts.of_node, ElementsAre(0, 0, 1, 1));
}

/// The number of sets of `count` dead cables that leave a network in one part.
std::int64_t connected_sets(const NetworkGraph& graph, std::size_t count) {
  const std::vector<Cable> cables = cables_of(graph);
  std::vector<bool> dead(cables.size(), false);
  std::fill(dead.end() - static_cast<std::ptrdiff_t>(count), dead.end(), true);
  std::int64_t connected = 0;
  do {
    Faults faults(graph);
    for (std::size_t i = 0; i < cables.size(); ++i)
      if (dead[i]) faults.kill_cable(cables[i]);
    connected += parts_of(faults, faults.left()).count == 1 ? 1 : 0;
  } while (std::next_permutation(dead.begin(), dead.end()));
  return connected;
}

TEST(Parts, OfAllSetsOfCables) {
  EXPECT_EQ(connected_sets(mesh_of(8, 8), 2), 6216 - 4) << "a corner has two cables";
  EXPECT_EQ(connected_sets(mesh_of(4, 4), 2), 272);
  EXPECT_EQ(connected_sets(mesh_of(4, 4), 4), 9358);
  EXPECT_EQ(connected_sets(mesh_of(4, 4), 6), 83956);
}

TEST(Parts, AreNotJoinedByHosts) {
  const NetworkGraph graph = of_roles("pphh", both_ways({{0, 2}, {1, 2}, {0, 1}, {1, 3}}));
  Faults faults(graph);
  faults.kill_cable({{0, 1}, {1, 1}});
  EXPECT_THAT(parts_of(faults, faults.left()).of_node, ElementsAre(0, 1, 0, 1));
}

// Two triangles with a cable between them, and a host at each end of another one.
TEST(Bridges, JoinTwoPartsAlone) {
  const NetworkGraph graph =
      of_roles("pppppphh", both_ways({{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {5, 3}, {0, 6}, {5, 6}, {1, 7}}));
  std::vector<std::pair<NodeId, NodeId>> ends;
  for (const Cable& bridge : bridges_of(graph)) ends.emplace_back(bridge.lower.node, bridge.upper.node);
  EXPECT_THAT(ends, ElementsAre(testing::Pair(1, 7), testing::Pair(2, 3)));
  EXPECT_THAT(bridges_of(mesh_of(8, 8)), IsEmpty());
  EXPECT_EQ(bridges_of(mesh_of(1, 4)).size(), 3u);
}

// Each bridge of a random network is one whose loss leaves more parts, and no other cable is.
TEST(Bridges, AreFoundByRemovingEachCable) {
  const NetworkGraph graph = mesh_of(5, 5);
  const std::vector<Cable> cables = cables_of(graph);
  std::size_t bridges = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Faults faults(graph);
    for (const Cable& cable : random_cables(cables, std::int64_t{14}, seed)) faults.kill_cable(cable);
    const NetworkGraph left = faults.left();
    std::vector<std::string> expected;
    for (const Cable& cable : cables_of(left)) {
      Faults more = faults;
      more.kill_cable(cable);
      if (parts_of(more, more.left()).count > parts_of(faults, left).count)
        expected.push_back(names_of(graph, {cable}).front());
    }
    EXPECT_EQ(names_of(graph, bridges_of(left)), expected) << seed;
    bridges += expected.size();
  }
  EXPECT_GT(bridges, 40u);
}

/// The steps in which routing functions change at the earliest.
std::vector<Step> due_steps(const FaultTimeline& timeline, const RerouteRules& rules) {
  std::vector<Step> steps;
  for (const Reroute& reroute : reroutes_of(timeline.start(), timeline.events(), rules)) steps.push_back(reroute.due);
  return steps;
}

TEST(Reroutings, AreDueAfterEachStepWithEvents) {
  const NetworkGraph& row = network_of(Grid::mesh({1, 6})).graph;
  const Cable first{{0, 1}, {1, 3}}, last{{4, 1}, {5, 3}};
  const FaultTimeline timeline(Faults(row), {{Outage::Kind::cable, first, no_node, 10, 30},
                                             {Outage::Kind::cable, last, no_node, 10, 40},
                                             {Outage::Kind::router, {}, 2, 50}});
  EXPECT_THAT(due_steps(timeline, {7, false, Transition::keep}), testing::ElementsAre(17, 37, 47, 57));
  const std::vector<Reroute> reroutes = reroutes_of(timeline.start(), timeline.events(), {});
  const auto dead_links = [&](std::size_t i) { return reroutes[i].faults.links(); };
  EXPECT_EQ(dead_links(0), 4);
  EXPECT_EQ(dead_links(1), 2);
  EXPECT_EQ(dead_links(2), 0);
  EXPECT_EQ(dead_links(3), 4);
  EXPECT_TRUE(reroutes[3].faults.router_is_dead(2));
  EXPECT_TRUE(reroutes[3].faults.processor_is_dead(2));
}

TEST(Reroutings, AreDueWhenAFloodHasComeToAllNodes) {
  const NetworkGraph& row = network_of(Grid::mesh({1, 6})).graph;
  const auto due = [&](const Outage& outage) {
    return due_steps(FaultTimeline(Faults(row), {outage}), {0, true, Transition::drain});
  };
  // Node 0 is alone; from node 1, four links lead to node 5. After the repair, five lead from node 0.
  EXPECT_THAT(due({Outage::Kind::cable, {{0, 1}, {1, 3}}, no_node, 10, 30}), testing::ElementsAre(14, 35));
  EXPECT_THAT(due({Outage::Kind::router, {}, 2, 10}), testing::ElementsAre(12));
  EXPECT_THAT(due({Outage::Kind::processor, {}, 4, 10}), testing::ElementsAre(14));
}

TEST(Reroutings, KeepDeadChannels) {
  const NetworkGraph& row = network_of(Grid::mesh({1, 6})).graph;
  Faults start(row);
  start.kill_channel({3, 1}, 1);
  start.remove_places({2, 1}, 0, 3);
  const FaultTimeline timeline(start, {{Outage::Kind::processor, {}, 4, 10}});
  const Faults later = reroutes_of(timeline.start(), timeline.events(), {}).front().faults;
  EXPECT_TRUE(later.channel_is_dead(3, 1, 1));
  EXPECT_EQ(later.dead_places(2, 1, 0), 3);
}

}  // namespace
}  // namespace starloom
