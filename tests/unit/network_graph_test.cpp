// SPDX-License-Identifier: Apache-2.0
// The laws of network graphs: what a graph says of the links that it was given, and a sentence for each broken law.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <starloom/support/error.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include <starloom/topology/processors.hpp>
#include "support/networks.hpp"

namespace starloom {
namespace {

constexpr NodeRole processor = NodeRole::processor;
constexpr NodeRole switch_node = NodeRole::switch_node;

/// The sentence of the InputError, or "" if there is none.
std::string refusal_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

std::string refused_build(NetworkGraphBuilder& builder) {
  return refusal_of([&] { builder.build(); });
}

void join(NetworkGraphBuilder& builder, NodeId a, NodeId b) {
  builder.add_link(a, b);
  builder.add_link(b, a);
}

/// Processors named p0, p1, ..., with one-way links around.
NetworkGraphBuilder ring(NodeId nodes) {
  NetworkGraphBuilder builder;
  for (NodeId node = 0; node < nodes; ++node) builder.add_node(processor, "p" + std::to_string(node));
  for (NodeId node = 0; node < nodes; ++node) builder.add_link(node, (node + 1) % nodes);
  return builder;
}

TEST(NetworkGraph, SaysWhatTheBuilderWasTold) {
  NetworkGraphBuilder builder;
  const PortNaming hub = builder.name_ports({"left", "right"}, {"west", "middle", "east"});
  EXPECT_EQ(builder.add_node(processor, "a", PaperPosition{0, 1}), 0);
  EXPECT_EQ(builder.add_node(switch_node, "hub", PaperPosition{1.5, 1}, hub), 1);
  EXPECT_EQ(builder.add_node(processor, "node_b", PaperPosition{3, 1}), 2);
  builder.add_link({0, 3}, {1, 0}, {2, 1});
  builder.add_link({1, 0}, {0, 0});
  builder.add_link({1, 1}, {2, 1}, {1, 4});
  builder.add_link({2, 0}, {1, 2}, {5, 1});
  const NetworkGraph graph = builder.build();

  EXPECT_EQ(graph.nodes(), 3);
  EXPECT_EQ(graph.links(), 4);
  EXPECT_EQ(graph.ports(), 4) << "the greatest port number is 3";
  EXPECT_EQ(graph.link_slots(), 12U);
  EXPECT_EQ(graph.index(2, 1), 9U);
  EXPECT_EQ(graph.role(1), switch_node);
  EXPECT_EQ(node_role_names[static_cast<std::size_t>(graph.role(1))], "switch");
  EXPECT_EQ(graph.role(2), processor);
  EXPECT_EQ(graph.processors(), 2);
  EXPECT_EQ(graph.processor(1), 2);
  EXPECT_EQ(graph.processor_of(0), 0);
  EXPECT_EQ(graph.processor_of(1), -1);
  EXPECT_EQ(graph.processor_of(2), 1);

  EXPECT_EQ(ports_in(graph.out_ports(0)), (std::vector<Port>{3}));
  EXPECT_EQ(ports_in(graph.in_ports(0)), (std::vector<Port>{0}));
  EXPECT_EQ(ports_in(graph.out_ports(1)), (std::vector<Port>{0, 1}));
  EXPECT_EQ(ports_in(graph.in_ports(1)), (std::vector<Port>{0, 2}));
  EXPECT_EQ(graph.far_end(0, 3), (LinkEnd{1, 0}));
  EXPECT_EQ(graph.near_end(1, 0), (LinkEnd{0, 3}));
  EXPECT_EQ(graph.far_end(1, 1), (LinkEnd{2, 1}));
  EXPECT_EQ(graph.near_end(1, 2), (LinkEnd{2, 0}));
  EXPECT_FALSE(graph.far_end(0, 0).connected());
  EXPECT_FALSE(graph.near_end(1, 1).connected());

  EXPECT_EQ(graph.latency(0, 3), 2);
  EXPECT_EQ(graph.latency(1, 0), 1);
  EXPECT_EQ(graph.latency(2, 0), 5);
  EXPECT_EQ(graph.greatest_latency(), 5);
  EXPECT_EQ(graph.interval(1, 1), 4);
  EXPECT_EQ(graph.interval(2, 0), 1);
  EXPECT_EQ(graph.greatest_interval(), 4);

  EXPECT_EQ(graph.node_name(1), "hub");
  EXPECT_EQ(graph.out_port_name(1, 1), "right");
  EXPECT_EQ(graph.in_port_name(1, 1), "middle");
  EXPECT_EQ(graph.in_port_name(0, 3), "port3");
  EXPECT_EQ(graph.out_port_name(1, 2), "port2") << "for messages about a port that the node does not have";
  EXPECT_EQ(graph.link_name(1, 0), "link_hub_left");
  EXPECT_EQ(graph.link_name(2, 0), "link_b_port0") << "a leading node_ is left out";
  EXPECT_EQ(graph.position(1).x, 1.5);
  EXPECT_EQ(graph.position(1).y, 1);
  EXPECT_FALSE(graph.arrangement());
  EXPECT_EQ(graph.distance(0, 2), 2);
  EXPECT_EQ(graph.diameter(), 2);
  graph.verify();
}

TEST(NetworkGraph, OutlivesItsCopies) {
  NetworkGraphBuilder builder = ring(3);
  const auto copy = std::make_unique<NetworkGraph>(builder.build());
  NetworkGraph graph = *copy;
  EXPECT_EQ(refused_build(builder), "a network has at least one processor: switches alone create and consume nothing")
      << "the builder is empty";
  EXPECT_EQ(graph.distance(2, 1), 2);
  graph = ring(5).build();
  EXPECT_EQ(graph.nodes(), 5);
  EXPECT_EQ(copy->nodes(), 3);
}

TEST(NetworkGraph, OneNodeNeedsNoLink) {
  NetworkGraphBuilder builder;
  builder.add_node(processor, "alone");
  const NetworkGraph graph = builder.build();
  EXPECT_EQ(graph.links(), 0);
  EXPECT_EQ(graph.ports(), 1);
  EXPECT_TRUE(graph.out_ports(0).empty());
  EXPECT_FALSE(graph.far_end(0, 0).connected());
  EXPECT_EQ(graph.greatest_latency(), 1);
  EXPECT_EQ(graph.distance(0, 0), 0);
  EXPECT_EQ(graph.diameter(), 0);
  graph.verify();
}

TEST(NetworkGraph, LinksMayGoOneWayOnly) {
  const NetworkGraph graph = ring(5).build();
  EXPECT_EQ(graph.ports(), 1);
  EXPECT_EQ(graph.distance(0, 4), 4);
  EXPECT_EQ(graph.distance(4, 0), 1);
  EXPECT_EQ(graph.diameter(), 4);
  EXPECT_EQ(graph.distances_from(2), (std::vector<std::int32_t>{3, 4, 0, 1, 2}));
  EXPECT_EQ(graph.distances_to(2), (std::vector<std::int32_t>{2, 1, 0, 4, 3}));
  graph.verify();
}

TEST(NetworkGraph, SwitchesNeedNotReachEachOther) {
  // Up through one switch, down through the other.
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "b"}) builder.add_node(processor, name);
  for (const char* name : {"up", "down"}) builder.add_node(switch_node, name);
  for (const NodeId node : {0, 1}) {
    builder.add_link(node, 2);
    builder.add_link(3, node);
  }
  builder.add_link(2, 3);
  // A path into a switch without further links is useless, but harmless.
  const NodeId end = builder.add_node(switch_node, "end");
  builder.add_link(3, end);
  const NetworkGraph graph = builder.build();
  EXPECT_EQ(graph.distance(0, 1), 3);
  EXPECT_EQ(graph.distance(end, 0), -1);
  EXPECT_EQ(graph.distance(0, end), 3);
  EXPECT_EQ(graph.diameter(), 3) << "of processors";
  graph.verify();
}

TEST(NetworkGraph, PortsAreTakenInOrderWhereNoneIsSaid) {
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "b", "c"}) builder.add_node(processor, name);
  builder.add_link({0, 1}, {1, 0});
  builder.add_link(0, 2);  // out-port 0 is the lowest that is free
  builder.add_link(0, 1);  // out-port 2, in-port 1
  join(builder, 1, 2);
  builder.add_link(2, 0);
  const NetworkGraph graph = builder.build();
  EXPECT_EQ(graph.far_end(0, 0), (LinkEnd{2, 0}));
  EXPECT_EQ(graph.far_end(0, 1), (LinkEnd{1, 0}));
  EXPECT_EQ(graph.far_end(0, 2), (LinkEnd{1, 1}));
  EXPECT_EQ(graph.near_end(2, 1), (LinkEnd{1, 0}));
}

TEST(NetworkGraph, NodesAndLinksMayComeInAnyOrder) {
  // Tables grow in both dimensions during the calls.
  NetworkGraphBuilder builder;
  builder.add_node(processor, "p0");
  builder.add_node(processor, "p1");
  builder.add_link({0, 0}, {1, 0}, {3, 2});
  builder.add_link({1, 0}, {0, 0});
  for (NodeId node = 2; node < 20; ++node) {
    builder.add_node(processor, "p" + std::to_string(node));
    builder.add_link({node, node}, {node - 1, 31}, {node, 1});
    builder.add_link({node - 1, 31}, {node, node});
  }
  const NetworkGraph graph = builder.build();
  EXPECT_EQ(graph.ports(), 32);
  EXPECT_EQ(graph.links(), 2 + 2 * 18);
  EXPECT_EQ(graph.far_end(0, 0), (LinkEnd{1, 0}));
  EXPECT_EQ(graph.latency(0, 0), 3);
  EXPECT_EQ(graph.interval(0, 0), 2);
  for (NodeId node = 2; node < 20; ++node) {
    EXPECT_EQ(graph.far_end(node, node), (LinkEnd{node - 1, 31}));
    EXPECT_EQ(graph.latency(node, node), node);
    EXPECT_EQ(graph.interval(node, node), 1);
    EXPECT_EQ(graph.near_end(node, node), (LinkEnd{node - 1, 31}));
  }
  graph.verify();
}

TEST(NetworkGraph, EqualLatenciesNeedNoTable) {
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "b"}) builder.add_node(processor, name);
  builder.add_link(0, 1, {7, 3});
  builder.add_link(1, 0, {7, 3});
  const NetworkGraph graph = builder.build();
  EXPECT_EQ(graph.latency(0, 0), 7);
  EXPECT_EQ(graph.latency(1, 0), 7);
  EXPECT_EQ(graph.interval(1, 0), 3);
  EXPECT_EQ(graph.greatest_latency(), 7);
  EXPECT_EQ(graph.greatest_interval(), 3);
}

TEST(NetworkGraph, NodesWithoutAPlaceStandBelowTheOthers) {
  NetworkGraphBuilder builder = ring(3);
  const NetworkGraph unplaced = builder.build();
  std::set<std::pair<double, double>> positions;
  for (NodeId node = 0; node < 3; ++node) positions.emplace(unplaced.position(node).x, unplaced.position(node).y);
  EXPECT_EQ(positions, (std::set<std::pair<double, double>>{{0, 0}, {1, 0}, {0, 1}}));

  NetworkGraphBuilder mixed;
  mixed.add_node(processor, "a");
  mixed.add_node(processor, "b", PaperPosition{-2, -5});
  mixed.add_node(processor, "c", PaperPosition{4, -3});
  mixed.add_node(processor, "d");
  for (NodeId node = 1; node < 4; ++node) join(mixed, 0, node);
  const NetworkGraph graph = mixed.build();
  EXPECT_EQ(graph.position(0).x, -2);
  EXPECT_EQ(graph.position(0).y, -2);
  EXPECT_EQ(graph.position(3).x, -1);
  EXPECT_EQ(graph.position(3).y, -2);
}

TEST(NetworkGraph, ManyLeavesWithoutAPlaceAreInARing) {
  for (const int leaves : {8, 9, 96}) {
    NetworkGraphBuilder builder;
    const NodeId hub = builder.add_node(NodeRole::switch_node, "hub"), other = builder.add_node(processor, "other");
    join(builder, hub, other);
    join(builder, other, builder.add_node(processor, "further"));
    for (int leaf = 0; leaf < leaves; ++leaf)
      join(builder, hub, builder.add_node(processor, "leaf" + std::to_string(leaf)));
    const NetworkGraph graph = builder.build();
    const auto distance = [&](NodeId a, NodeId b) {
      return std::hypot(graph.position(a).x - graph.position(b).x, graph.position(a).y - graph.position(b).y);
    };
    double nearest = 1e9, least = 1e9, greatest = 0;
    for (NodeId a = 0; a < graph.nodes(); ++a)
      for (NodeId b = 0; b < a; ++b) nearest = std::min(nearest, distance(a, b));
    for (NodeId leaf = 3; leaf < graph.nodes(); ++leaf) {
      least = std::min(least, distance(hub, leaf));
      greatest = std::max(greatest, distance(hub, leaf));
    }
    EXPECT_GT(nearest, 0.95) << leaves << " leaves";
    if (leaves == 8) {
      EXPECT_GT(greatest, least + 1) << "8 leaves are in rows";
    } else {
      EXPECT_NEAR(least, greatest, 0.05) << leaves << " leaves";
    }
  }
}

TEST(NetworkGraph, DistancesOfALargeGraphFitTheirMemory) {
  // More nodes than rows of distances are kept: asked for twice, in an order that makes rows come and go.
  const NodeId nodes = 6000;
  const NetworkGraph graph = ring(nodes).build();
  ASSERT_GT(std::size_t{4} * nodes * nodes, DistanceRows::most_bytes);
  for (int round = 0; round < 2; ++round)
    for (NodeId from = 0; from < nodes; ++from) ASSERT_EQ(graph.distance(from, 17), (17 - from + nodes) % nodes);
}

// -- Broken laws --

TEST(NetworkGraph, RefusesBadNames) {
  NetworkGraphBuilder builder;
  const auto named = [&](const char* name) { return refusal_of([&] { builder.add_node(processor, name); }); };
  EXPECT_EQ(named("3x"),
            "node 0: its name '3x' is not made of letters, digits and _ with no digit first; node_3x would do");
  EXPECT_EQ(named("core-1"),
            "node 0: its name 'core-1' is not made of letters, digits and _ with no digit first; core_1 would do");
  EXPECT_EQ(named(""), "node 0: its name '' is not made of letters, digits and _ with no digit first; node_ would do");
  EXPECT_EQ(named("a\nb"),
            "node 0: its name 'a\\x0ab' is not made of letters, digits and _ with no digit first; a_b would do");
  EXPECT_EQ(named("a\xc3\xa9"),
            "node 0: its name 'a\xc3\xa9' is not made of letters, digits and _ with no digit "
            "first; a__ would do");
  builder.add_node(processor, "fabric");
  EXPECT_EQ(refused_build(builder),
            "node 0 (fabric): the netlist and its waves have the name fabric already; name it node_fabric");

  NetworkGraphBuilder link;
  link.add_node(processor, "link_a");
  EXPECT_EQ(refused_build(link), "node 0 (link_a): names that begin with link_ are those of links; leave it out");
}

TEST(NetworkGraph, RefusesNamesTwice) {
  NetworkGraphBuilder builder = ring(3);
  builder.add_node(processor, "p1");
  join(builder, 0, 3);
  EXPECT_EQ(refused_build(builder), "nodes 1 and 3 are both named p1; names must be unique");

  NetworkGraphBuilder prefixed;
  prefixed.add_node(processor, "node_a");
  prefixed.add_node(processor, "a");
  join(prefixed, 0, 1);
  EXPECT_EQ(refused_build(prefixed),
            "node 0 (node_a) and node 1 (a) would give their links the same names (without the leading node_); rename "
            "one of them");
}

TEST(NetworkGraph, RefusesLinksOfOneName) {
  // link_a_b_c is the link through b_c of a, and that through c of a_b.
  const auto names = [](const char* out_of_a, const char* between) {
    NetworkGraphBuilder builder;
    const PortNaming of_a = builder.name_ports({out_of_a}), of_b = builder.name_ports({"c"});
    builder.add_node(processor, "node_a", std::nullopt, of_a);
    builder.add_node(processor, "a_b", std::nullopt, of_b);
    builder.add_node(processor, between);
    builder.add_link(0, 2);
    builder.add_link(2, 1);
    builder.add_link(1, 0);
    return refused_build(builder);
  };
  const std::string text =
      "the links through out-port 0 (b_c) of node 0 (node_a) and through out-port 0 (c) of node 1 (a_b) would both be "
      "named link_a_b_c; rename a node or a port";
  EXPECT_EQ(names("b_c", "x"), text);
  EXPECT_EQ(names("b_c", "a_a"), text) << "a name between them in the alphabet";
  EXPECT_EQ(names("b_d", "x"), "");
  EXPECT_EQ(names("bc", "ab"), "");
}

TEST(NetworkGraph, RefusesEveryNameTwiceAndNothingElse) {
  // Short names of few letters, so that they meet often; all of them written out are the judge.
  std::mt19937 random(1);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  const auto name = [&] {
    std::string text;
    for (std::size_t length = 1 + below(5); length > 0; --length) text += "ab__"[below(4)];
    return text;
  };
  int refused = 0;
  constexpr int rounds = 4000;
  for (int round = 0; round < rounds; ++round) {
    NetworkGraphBuilder builder;
    std::set<std::string> names;
    bool twice = false;
    const auto nodes = static_cast<NodeId>(2 + below(5));
    std::vector<std::string> node_names, port_names;
    for (NodeId node = 0; node < nodes; ++node) {
      node_names.push_back(name());
      port_names.push_back(name());
      builder.add_node(processor, node_names.back(), std::nullopt, builder.name_ports({port_names.back()}));
      twice = !names.insert(node_names.back()).second || twice;
      twice = !names.insert("link_" + node_names.back() + "_" + port_names.back()).second || twice;
    }
    for (NodeId node = 0; node < nodes; ++node) builder.add_link(node, (node + 1) % nodes);
    ASSERT_EQ(!refused_build(builder).empty(), twice) << "round " << round;
    refused += twice ? 1 : 0;
  }
  EXPECT_GT(refused, rounds / 20);
  EXPECT_LT(refused, rounds - rounds / 20);
}

TEST(NetworkGraph, RefusesBadPortNames) {
  const auto named = [](std::vector<std::string> out, std::vector<std::string> in) {
    NetworkGraphBuilder builder;
    builder.add_node(processor, "a");
    builder.add_node(processor, "b", std::nullopt, builder.name_ports(std::move(out), std::move(in)));
    join(builder, 0, 1);
    return refused_build(builder);
  };
  EXPECT_EQ(named({"x", "y", "x"}, {"x"}), "node 1 (b): out-ports 0 and 2 are both named x; names must be unique");
  EXPECT_EQ(named({"x"}, {"x", "x"}), "node 1 (b): in-ports 0 and 1 are both named x; names must be unique");
  EXPECT_EQ(named({"x"}, {"y", "1"}),
            "node 1 (b): the name of in-port 1, '1', is not made of letters, digits and _ with no digit first");
  EXPECT_EQ(named({"x"}, {"x"}), "");
  NetworkGraphBuilder unused;
  unused.name_ports({"-", "-"});
  unused.add_node(processor, "a");
  EXPECT_EQ(refused_build(unused), "") << "names that no node has";
}

TEST(NetworkGraph, HasLatenciesOfUpTo65535Steps) {
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "b"}) builder.add_node(processor, name);
  builder.add_link(0, 1, {65535});
  EXPECT_EQ(
      refusal_of([&] { builder.add_link(1, 0, {65536}); }),
      "the link from out-port 0 of node 1 (b) has a latency of 65536 steps, those of all its phits and cycles of a "
      "slower clock included; the maximum is 65535");
  EXPECT_EQ(builder.build().greatest_latency(), 65535);
}

TEST(NetworkGraph, HasAsManyPortsAsItsLinksNeed) {
  for (NodeId links = 1; links <= 70; links += 3) {
    NetworkGraphBuilder builder;
    for (NodeId node = 0; node <= links; ++node) builder.add_node(processor, "p" + std::to_string(node));
    for (NodeId node = 1; node <= links; ++node) builder.add_link(0, node, {1 + node % 5});
    for (NodeId node = 1; node <= links; ++node) builder.add_link({node, node % 4}, {0, links - node});
    const NetworkGraph graph = builder.build();
    EXPECT_EQ(graph.ports(), std::max(links, std::min(links + 1, 4)));
    for (NodeId node = 1; node <= links; ++node) {
      EXPECT_EQ(graph.far_end(0, node - 1).node, node);
      EXPECT_EQ(graph.latency(0, node - 1), 1 + node % 5);
      EXPECT_EQ(graph.near_end(0, links - node).node, node);
    }
    graph.verify();
  }
}

TEST(NetworkGraph, RefusesMoreThan1024Ports) {
  NetworkGraphBuilder builder;
  const PortNaming many = builder.name_ports(std::vector<std::string>(1025, "x"));
  EXPECT_EQ(refusal_of([&] { builder.add_node(processor, "a", std::nullopt, many); }),
            "node 0 (a) has 1025 ports, but a node has at most 1024 on a side; spread its links over several switches");
  builder.add_node(processor, "centre");
  for (NodeId node = 1; node <= 1025; ++node) builder.add_node(processor, "p" + std::to_string(node));
  for (NodeId node = 1; node <= 1024; ++node) builder.add_link(0, node);
  EXPECT_EQ(refusal_of([&] { builder.add_link(0, 1025); }),
            "node 0 (centre) cannot have another link: all its 1024 out-ports are in use; spread its links over "
            "several nodes");
  EXPECT_EQ(refusal_of([&] {
              builder.add_link({1, 1024}, {2, 1});
            }),
            "a link from out-port 1024 of node 1 (p1), which does not exist; its out-ports are 0 to 1023");
}

TEST(NetworkGraph, Has32NamedPorts) {
  NetworkGraphBuilder builder;
  std::vector<std::string> names;
  for (int port = 0; port < 32; ++port) names.push_back("to_" + std::to_string(port));
  builder.add_node(processor, "centre", std::nullopt, builder.name_ports(names));
  for (NodeId node = 1; node <= 32; ++node) {
    builder.add_node(processor, "p" + std::to_string(node));
    builder.add_link(0, node);
    builder.add_link(node, 0);
  }
  const NetworkGraph graph = builder.build();
  EXPECT_EQ(graph.link_name(0, 31), "link_centre_to_31");
  EXPECT_EQ(graph.far_end(0, 31).node, 32);
}

TEST(NetworkGraph, RefusesEndsThatDoNotExist) {
  NetworkGraphBuilder builder;
  const auto linked = [&](LinkEnd from, LinkEnd to) { return refusal_of([&] { builder.add_link(from, to); }); };
  EXPECT_EQ(linked({0, 0}, {1, 0}), "a link from node 0, which does not exist; no node is defined");
  const PortNaming two = builder.name_ports({"east", "west"}, {"only"});
  builder.add_node(processor, "a", std::nullopt, two);
  builder.add_node(processor, "b", std::nullopt, two);
  builder.add_node(processor, "c", std::nullopt, builder.name_ports({"x"}, {}));
  EXPECT_EQ(linked({3, 0}, {1, 0}), "a link from node 3, which does not exist; the nodes are 0 to 2");
  EXPECT_EQ(linked({-1, 0}, {1, 0}), "a link from node -1, which does not exist; the nodes are 0 to 2");
  EXPECT_EQ(
      linked({0, 1}, {7, 0}),
      "the link from out-port 1 (west) of node 0 (a) leads to node 7, which does not exist; the nodes are 0 to 2");
  EXPECT_EQ(linked({0, 2}, {1, 0}),
            "a link from out-port 2 of node 0 (a), which does not exist; its out-ports are 0 to 1");
  EXPECT_EQ(linked({0, -1}, {1, 0}),
            "a link from out-port -1 of node 0 (a), which does not exist; its out-ports are 0 to 1");
  EXPECT_EQ(linked({0, 0}, {1, 1}),
            "the link from out-port 0 (east) of node 0 (a) leads to in-port 1 of node 1 (b), which does not exist; its "
            "only in-port is 0");
  EXPECT_EQ(linked({0, 0}, {2, 0}),
            "the link from out-port 0 (east) of node 0 (a) leads to in-port 0 of node 2 (c), which does not exist; the "
            "node has no in-ports");
  EXPECT_EQ(refusal_of([&] { builder.add_link(5, 0); }),
            "a link from node 5, which does not exist; the nodes are 0 to 2");
}

TEST(NetworkGraph, RefusesPortsTwice) {
  NetworkGraphBuilder builder;
  const PortNaming two = builder.name_ports({"east", "west"});
  for (const char* name : {"a", "b", "c"}) builder.add_node(processor, name, std::nullopt, two);
  builder.add_link({0, 0}, {1, 1});
  const auto linked = [&](LinkEnd from, LinkEnd to) { return refusal_of([&] { builder.add_link(from, to); }); };
  EXPECT_EQ(linked({0, 0}, {2, 0}),
            "out-port 0 (east) of node 0 (a) already has a link to in-port 1 (west) of node 1 (b); out-port 1 is free");
  EXPECT_EQ(linked({2, 0}, {1, 1}),
            "the link from out-port 0 (east) of node 2 (c) enters in-port 1 (west) of node 1 (b), where one from "
            "out-port 0 (east) of node 0 (a) already enters; in-port 0 is free");
  builder.add_link({0, 1}, {1, 0});
  EXPECT_EQ(linked({2, 0}, {1, 0}),
            "the link from out-port 0 (east) of node 2 (c) enters in-port 0 (east) of node 1 (b), where one from "
            "out-port 1 (west) of node 0 (a) already enters; all its 2 in-ports are in use; spread its links over "
            "several nodes");
  // A refused link has left no trace.
  builder.add_link({1, 0}, {2, 0});
  builder.add_link({2, 0}, {0, 0});
  const NetworkGraph graph = builder.build();
  EXPECT_EQ(graph.links(), 4);
  EXPECT_EQ(graph.ports(), 2);
}

TEST(NetworkGraph, RefusesImpossibleLinks) {
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "b"}) builder.add_node(processor, name);
  EXPECT_EQ(refusal_of([&] {
              builder.add_link({0, 0}, {0, 1});
            }),
            "the link from out-port 0 of node 0 (a) leads back to its own node; links join two nodes");
  EXPECT_EQ(refusal_of([&] {
              builder.add_link(0, 1, {0, 1});
            }),
            "the link from out-port 0 of node 0 (a) has a latency of 0 steps; the minimum is 1");
  EXPECT_EQ(
      refusal_of([&] {
        builder.add_link(0, 1, {1, -3});
      }),
      "the link from out-port 0 of node 0 (a) has an interval of -3 steps; the minimum is 1: a flit in every step");
}

TEST(NetworkGraph, RefusesWhatIsNotConnected) {
  NetworkGraphBuilder alone = ring(3);
  alone.add_node(processor, "p3");
  EXPECT_EQ(refused_build(alone), "node 3 (p3) has no link; join it to another node, or leave it out");

  NetworkGraphBuilder switches;
  for (const char* name : {"a", "b"}) switches.add_node(processor, name);
  for (const char* name : {"s", "t"}) switches.add_node(switch_node, name);
  join(switches, 0, 1);
  join(switches, 2, 3);
  EXPECT_EQ(refused_build(switches),
            "node 2 (s), a switch, is not connected to any processor; connect it, or leave it out");

  NetworkGraphBuilder no_processor;
  no_processor.add_node(switch_node, "s");
  EXPECT_EQ(refused_build(no_processor),
            "a network has at least one processor: switches alone create and consume nothing");
}

// Parts without a link between them, and nodes without a link back.
TEST(NetworkGraph, HasPairsWithoutAPath) {
  NetworkGraphBuilder no_link_back = ring(3);
  no_link_back.add_node(processor, "p3");
  no_link_back.add_link(0, 3);
  const NetworkGraph one_way = no_link_back.build();
  EXPECT_EQ(one_way.distance(1, 3), 3);
  EXPECT_EQ(one_way.distance(3, 1), -1);
  EXPECT_EQ(one_way.diameter(), 3);
  EXPECT_EQ(processors_of({"one way", one_way, {}, "graph"}).distance(3, 1), 4) << "more than any path";

  NetworkGraphBuilder two_parts;
  for (const char* name : {"a", "b", "c", "d"}) two_parts.add_node(processor, name);
  join(two_parts, 0, 1);
  join(two_parts, 2, 3);
  const NetworkGraph parts = two_parts.build();
  EXPECT_EQ(parts.distance(0, 2), -1);
  EXPECT_EQ(parts.diameter(), 1);
  EXPECT_NO_THROW(parts.verify());
}

TEST(NetworkGraph, RefusesAnArrangementOfAnotherSize) {
  NetworkGraphBuilder builder = ring(5);
  builder.set_arrangement(Grid::torus({6}));
  EXPECT_EQ(refused_build(builder), "the grid of the processors has 6 nodes, but there are 5 processors");
}

TEST(NetworkGraph, RefusesPlacesThatAreNoNumbers) {
  NetworkGraphBuilder builder;
  EXPECT_EQ(refusal_of([&] {
              builder.add_node(processor, "a", PaperPosition{0, std::nan("")});
            }),
            "node 0 (a): its place in pictures is not a pair of finite numbers");
}

TEST(NetworkGraph, RefusesMoreLinkPlacesThanThereAreNumbers) {
  NetworkGraphBuilder builder;
  const std::string text =
      "a network has at most 2^31 - 1 ports, but 67108864 nodes of 32 ports have more; choose fewer nodes, or fewer "
      "ports per node";
  EXPECT_EQ(refusal_of([&] { builder.expect(1 << 26, 32); }), text);
}

TEST(NetworkGraph, VerifyFindsAWrongFormula) {
  NetworkGraphBuilder builder = ring(5);
  builder.set_distance([](NodeId from, NodeId to) { return from <= to ? to - from : from - to; }, 4);
  EXPECT_EQ(refusal_of([&] { builder.build().verify(); }),
            "the network contradicts itself: from p1 to p0 its formula says a distance of 1 links, a search 4");
  NetworkGraphBuilder wide = ring(5);
  wide.set_distance([](NodeId from, NodeId to) { return (to - from + 5) % 5; }, 5);
  EXPECT_EQ(refusal_of([&] { wide.build().verify(); }),
            "the network contradicts itself: its formula says a diameter of 5, but processors are 4 links apart");
  NetworkGraphBuilder large = ring(2000);
  large.set_distance([](NodeId from, NodeId to) { return (to - from + 2000) % 2000; }, 1998);
  EXPECT_EQ(refusal_of([&] { large.build().verify(); }),
            "the network contradicts itself: its formula says a diameter of 1998, but processors are 1999 links apart");
}

}  // namespace
}  // namespace starloom
