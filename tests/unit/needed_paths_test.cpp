// SPDX-License-Identifier: Apache-2.0
/// \file Networks and tables that have paths only for some pairs: which traffic runs on them, and what is reported of
/// the rest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include <starloom/run/standard_catalogue.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class NeededPaths : public CatalogueRuns {
 protected:
  /// src -> mid -> dst, one way.
  void write_pipeline() const { write("src mid dst", {"src mid", "mid dst"}, false); }
  /// Two pairs of processors at a switch each, without a link between the switches.
  void write_parts() const { write("a b c d s_ab s_cd", {"a s_ab", "b s_ab", "c s_cd", "d s_cd"}, true); }
  /// \param names of nodes, separated by blanks; those that begin with s_ are switches, those with h_ hosts.
  void write(const std::string& names, const std::vector<std::string>& links, bool both) const {
    std::string text = "nodes:\n";
    std::istringstream words(names);
    for (std::string name; words >> name;)
      text += "  - {name: " + name +
              (name.substr(0, 2) == "s_"   ? ", role: switch"
               : name.substr(0, 2) == "h_" ? ", role: host"
                                           : "") +
              "}\n";
    text += "links:\n";
    for (const std::string& link : links) {
      const std::size_t blank = link.find(' ');
      text += "  - {from: " + link.substr(0, blank) + ", to: " + link.substr(blank + 1) + (both ? ", both: true" : "") +
              "}\n";
    }
    scratch_.write("g.yaml", text);
  }
  static std::string on_graph(const std::string& traffic, const std::string& routing = "vc-wormhole, channels: 2") {
    return experiment("topology: graph, file: g.yaml", routing + ", function: shortest", traffic);
  }
  /// Packets from and to these nodes.
  std::string packets(const std::vector<std::pair<int, int>>& pairs) const {
    std::string text = "cycle,source,destination,flits\n";
    for (const auto& [from, to] : pairs) text += "0," + std::to_string(from) + "," + std::to_string(to) + ",1\n";
    scratch_.write("p.csv", text);
    return "packets, file: p.csv";
  }
  std::string refused(const std::string& text) const { return refusal(standard_catalogue(), text); }
};

const std::string add_a_link =
    "; add a link from a node that the first reaches to a node that reaches the second, or make links bidirectional";

TEST_F(NeededPaths, APipelineRunsOneWay) {
  write_pipeline();
  for (const char* routing : {"vc-wormhole, channels: 2", "vc-wormhole, channels: 2, spread: packet", "greedy"}) {
    const std::string text = on_graph(packets({{0, 2}, {1, 2}, {0, 1}, {0, 2}, {1, 1}}), routing);
    EXPECT_THAT(check_of(standard_catalogue(), text), HasSubstr("paths         3 of 6 pairs (50 %) are connected"))
        << routing;
    expect_same_bytes_in_any_order(standard_catalogue(), on_graph(packets({{0, 2}, {1, 2}, {0, 1}}), routing));
    EXPECT_EQ(result()["packets"]["undelivered"], 0);
  }
}

TEST_F(NeededPaths, AFaultHasTheNumberAndTheFirstPairs) {
  write_pipeline();
  for (const char* routing : {"vc-wormhole, channels: 2", "greedy"}) {
    EXPECT_EQ(refused(on_graph(packets({{0, 2}, {1, 0}, {1, 2}, {1, 0}}), routing)),
              "e.yaml:4:20: traffic: no path from mid to src, needed by 1 pair of the traffic (of 3)" + add_a_link);
    EXPECT_EQ(refused(on_graph(packets({{2, 1}, {1, 0}, {0, 1}, {2, 1}}), routing)),
              "e.yaml:4:20: traffic: no path from mid to src and dst to mid, needed by 2 pairs of the traffic (of 3)" +
                  add_a_link);
  }
  write_parts();
  EXPECT_EQ(
      refused(on_graph("uniform, rate: 0.1, flits: 2, measure: 100")),
      "e.yaml:4:20: traffic: no path from a to c, a to d, b to c and 5 more, needed by 8 pairs of the traffic (of "
      "12)" +
          add_a_link + "; uniform sends packets between all pairs");
}

TEST_F(NeededPaths, PartsRunIfTheTrafficStaysInThem) {
  write_parts();
  const std::string swapped = "packets, file: p.csv";
  packets({{0, 1}, {1, 0}, {2, 3}, {3, 2}, {3, 3}});
  for (const char* routing : {"vc-wormhole, channels: 2", "greedy"}) {
    expect_same_bytes_in_any_order(standard_catalogue(), on_graph(swapped, routing));
    EXPECT_THAT(check_of(standard_catalogue(), on_graph(swapped, routing)),
                HasSubstr("paths         4 of 12 pairs (33.3 %) are connected"));
  }
  for (const char* function : {"up-down", "up-down-adaptive"}) {
    const std::string text = experiment("topology: graph, file: g.yaml",
                                        std::string("vc-wormhole, channels: 2, function: ") + function, swapped);
    EXPECT_EQ(status_of_run(standard_catalogue(), text, "out"), 0) << function;
    EXPECT_THAT(check_of(standard_catalogue(), text), HasSubstr("paths         4 of 12 pairs (33.3 %) are connected"));
  }
}

// Open loops send to the destinations of their pattern, whether there are packets in this run or not.
TEST_F(NeededPaths, RatesNeedThePairsOfTheirPattern) {
  write_parts();
  const auto with = [](const std::string& pattern) {
    return on_graph(pattern + ", rate: 0.1, flits: 2, warmup: 10, measure: 100");
  };
  EXPECT_THAT(refused(with("reversal")),
              HasSubstr("no path from a to d, b to c, c to b and 1 more, needed by 4 pairs"));
  EXPECT_THAT(refused(with("hot-spot, targets: [0], share: 0.5")), HasSubstr("hot-spot sends packets between all"));
  write("a b c d s_ab s_cd", {"a s_ab", "d s_ab", "b s_cd", "c s_cd"}, true);
  EXPECT_EQ(refused(with("reversal")), "");
  EXPECT_EQ(status_of_run(standard_catalogue(), with("reversal"), "out"), 0);
  EXPECT_EQ(verdict(), "");
}

TEST_F(NeededPaths, RepliesNeedPathsBack) {
  write("a b", {"a b"}, false);
  const std::string one_way = "shift, offset: 1, rate: 0.1, measure: 100";
  EXPECT_THAT(refused(on_graph(one_way)), HasSubstr("no path from b to a, needed by 1 pair"));
  const auto classes = [](const std::string& reply) {
    return "schema: 1\nnetwork: {topology: graph, file: g.yaml}\nrouting: {algorithm: vc-wormhole, channels: 2, "
           "function: "
           "shortest}\ntraffic:\n  pattern: packets\n  file: p.csv\n  classes: [{name: ask, " +
           reply + "}, {name: answer}]\n";
  };
  scratch_.write("p.csv", "cycle,source,destination,flits,class\n0,0,1,1,ask\n");
  EXPECT_THAT(refused(classes("reply: {class: answer, flits: 1, service: 1}")),
              HasSubstr("no path from b to a, needed by 1 pair"));
  EXPECT_EQ(refused(classes("priority: 1")), "");
}

TEST_F(NeededPaths, ClosedLoopsNeedThoseOfClientsAndServers) {
  write_parts();
  const auto loop = [](const std::string& keys) {
    return on_graph("closed-loop, outstanding: 1, requests: 3, request: {flits: 1}, reply: {flits: 2, service: 1}, " +
                    keys);
  };
  EXPECT_THAT(refused(loop("servers: [0], clients: [1, 2]")),
              HasSubstr("no path from c to a and a to c, needed by 2 pairs of the traffic (of 4)"));
  EXPECT_EQ(refused(loop("servers: [0], clients: [1]")), "");
  // The nearest server is one that has a path.
  EXPECT_THAT(refused(loop("servers: [0, 2]")), HasSubstr("needed by"));
  EXPECT_EQ(status_of_run(standard_catalogue(), loop("servers: [0, 2], destination: nearest"), "out"), 0);
  EXPECT_EQ(verdict(), "");
}

TEST_F(NeededPaths, WorkloadsNeedThoseOfAllMessages) {
  write_parts();
  const auto messages = [&](const std::string& last) {
    scratch_.write("m.csv",
                   "cycle,source,destination,flits,id,after\n0,0,1,2,1,\n0,1,0,2,2,1\n0,0," + last + ",2,3,2\n");
    return on_graph("packets, file: m.csv");
  };
  EXPECT_EQ(refused(messages("1")), "");
  EXPECT_THAT(refused(messages("2")), HasSubstr("no path from a to c, needed by 1 pair of the traffic (of 3)"));
  const auto program = [](const std::string& ranks) {
    return on_graph("collective, op: all-reduce, algorithm: ring, flits: 8" + ranks);
  };
  EXPECT_THAT(refused(program("")),
              HasSubstr("no path from b to c and d to a, needed by 2 pairs of the traffic (of 4)"));
}

TEST_F(NeededPaths, TablesServeSomePairs) {
  write("a b c", {"a b", "b c"}, true);
  const auto with = [&](const std::string& rows) {
    scratch_.write("t.csv", "node,destination,port,channels\n" + rows);
    return experiment("topology: graph, file: g.yaml", "vc-wormhole, function: table, table: t.csv",
                      packets({{0, 2}, {0, 1}}));
  };
  const std::string there = "a,b,0,*\na,c,0,*\nb,c,1,*\n";
  EXPECT_THAT(check_of(standard_catalogue(), with(there)), HasSubstr("3 of 6 pairs (50 %) are connected"));
  EXPECT_EQ(status_of_run(standard_catalogue(), with(there), "out"), 0);
  EXPECT_THAT(refused(with("a,b,0,*\nb,c,1,*\n")),
              HasSubstr("no path from a to c, needed by 1 pair of the traffic (of 2); the table has no rows for them: "
                        "add rows of the nodes on a path"));
  EXPECT_THAT(refused(with("a,b,0,*\na,c,0,*\n")),
              HasSubstr("t.csv:3:1: this row sends packets to node 1, which has no row for destination 2"));
}

TEST_F(NeededPaths, HostsAndRootsAreNamed) {
  write("a b h_m s_0 s_1", {"a s_0", "s_0 h_m", "h_m s_1", "s_1 b"}, true);
  EXPECT_THAT(refused(on_graph(packets({{0, 1}}))),
              HasSubstr("no path from a to b, needed by 1 pair of the traffic (of 1); join the neighbours of host h_m, "
                        "which does not forward packets, or make it a processor"));
  EXPECT_EQ(refused(on_graph(packets({{0, 2}, {2, 1}, {1, 2}}))), "");
  write("a b c d", {"a b", "b c", "c d"}, true);
  EXPECT_THAT(
      refused(experiment("topology: graph, file: g.yaml", "vc-wormhole, function: up-down, root: [a, d]",
                         packets({{0, 3}}))),
      HasSubstr("no path from a to d, needed by 1 pair of the traffic (of 1); with the roots a and d of up-down, "
                "links up from the two meet in no node"));
}

// Packets of processors to themselves need no path; without them each pair has a greater rate.
TEST_F(NeededPaths, UniformTrafficMayLeaveOutPacketsToItself) {
  write("a b", {"a b"}, true);
  const auto with = [](const std::string& keys) {
    return on_graph("uniform, rate: 0.2, flits: 2, warmup: 100, measure: 4000" + keys);
  };
  EXPECT_THAT(check_of(standard_catalogue(), with("")), HasSubstr("link load     mean 0.1, max 0.1 flits per step"));
  EXPECT_THAT(check_of(standard_catalogue(), with(", self: false")),
              HasSubstr("link load     mean 0.2, max 0.2 flits per step"));
  EXPECT_EQ(status_of_run(standard_catalogue(), with(", self: false"), "out"), 0);
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(result()["distance"]["mean"], 1.0);
  // Classes with and without.
  const std::string classes =
      "schema: 1\nnetwork: {topology: graph, file: g.yaml}\nrouting: {algorithm: vc-wormhole, channels: 2, function: "
      "shortest}\ntraffic:\n  pattern: classes\n  warmup: 100\n  measure: 1000\n  classes:\n    - {name: one, pattern: "
      "uniform, rate: 0.2}\n    - {name: two, pattern: uniform, rate: 0.2, self: false}\n";
  EXPECT_THAT(check_of(standard_catalogue(), classes), HasSubstr("link load     mean 0.3, max 0.3 flits per step"));
  scratch_.write("g.yaml", "nodes: [{name: a}]\nlinks: []\n");
  EXPECT_THAT(refused(with(", self: false")), HasSubstr("traffic.self: with self: false a node needs another one"));
}

// With replies, check follows the packets of all pairs.
TEST_F(NeededPaths, ZeroLoadIsThatOfTheRun) {
  write("a b c", {"a b", "b c"}, true);
  const std::string text = on_graph(
      "uniform, self: false, rate: 0.002, flits: 1, reply: {flits: 9, service: 3}, warmup: 0, measure: 20000, drain: "
      "500");
  EXPECT_EQ(status_of_run(standard_catalogue(), text, "out"), 0);
  const std::string check = check_of(standard_catalogue(), text);
  const std::string label = "zero load     mean latency ";
  const std::size_t at = check.find(label);
  ASSERT_NE(at, std::string::npos) << check;
  EXPECT_NEAR(std::stod(check.substr(at + label.size())), result()["latency"]["mean"].get<double>(), 0.3);
}

// Classes of traffic with patterns, whether they have rates or not.
TEST_F(NeededPaths, ClassesNeedThoseOfTheirPatterns) {
  write("a b c d s_ab s_cd", {"a s_ab", "d s_ab", "b s_cd", "c s_cd"}, true);
  const auto classes = [](const std::string& second, const std::string& rate) {
    return "schema: 1\nnetwork: {topology: graph, file: g.yaml}\nrouting: {algorithm: vc-wormhole, channels: 2, "
           "function: shortest}\ntraffic:\n  pattern: classes\n  classes:\n    - {name: one, pattern: reversal" +
           rate + "}\n    - {name: two, pattern: " + second + rate + "}\n";
  };
  for (const char* rate : {"", ", rate: 0.1"}) {
    EXPECT_EQ(refused(classes("identity", rate)), "") << rate;
    EXPECT_THAT(refused(classes("shift, offset: 1", rate)),
                HasSubstr("no path from a to b and c to d, needed by 2 pairs of the traffic (of 6)"))
        << rate;
  }
}

TEST_F(NeededPaths, TransactionsNeedPathsBothWays) {
  write("a b c", {"a b", "b c", "c a"}, false);
  scratch_.write("t.csv", "time,initiator,command,address,length,data,byte_enable\n0,0,read,0x1000,16,,\n");
  const auto to = [](int target) {
    return on_graph("transactions, file: t.csv") +
           "tlm:\n  initiators: [0]\n  targets: [{node: " + std::to_string(target) + ", base: 0x1000, size: 256}]\n";
  };
  EXPECT_EQ(refused(to(1)), "");
  write("a b c", {"a b", "b c"}, false);
  EXPECT_THAT(refused(to(1)), HasSubstr("no path from b to a, needed by 1 pair of the traffic (of 2)"));
}

// Tasks that talk are placed in parts that have paths between them.
TEST_F(NeededPaths, MappingsKeepTasksTogether) {
  write_parts();
  scratch_.write(
      "app.yaml",
      "tasks: [x, y]\nedges:\n  - {from: x, to: y, bandwidth: 4000}\n  - {from: y, to: x, bandwidth: 4000}\n");
  const std::string placed = "application, file: app.yaml, steps: 100";
  for (const char* mapping : {"", ", mapping: best", ", mapping: [3, 2]"})
    EXPECT_EQ(refused(on_graph(placed + mapping)), "") << mapping;
  EXPECT_THAT(refused(on_graph(placed + ", mapping: [0, 2]")),
              HasSubstr("no path from a to c and c to a, needed by 2 pairs of the traffic (of 2)"));
}

}  // namespace
}  // namespace starloom
