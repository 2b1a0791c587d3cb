// SPDX-License-Identifier: Apache-2.0
// Links with other latencies, intervals and widths: the links that a name matches, and the order of changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include <starloom/schema/config_error.hpp>
#include <starloom/topology/grid/grid_graph.hpp>
#include <starloom/topology/link_changes.hpp>
#include <starloom/topology/network_graph_builder.hpp>
#include <starloom/topology/subnets.hpp>

namespace starloom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

LinkNetwork changed_line(const std::vector<LinkChange>& changes, std::int32_t latency = 1) {
  return with_link_changes(link_network(Grid::mesh({1, 4}), latency), changes);
}

using Times = std::vector<std::int32_t>;

/// Latency, interval, phits and the latency of side wires of the link east of a node.
Times east_of(const LinkNetwork& network, NodeId node) {
  constexpr Port east = 1;
  const LinkTiming timing = network.graph.timing(node, east);
  return {timing.latency, timing.interval, timing.phits, network.graph.wire_latency(node, east)};
}

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LinkChanges, LaterOnesReplaceEarlierOnesPropertyByProperty) {
  const LinkNetwork network = changed_line(
      {{"*_east", 3, 4, {}}, {"link_r00_c01_*", {}, {}, 9}, {"link_r00_c0?_east", {}, 2, {}}, {"*c02_e*t", 1}});
  EXPECT_THAT(east_of(network, 0), ElementsAre(4, 2, 2, 3));
  EXPECT_THAT(east_of(network, 1), ElementsAre(4, 9, 2, 3));
  EXPECT_THAT(east_of(network, 2), ElementsAre(2, 2, 2, 1));
  EXPECT_EQ(network.graph.timing(1, 3).interval, 9) << "the link of node 1 to the west";
  EXPECT_EQ(network.graph.timing(3, 3).latency, 1);
  EXPECT_EQ(network.graph.greatest_latency(), 4);
  EXPECT_EQ(network.graph.greatest_interval(), 9);
  EXPECT_EQ(network.graph.greatest_wire_cycles(), 3);
  EXPECT_EQ(network.title, "mesh 1 x 4");
  EXPECT_NE(network.as<Grid>(), nullptr);
  network.graph.verify();
}

TEST(LinkChanges, WithoutWidthTheSideWiresTakeAsLongAsTheLinks) {
  EXPECT_EQ(changed_line({{"link_r00_c01_east", {}, {}, 5}}, 6).graph.greatest_wire_cycles(), 6);
  const LinkNetwork network = changed_line({{"*", {}, 3, {}}}, 6);
  EXPECT_THAT(east_of(network, 1), ElementsAre(8, 3, 3, 6));
  EXPECT_THAT(east_of(with_link_changes(network, {{"*c01_east", {}, 1, 1}}), 1), ElementsAre(6, 1, 1, 6));
  EXPECT_THAT(east_of(with_link_changes(network, {{"*", {}, 1, 1}}), 1), ElementsAre(6, 1, 1, 6));
}

TEST(LinkChanges, AreThoseOfEverySubnet) {
  const LinkNetwork network = with_subnets(changed_line({{"*c01_east", 2, 4, {}}}), 3);
  for (const int subnet : {0, 1, 2}) {
    EXPECT_THAT(east_of(network, network.graph.in_subnet(1, subnet)), ElementsAre(5, 4, 4, 2));
    EXPECT_THAT(east_of(network, network.graph.in_subnet(2, subnet)), ElementsAre(1, 1, 1, 1));
  }
  EXPECT_EQ(network.graph.greatest_wire_cycles(), 2);
}

TEST(LinkChanges, AreRefusedIfTheyMatchNoLink) {
  try {
    changed_line({{"*_east", 2}, {"link_r00_c01_eats", 2}, {"*", 2}, {"node_*", 3}});
    FAIL() << "not refused";
  } catch (const ConfigError& error) {
    ASSERT_EQ(error.diagnostics().size(), 2u);
    EXPECT_EQ(error.diagnostics()[0].key, "links.1");
    EXPECT_THAT(error.diagnostics()[0].text,
                HasSubstr("link_r00_c01_eats matches no instance; near: link_r00_c01_east"));
    EXPECT_EQ(error.diagnostics()[1].key, "links.3");
  }
  EXPECT_EQ(refusal([] {
              with_link_changes(link_network(Grid::mesh({1, 1})), {{"*", 2}});
            }),
            "* matches no instance; the network has no links");
}

TEST(LinkChanges, WidthsAreSharesOfAFlit) {
  EXPECT_EQ(phits_of_width("1"), 1);
  EXPECT_EQ(phits_of_width("1/1"), 1);
  EXPECT_EQ(phits_of_width("1/7"), 7);
  EXPECT_EQ(phits_of_width("1/256"), 256);
  for (const char* wrong : {"", "2", "1/", "1/0", "1/257", "1/-2", "1/2 ", "2/4", "0.5", "1/2x", "1/99999999999"})
    EXPECT_FALSE(phits_of_width(wrong)) << wrong;
  EXPECT_EQ(width_of_phits(1), "1");
  EXPECT_EQ(width_of_phits(7), "1/7");
}

TEST(NetworkGraphBuilder, KeepsPhitsWhileNodesAndPortsAreAdded) {
  NetworkGraphBuilder builder;
  for (const char* name : {"a", "b"}) builder.add_node(NodeRole::processor, name);
  builder.add_link(0, 1);
  builder.add_link(1, 0, LinkTiming::narrow(2, 3));
  builder.add_node(NodeRole::processor, "c");
  builder.add_link({1, 4}, {2, 1});
  builder.add_link(2, 0, LinkTiming::narrow(1, 2, 7));
  const NetworkGraph graph = builder.build();
  EXPECT_EQ(graph.phits(1, 0), 3);
  EXPECT_EQ(graph.phits(1, 4), 1);
  EXPECT_EQ(graph.phits(2, 0), 2);
  EXPECT_EQ(graph.latency(1, 0), 4);
  EXPECT_EQ(graph.interval(1, 0), 3);
  EXPECT_EQ(graph.interval(2, 0), 7);
  EXPECT_EQ(graph.greatest_wire_cycles(), 2);
}

TEST(NetworkGraphBuilder, RefusesMorePhitsThanStepsOfALink) {
  NetworkGraphBuilder builder(make_grid_graph(Grid::mesh({1, 2}), 1));
  const std::string link = "the link from out-port 1 (east) of node 0 (node_r00_c00) has flits of ";
  EXPECT_EQ(refusal([&] {
              builder.set_timing({0, 1}, {1, 5, 2});
            }),
            link + "2 phits; they have 1 to 1, one per step of its latency and of its interval");
  EXPECT_EQ(refusal([&] {
              builder.set_timing({0, 1}, {5, 3, 4});
            }),
            link + "4 phits; they have 1 to 3, one per step of its latency and of its interval");
  EXPECT_THAT(refusal([&] { builder.set_timing({0, 1}, {5, 3, 0}); }), HasSubstr("flits of 0 phits"));
  EXPECT_EQ(refusal([&] { builder.set_timing({0, 1}, {5, 3, 3}); }), "");
}

}  // namespace
}  // namespace starloom
