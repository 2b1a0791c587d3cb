// SPDX-License-Identifier: Apache-2.0
// Networks from files: the meaning of both forms, compared with a network made by hand, and every error, with its
// location.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <starloom/topologies/graph/graph_file.hpp>
#include <starloom/topologies/graph/graph_lines.hpp>
#include <starloom/topology/network_graph_builder.hpp>

namespace starloom {
namespace {

using testing::HasSubstr;

class GraphFile : public testing::Test {
 protected:
  NetworkGraph read(const std::string& text) {
    const auto folder =
        std::filesystem::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "net.yaml", std::ios::binary) << text;
    DataFile file(folder, "net.yaml");
    return read_graph(file);
  }
  /// The faults, a line each; empty if the file is sound.
  std::string diagnostics(const std::string& text) {
    try {
      read(text);
    } catch (const DataFileError& error) {
      return error.what();
    }
    return "";
  }
  void expect_same(const NetworkGraph& a, const NetworkGraph& b) {
    ASSERT_EQ(a.nodes(), b.nodes());
    ASSERT_EQ(a.processors(), b.processors());
    EXPECT_EQ(a.links(), b.links());
    for (NodeId node = 0; node < a.nodes(); ++node) {
      EXPECT_EQ(a.role(node), b.role(node));
      EXPECT_EQ(a.node_name(node), b.node_name(node));
      for (Port port = 0; port < std::max(a.ports(), b.ports()); ++port) {
        const LinkEnd end_a = port < a.ports() ? a.far_end(node, port) : LinkEnd{};
        const LinkEnd end_b = port < b.ports() ? b.far_end(node, port) : LinkEnd{};
        ASSERT_EQ(end_a, end_b) << node << " " << port;
        if (!end_a.connected()) continue;
        EXPECT_EQ(a.latency(node, port), b.latency(node, port));
        EXPECT_EQ(a.interval(node, port), b.interval(node, port));
      }
    }
  }
};

TEST_F(GraphFile, HasNodesAndLinksInTheOrderOfTheFile) {
  const NetworkGraph graph = read(R"(# two processors at a switch, one beyond
nodes:
  - {name: a, place: [0, 0]}
  - {name: hub, role: switch, place: [1, 0.5]}
  - {name: b, role: processor}
  - {}
links:
  - {from: a, to: hub, both: true}
  - {from: 2, to: hub, both: true, latency: 3, interval: 2}
  - {from: hub, to: node_03, from_port: 5}
  - {from: node_03, to: hub, to_port: 7}
)");
  NetworkGraphBuilder by_hand;
  by_hand.add_node(NodeRole::processor, "a");
  by_hand.add_node(NodeRole::switch_node, "hub");
  by_hand.add_node(NodeRole::processor, "b");
  by_hand.add_node(NodeRole::processor, "node_03");
  by_hand.add_link({0, 0}, {1, 0});
  by_hand.add_link({1, 0}, {0, 0});
  by_hand.add_link({2, 0}, {1, 1}, {3, 2});
  by_hand.add_link({1, 1}, {2, 0}, {3, 2});
  by_hand.add_link({1, 5}, {3, 0});
  by_hand.add_link({3, 0}, {1, 7});
  expect_same(graph, by_hand.build());
  EXPECT_EQ(graph.processor(2), 3);
  EXPECT_EQ(graph.position(1).x, 1);
  EXPECT_EQ(graph.position(1).y, 0.5);
  EXPECT_FALSE(graph.arrangement());
}

TEST_F(GraphFile, MayHaveItsLinksFirst) {
  const std::string nodes = "nodes: [{name: a}, {name: b}, {name: c}]\n";
  const std::string links = "links: [{from: a, to: b}, {from: b, to: c}, {from: c, to: a}]\n";
  expect_same(read(links + nodes), read(nodes + links));
}

TEST_F(GraphFile, IsTheSameWithAByteOrderMarkAndWithOtherEndsOfLines) {
  const std::string text = "nodes:\n  - name: a\n  - name: b\nlinks:\n  - {from: a, to: b, both: true}\n";
  std::string other;
  for (const char c : text) other += c == '\n' ? "\r\n" : std::string(1, c);
  expect_same(read(text), read(other));
  expect_same(read(text), read("\xef\xbb\xbf" + text));
}

TEST_F(GraphFile, KnowsTheGridInWhichItsProcessorsStand) {
  const auto grid_of = [&](const std::string& places) {
    return read("nodes: [" + places + ", {name: s, role: switch}]\nlinks:\n" +
                "- {from: 0, to: s, both: true}\n- {from: 1, to: s, both: true}\n- {from: 2, to: s, both: true}\n"
                "- {from: 3, to: s, both: true}\n")
        .arrangement();
  };
  const auto grid = grid_of("{place: [0, 0]}, {place: [2.5, 0]}, {place: [0, 1]}, {place: [2.5, 1]}");
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->shape(), (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(grid->kind(), GridKind::mesh);
  EXPECT_FALSE(grid_of("{place: [0, 0]}, {place: [0, 1]}, {place: [1, 0]}, {place: [1, 1]}")) << "column by column";
  EXPECT_FALSE(grid_of("{place: [0, 0]}, {place: [1, 0]}, {place: [0, 1]}, {}")) << "one without a place";
  EXPECT_FALSE(grid_of("{place: [0, 0]}, {place: [1, 0]}, {place: [0, 1]}, {place: [1, 2]}")) << "no grid";
}

TEST_F(GraphFile, TellsAllFaultsWithTheirPlaces) {
  EXPECT_EQ(diagnostics(R"(nodes:
  - {name: alpha, rule: switch}
  - {name: beta, role: swich}
  - {name: alpha}
  - {name: 3d}
  - {name: gamma, place: [1]}
links:
  - {from: alpha, to: betta}
  - {from: alpha, to: alpha}
  - {from: alpha, to: 9}
  - {from: alpha, to: beta, latency: -3}
  - {from: beta, to: alpha, from_port: 2}
  - {from: beta, to: gamma, from_port: 2}
  - {from: gamma}
  - {from: gamma, to: beta, both: yes}
  - alpha to beta
  - {from: gamma, to: beta, interval: 0, from: beta}
)"),
            R"(net.yaml:2:19: unknown key 'rule' (did you mean role?)
net.yaml:3:24: role is processor, switch or host (did you mean switch?), not 'swich'
net.yaml:4:5: the node alpha is already defined at net.yaml:2:5; names must be unique
net.yaml:5:5: node 3: its name '3d' is not made of letters, digits and _ with no digit first; node_3d would do
net.yaml:6:26: place is two numbers [x, y], x to the right and y down, not a list
net.yaml:8:23: 'betta' is not a node (did you mean beta?)
net.yaml:9:5: the link from out-port 0 of node 0 (alpha) leads back to its own node; links join two nodes
net.yaml:10:23: 9 is not a node; the nodes are 0 to 4, or their names
net.yaml:11:38: latency is a number of steps, 1 to 65535, not '-3'
net.yaml:13:5: out-port 2 of node 1 (beta) already has a link to in-port 0 of node 0 (alpha); out-port 0 is free
net.yaml:14:5: a link lacks the key to: {from: a, to: b}
net.yaml:15:35: both is true or false, not 'yes'
net.yaml:16:5: an entry of links is a mapping in braces: {from: a, to: b}
net.yaml:17:39: interval is a number of steps, 1 to 1024, not '0'
net.yaml:17:42: the key from is given twice)");
}

TEST_F(GraphFile, NamesNodesWithoutLinks) {
  EXPECT_EQ(diagnostics("nodes:\n- {name: a}\n- {name: b}\n- {name: alone}\nlinks: [{from: a, to: b, both: true}]\n"),
            "net.yaml:4:3: alone has no link; join it to another node, or leave it out");
  // Parts without a link between them, and links that go one way, are a network.
  EXPECT_EQ(read("nodes:\n- {name: a}\n- {name: b}\n- {name: c}\n- {name: d}\n- {name: e}\n"
                 "links: [{from: a, to: c, both: true}, {from: b, to: d, both: true}, {from: e, to: d, both: true}]\n")
                .distance(0, 1),
            -1);
  EXPECT_EQ(read("nodes: [{name: a}, {name: b}, {name: c}]\nlinks: [{from: a, to: b}, {from: b, to: c}]\n").diameter(),
            2);
  EXPECT_THAT(diagnostics("nodes: [{name: s, role: switch}, {name: t, role: switch}]\nlinks: [{from: s, to: t}]\n"),
              HasSubstr("at least one processor"));
}

TEST_F(GraphFile, RefusesWhatIsNoNetwork) {
  EXPECT_THAT(diagnostics(""), HasSubstr("net.yaml:1:1: the file is empty"));
  EXPECT_THAT(diagnostics("[1, 2]\n"), HasSubstr("net.yaml:1:1: a network has the keys nodes and links, not a list"));
  EXPECT_THAT(diagnostics("just text\n"), HasSubstr("a network has the keys nodes and links"));
  EXPECT_THAT(diagnostics("nodes: [{name: a}]\nlinks: []\nlink: []\n"), HasSubstr("net.yaml:3:1: unknown key link"));
  EXPECT_THAT(diagnostics("nodes: [{name: a}]\n"), HasSubstr("the key links is missing"));
  EXPECT_THAT(diagnostics("nodes: 3\nlinks: []\n"), HasSubstr("net.yaml:1:8: nodes is a list, such as [{name: a}]"));
  // Once, though links are read again when nodes are known.
  EXPECT_EQ(diagnostics("nodes: 3\nlinks:\n  - {from: 0, to: 1}\n"),
            "net.yaml:1:8: nodes is a list, such as [{name: a}]")
      << "and nothing of links between nodes that are not known";
  EXPECT_THAT(diagnostics("nodes: [a, b]\nlinks:\n  - {from: a, to: b}\n"), Not(HasSubstr("empty")));
  EXPECT_THAT(diagnostics("nodes: {a: b}\nlinks: []\n"), HasSubstr("net.yaml:1:8: nodes is a list, not a section"));
  EXPECT_THAT(diagnostics("nodes: []\nlinks: []\n"), HasSubstr("nodes is empty"));
  EXPECT_THAT(diagnostics("nodes: [{name: a}]\nlinks: []\n---\nnodes: []\n"), HasSubstr("more than one YAML document"));
  EXPECT_THAT(diagnostics("nodes: [{name: a}\nlinks: []\n"), HasSubstr("not YAML"));
  EXPECT_THAT(diagnostics("nodes: [&x {name: a}, *x]\nlinks: []\n"), HasSubstr("aliases have no meaning here"));
  EXPECT_EQ(diagnostics("nodes:\n\t- {name: a}\nlinks: []\n"),
            "net.yaml:2:1: a tab at the beginning of the line; YAML allows only spaces there");
  // A single processor needs no link.
  EXPECT_EQ(diagnostics("nodes: [{name: a}]\nlinks: []\n"), "");
}

TEST_F(GraphFile, TellsTheFirstTwentyFaults) {
  std::string text = "nodes: [{name: a}, {name: b}]\nlinks:\n";
  for (int i = 0; i < 100; ++i) text += "- {from: a, to: nowhere}\n";
  const std::string all = diagnostics(text);
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 20);
  EXPECT_THAT(all, HasSubstr("net.yaml:22:17: 'nowhere' is not a node"));
  EXPECT_THAT(all, HasSubstr("\nand 80 more"));
}

TEST_F(GraphFile, ReadsALineForEachRouter) {
  const NetworkGraph graph = read(
      "# a list of routers\r\n"
      "router 0 node 0 router 1 15 node 2 3\r\n"
      "\r\n"
      "router 1 node 1 router 2 // and so on\n"
      "router 2 router 0 2 router 1 4\n");
  NetworkGraphBuilder by_hand;
  for (const char* name : {"node_00", "node_01", "node_02"}) by_hand.add_node(NodeRole::processor, name);
  for (const char* name : {"router_00", "router_01", "router_02"}) by_hand.add_node(NodeRole::switch_node, name);
  const auto both = [&](NodeId a, NodeId b, std::int32_t there, std::int32_t back) {
    by_hand.add_link(a, b, {there});
    by_hand.add_link(b, a, {back});
  };
  both(3, 0, 1, 1);
  both(4, 1, 1, 1);
  both(3, 2, 3, 3);
  both(3, 4, 15, 1);  // that router 1 leads back is not written
  both(3, 5, 1, 2);
  both(4, 5, 1, 4);
  expect_same(graph, by_hand.build());
}

// As BookSim2 has them: not in the order of the file.
TEST_F(GraphFile, NumbersThePortsOfARouterByItsNodesThenItsNeighbours) {
  const NetworkGraph graph = read(
      "router 2 router 1 router 0 node 3 node 0\n"
      "router 1 node 2 router 0\n"
      "router 0 node 1\n");
  const auto neighbours = [&](NodeId router) {
    std::vector<NodeId> far;
    for (const Port port : graph.out_ports(router)) {
      far.push_back(graph.far_end(router, port).node);
      EXPECT_EQ(graph.near_end(router, port).node, far.back());
    }
    return far;
  };
  EXPECT_THAT(neighbours(4), testing::ElementsAre(1, 5, 6));
  EXPECT_THAT(neighbours(5), testing::ElementsAre(2, 4, 6));
  EXPECT_THAT(neighbours(6), testing::ElementsAre(0, 3, 4, 5));
}

TEST_F(GraphFile, ReadsLinesOfNodes) {
  const char* const of_routers = "router 0 node 0 5 router 1\nrouter 1 node 1\n";
  expect_same(read("node 0 router 0 5\nnode 1 router 1\nrouter 0 router 1\n"), read(of_routers));
  expect_same(read("node 0 router 0 5\nrouter 0 node 0 5 router 1\nrouter 1 node 1\n"), read(of_routers));
  EXPECT_EQ(diagnostics("node 0 node 1\nnode 0 router 0\nnode 0 router 0 2\nnode 0 router 1\nrouter 0 router 1\n"),
            "net.yaml:1:8: node 0 is connected to node 1; nodes are connected to routers\n"
            "net.yaml:3:8: node 0 is connected to router 0 already, with latency 1");
}

TEST_F(GraphFile, HasHosts) {
  const NetworkGraph graph = read(
      "nodes:\n  - {name: a}\n  - {name: m, role: host}\n  - {name: s, role: switch}\n  - {name: t, role: switch}\n"
      "links:\n  - {from: a, to: s, both: true}\n  - {from: m, to: s, both: true}\n  - {from: m, to: t, both: true}\n"
      "  - {from: s, to: t, both: true}\n");
  EXPECT_EQ(graph.role(0), NodeRole::processor);
  EXPECT_EQ(graph.role(1), NodeRole::host);
  EXPECT_EQ(graph.processors(), 2);
}

// A node with several routers is a host, whatever line names them; its ports are in the order of the routers.
TEST_F(GraphFile, MakesNodesOfSeveralRoutersHosts) {
  const NetworkGraph graph = read(
      "router 2 node 1 router 0\nnode 1 router 0 5\nrouter 0 node 0 router 1\nrouter 1 node 2 node 1\n"
      "node 1 router 2\n");
  for (const NodeId node : {0, 2}) EXPECT_EQ(graph.role(node), NodeRole::processor);
  EXPECT_EQ(graph.role(1), NodeRole::host);
  for (Port port = 0; port < 3; ++port) EXPECT_EQ(graph.far_end(1, port).node, 3 + port);
  EXPECT_EQ(graph.latency(1, 0), 5);
  EXPECT_EQ(graph.latency(3, 1), 5) << "of both links";
  EXPECT_EQ(graph.latency(1, 2), 1);
  EXPECT_EQ(read("router 0 node 0 node 1\nrouter 1 node 1 node 2\n").distance(0, 2), -1);
}

TEST_F(GraphFile, TellsFaultsOfALineForEachRouter) {
  EXPECT_EQ(diagnostics("router 0 node 0 router 1\n"
                        "router 1 node 0\n"
                        "router 1 router 1\n"
                        "router 0 router 1 3\n"
                        "rooter 2 node 1\n"
                        "router 2 nod 1\n"
                        "router 2 node x\n"
                        "router 2 node\n"
                        "router 0 node 1 0\n"),
            "net.yaml:3:10: router 1 is connected to itself; a link connects two routers\n"
            "net.yaml:4:10: router 1 is listed in the line of router 0 twice\n"
            "net.yaml:5:1: 'rooter': a line begins with router or node (did you mean router?)\n"
            "net.yaml:6:10: 'nod': router or node is expected (did you mean node?)\n"
            "net.yaml:7:15: 'x' is not the number of a node\n"
            "net.yaml:8:10: node needs a number after it\n"
            "net.yaml:9:17: a latency is a number of steps, 1 to 65535, not 0");
  EXPECT_THAT(diagnostics("router 0 node 0 node 2\n"),
              HasSubstr("node 1 is named nowhere; numbers of 2 nodes are 0 to 1"));
  EXPECT_THAT(diagnostics("router 0 router 1\n"), HasSubstr("no node is named"));
}

// Plain lines have a reader of their own. A mark of the end of the document sends the same text through yaml-cpp.
TEST_F(GraphFile, SaysTheSameOfPlainLinesAsYamlCpp) {
  const std::string nodes = "nodes:\n- {name: a}\n- {name: b, role: switch}\n- {name: c}\n";
  const std::string links = "links:\n- {from: a, to: b, both: true}\n- {from: b, to: c, both: true}\n";
  const std::vector<std::string> plain = {
      nodes + links,
      links + nodes,
      "# first\n\nnodes:  # of two kinds\n  - { name: a , place: [ 0,1.5e1 ] }\n  # between\n  - {name: b}   # last\n"
      "links:\n    - {from: a,to: 1, latency: 3, interval: 2, both: true, from_port: 4, to_port: 5}",
      nodes + links + links,
      nodes + nodes + links,
      nodes,
      links,
      nodes + "links:\n- {from: a, to: a}\n- {from: d, to: b}\n- {from: b}\n- {from: b, to: 7, to: c}\n",
      nodes + "links:\n- {from: a, to: b, latency: 0}\n- {from: c, to: b, interval: 0x10, lenght: 3}\n",
      nodes + "links:\n- {from: a, to: b, from_port: 3}\n- {from: a, to: c, from_port: 3}\n",
      nodes + "links:\n- {from: [a], to: [b, c]}\n",
  };
  for (const std::string& text : plain) {
    SCOPED_TRACE(text);
    std::string windows;
    for (const char c : text) windows += c == '\n' ? "\r\n" : std::string(1, c);
    for (const std::string& one : {text, windows}) {
      EXPECT_TRUE(has_plain_lines(one));
      const std::string through_yaml = one + "\n...\n";
      EXPECT_FALSE(has_plain_lines(through_yaml));
      EXPECT_EQ(diagnostics(one), diagnostics(through_yaml));
      if (diagnostics(one).empty()) expect_same(read(one), read(through_yaml));
    }
  }
  for (const char* other :
       {"links:\n", "links: []\n", "links:#\n- {from: a, to: b}\n", "ports:\n- {from: a, to: b}\n",
        "links:\n- {from: a, to: null}\n", "links:\n- {from: ~, to: b}\n", "links:\n- {from: {a: b}, to: c}\n",
        "links:\n- {from: -1, to: c}\n", "links:\n- {from: a, to: b}# no comment\n", "links:\n- {from: a, to: b, }\n",
        "links:\n- {from: a, to: b\n", "links:\n- {from: a, to: b}\n - {from: b, to: c}\n",
        "links:\n- {from: a, to:b}\n", "links:\n- {from: 'a', to: b}\n", "links:\n- from: a\n  to: b\n"})
    EXPECT_FALSE(has_plain_lines(nodes + other)) << other;
  EXPECT_FALSE(has_plain_lines("# nothing\n"));
}

/// A network of 10^5 nodes takes about as long as ten of 10^4; a pass of squares would take minutes.
TEST_F(GraphFile, ReadsLargeNetworks) {
  std::string text = "nodes:\n";
  const int count = 100'000;
  for (int i = 0; i < count; ++i) text += "- {name: n" + std::to_string(i) + "}\n";
  text += "links:\n";
  for (int i = 0; i < count; ++i)
    text += "- {from: n" + std::to_string(i) + ", to: " + std::to_string((i + 1) % count) + "}\n";
  EXPECT_EQ(read(text).links(), count);
}

}  // namespace
}  // namespace starloom
