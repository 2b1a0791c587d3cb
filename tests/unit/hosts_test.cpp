// SPDX-License-Identifier: Apache-2.0
/// \file Hosts: processors that forward no packets. Which networks have paths without them, and which paths routing
/// functions take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include <starloom/routing/function_entry.hpp>
#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/routing/up_down.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topology/subnets.hpp>

#include "support/routed_networks.hpp"

namespace starloom {
namespace {

using routing::Choice;
using routing::Choices;
using routing::Head;
using routing::RoutingFunction;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr NodeId m = 4, leaf1 = 9, leaf2 = 10, spine = 11;  // of `two_racks`

std::string fault_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Nodes by their first letters: h is a host, s a switch, others are processors; pairs of them are linked in both
/// directions.
NetworkGraph joined(const std::vector<const char*>& names, const std::vector<std::pair<NodeId, NodeId>>& pairs) {
  NetworkGraphBuilder builder;
  for (const std::string name : names)
    builder.add_node(name[0] == 'h'   ? NodeRole::host
                     : name[0] == 's' ? NodeRole::switch_node
                                      : NodeRole::processor,
                     name);
  for (const auto& [a, b] : pairs) {
    builder.add_link(a, b);
    builder.add_link(b, a);
  }
  return builder.build();
}

/// The nodes of the path of a packet, by a function with fixed paths.
std::vector<NodeId> path(const RoutingFunction& function, const NetworkGraph& graph, NodeId from, NodeId to,
                         std::uint32_t random = 0) {
  std::vector<NodeId> nodes = {from};
  for (Head head{from, graph.ports(), 0, to, random}; nodes.size() <= static_cast<std::size_t>(graph.nodes());) {
    Choices choices;
    function.route(head, choices);
    const Port port = choices.begin()->port;
    if (port == graph.ports()) break;
    const LinkEnd far = graph.far_end(head.node, port);
    nodes.push_back(far.node);
    head = {far.node, far.port, 0, to, random};
  }
  return nodes;
}

TEST(Hosts, AreProcessorsWithARole) {
  const NetworkGraph& graph = two_racks().graph;
  EXPECT_EQ(graph.role(m), NodeRole::host);
  EXPECT_EQ(graph.role(0), NodeRole::processor);
  EXPECT_EQ(graph.processors(), 9);
  EXPECT_EQ(graph.processor_of(m), m);
  EXPECT_TRUE(graph.has_hosts() && graph.is_host(m) && !graph.is_host(0) && !graph.is_host(spine));
  EXPECT_FALSE(fat_tree(2, 2).graph.has_hosts());
  EXPECT_FALSE(graph.is_terminal(m)) << "it has two links, and a router";
  EXPECT_FALSE(graph.forwards(m, true) || graph.forwards(m, false));
  EXPECT_TRUE(graph.forwards(0, true) && !graph.forwards(0, false) && graph.forwards(spine, false));
  EXPECT_EQ(graph.distance_over_routers(0, 0), 2);
  EXPECT_EQ(graph.distance_over_routers(m, m), 0);

  const NetworkGraph copies = with_subnets(two_racks(), 2).graph;
  EXPECT_EQ(copies.role(m + 12), NodeRole::host);
  EXPECT_EQ(copies.role(spine + 12), NodeRole::switch_node);
}

// With one link to a switch, a host is a terminal like any processor.
TEST(Hosts, OfOneLinkAreTerminals) {
  const NetworkGraph graph = joined({"h0", "h1", "s"}, {{0, 2}, {1, 2}});
  EXPECT_TRUE(graph.is_terminal(0) && graph.is_terminal(1));
  EXPECT_EQ(graph.distance_over_routers(0, 0), 2);
}

// The way through the host is shorter, but the packets of a take the four switches.
TEST(Hosts, AreNoShortcuts) {
  const NetworkGraph graph =
      joined({"a", "b", "h", "s0", "s1", "s2", "s3"}, {{0, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 1}, {3, 2}, {2, 6}});
  EXPECT_EQ(graph.distance(0, 1), 5);
  EXPECT_EQ(graph.distance(2, 1), 2);
  EXPECT_EQ(graph.distance(0, 2), 2);
  EXPECT_EQ(graph.diameter(), 5);
  EXPECT_THAT(graph.distances_from(0), ElementsAre(0, 5, 2, 1, 2, 3, 4));
  EXPECT_THAT(graph.distances_to(0), ElementsAre(0, 5, 2, 1, 2, 3, 4));
  EXPECT_NO_THROW(graph.verify());
}

TEST(Hosts, MayHaveNothingElseBetweenThem) {
  EXPECT_EQ(planes_of_hosts(4, 2).graph.diameter(), 2) << "two planes";
  EXPECT_EQ(joined({"h0", "h1", "h2"}, {{0, 1}, {1, 2}, {2, 0}}).diameter(), 1) << "links from host to host";
  // Each pair of hosts has a plane in common, but no plane has all hosts.
  const NetworkGraph three =
      joined({"h0", "h1", "h2", "s0", "s1", "s2"}, {{0, 3}, {1, 3}, {1, 4}, {2, 4}, {2, 5}, {0, 5}});
  EXPECT_EQ(three.diameter(), 2);
}

/// The change that would give `shortest` a path between two nodes.
std::string remedy(const NetworkGraph& graph, NodeId from, NodeId to) {
  const LinkNetwork network{"parts", graph, {}, "graph"};
  const auto function = made_function("shortest", network);
  EXPECT_TRUE(function->without_path() != nullptr && function->without_path()->contains(from, to));
  return function->without_path() == nullptr ? "" : function->without_path()->remedy(from, to);
}

TEST(Hosts, DoNotConnectParts) {
  const NetworkGraph parts = joined({"a", "b", "h", "s0", "s1"}, {{0, 3}, {3, 2}, {2, 4}, {4, 1}});
  EXPECT_EQ(parts.distance(0, 1), -1);
  EXPECT_EQ(parts.distance(0, 2), 2);
  EXPECT_EQ(remedy(parts, 0, 1),
            "join the neighbours of host h, which does not forward packets, or make it a processor");
  EXPECT_THAT(remedy(joined({"h0", "h1", "h2"}, {{0, 1}, {1, 2}}), 0, 2), HasSubstr("of host h1"));
  // Without any path, hosts are not the reason.
  NetworkGraphBuilder builder;
  builder.add_node(NodeRole::host, "h0");
  builder.add_node(NodeRole::host, "h1");
  builder.add_link(0, 1);
  EXPECT_THAT(remedy(builder.build(), 1, 0), testing::StartsWith("add a link from a node that the first reaches"));
}

TEST(Hosts, AreOnNoPathOfOthers) {
  const LinkNetwork& racks = two_racks();
  for (const char* name : {"shortest", "up-down"}) {
    const auto function = made_function(name, racks);
    EXPECT_THAT(path(*function, racks.graph, 0, 5), ElementsAre(0, leaf1, spine, leaf2, 5)) << name;
    EXPECT_THAT(path(*function, racks.graph, m, 5), ElementsAre(m, leaf2, 5)) << name;
    EXPECT_THAT(path(*function, racks.graph, 5, m), ElementsAre(5, leaf2, m)) << name;
  }
}

// The router of a host sends over the link that the function chooses: here over both planes.
TEST(Hosts, SpreadTheirPacketsOverTheirLinks) {
  const LinkNetwork& planes = planes_of_hosts(4, 2);
  for (const char* name : {"shortest", "up-down"}) {
    const auto function = made_function(name, planes, 1, {{"spread", std::string("packet")}});
    std::set<NodeId> through;
    for (std::uint32_t random = 0; random < 64; ++random)
      through.insert(path(*function, planes.graph, 0, 3, random * 33'000'000u).at(1));
    EXPECT_THAT(through, ElementsAre(4, 5)) << name;
  }
}

TEST(Hosts, AreNeverRoots) {
  EXPECT_THAT(routing::chosen_roots(two_racks().graph), ElementsAre(spine));
  EXPECT_THAT(routing::chosen_roots(planes_of_hosts(4, 3).graph), ElementsAre(4, 5, 6)) << "one for each plane";
  EXPECT_THAT(routing::chosen_roots(joined({"h0", "h1"}, {{0, 1}})), ElementsAre());
  const LinkNetwork hosts_only{"hosts", joined({"h0", "h1", "h2"}, {{0, 1}, {1, 2}, {2, 0}}), {}, "graph"};
  EXPECT_THAT(path(*made_function("up-down", hosts_only), hosts_only.graph, 2, 0), ElementsAre(2, 0));
  for (const KeyValue& root :
       std::vector<KeyValue>{std::string("m"), std::vector<std::string>{"leaf1", "4"}, std::vector<std::string>{"m"}})
    EXPECT_EQ(fault_of([&] {
                made_function("up-down", two_racks(), 1, {{"root", root}});
              }),
              "m is a host, which does not forward packets; choose a switch or a processor");
}

// From a host at a spine and at a leaf, the leaf is as good a way as the spine: both links lead up.
TEST(Hosts, AreBelowAllOthers) {
  const LinkNetwork mixed{"mixed",
                          joined({"h", "a", "b", "s0", "s1", "s2"}, {{3, 4}, {3, 5}, {0, 3}, {0, 4}, {1, 4}, {2, 5}}),
                          {},
                          "graph"};
  const auto function = made_function("up-down", mixed, 1, {{"root", std::string("s0")}});
  EXPECT_THAT(path(*function, mixed.graph, 0, 1), ElementsAre(0, 4, 1));
  EXPECT_THAT(path(*function, mixed.graph, 1, 0), ElementsAre(1, 4, 0));
  EXPECT_THAT(path(*function, mixed.graph, 0, 2), ElementsAre(0, 3, 5, 2));
}

TEST(Hosts, AreRefusedInRowsOfTables) {
  const std::filesystem::path folder = testing::TempDir();
  const LinkNetwork& racks = two_racks();
  // All paths by a search, and those from leaf1 to the other rack through m.
  const auto function = made_function("shortest", racks);
  std::string rows = "node,destination,port,channels\n";
  std::size_t wrong = 0, lines = 1;
  for (NodeId node = m; node < racks.graph.nodes(); ++node)
    for (NodeId destination = 0; destination < 9; ++destination) {
      if (node == destination || (node < leaf1 && node != m)) continue;
      Choices choices;
      function->route({node, racks.graph.ports(), 0, destination}, choices);
      ++lines;
      const bool through_m = node == leaf1 && destination == 7;
      if (through_m) wrong = lines;
      rows += racks.graph.node_name(node) + "," + std::to_string(destination) + "," +
              std::to_string(through_m ? 4 : choices.begin()->port) + ",*\n";
    }
  ASSERT_EQ(racks.graph.far_end(leaf1, 4).node, m);
  std::ofstream(folder / "through_host.csv") << rows;
  for (const bool through_terminals : {false, true}) {
    const auto entries = routing::standard_functions();
    const routing::FunctionContext context{&racks, 0, 1, folder, through_terminals};
    const std::string fault = fault_of([&] {
      part_named(entries, std::string("table"))
          .make(context, KeyValues(std::map<std::string, KeyValue>{{"table", std::string("through_host.csv")}}));
    });
    EXPECT_THAT(fault, HasSubstr("through_host.csv:" + std::to_string(wrong) +
                                 ":1: this row sends packets for destination 7 to node 4, a host, which does not "
                                 "forward packets"));
  }
}

/// A user's function that takes the link of the lowest number that is on a path, through hosts too.
TEST(Hosts, AreRefusedInFunctionsOfUsers) {
  struct ThroughM final : RoutingFunction {
    void route(const Head& head, Choices& choices) const override { choices.add(head.node == leaf1 ? 4 : 0, 0, 1); }
  };
  routing::FunctionEntry entry;
  entry.name = "through-m";
  entry.make = [](const routing::FunctionContext&, const KeyValues&) { return std::make_unique<ThroughM>(); };
  const auto function = routing::checked(entry).make({&two_racks(), 0, 1}, KeyValues());
  EXPECT_THAT(fault_of([&] {
                Choices choices;
                function->route({leaf1, 0, 0, 5}, choices);
              }),
              HasSubstr("it offers port 4, which leads to m, a host, which does not forward packets"));
}

}  // namespace
}  // namespace starloom
