// SPDX-License-Identifier: Apache-2.0
/// \file Hosts in runs: which links carry packets, what the metrics, the referee and `verify` make of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include <starloom/run/standard_catalogue.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;

/// Two racks of two processors, and a server and a spine that join them.
class HostRuns : public CatalogueRuns {
 protected:
  void write_racks(const std::string& role) const {
    scratch_.write("g.yaml", "nodes:\n  - {name: a0}\n  - {name: a1}\n  - {name: m, role: " + role +
                                 "}\n  - {name: c0}\n  - {name: c1}\n  - {name: leaf1, role: switch}\n"
                                 "  - {name: leaf2, role: switch}\n  - {name: spine, role: switch}\nlinks:\n" +
                                 link("a0", "leaf1") + link("a1", "leaf1") + link("m", "leaf1") + link("m", "leaf2") +
                                 link("c0", "leaf2") + link("c1", "leaf2") + link("leaf1", "spine") +
                                 link("leaf2", "spine"));
  }
  static std::string link(const std::string& from, const std::string& to) {
    return "  - {from: " + from + ", to: " + to + ", both: true}\n";
  }
  static std::string on_racks(const std::string& routing, const std::string& traffic) {
    return experiment("topology: graph, file: g.yaml", routing, traffic);
  }
  /// A run of one packet. \return result.json
  nlohmann::ordered_json run_packet(const std::string& routing, int source, int destination) const {
    scratch_.write("p.csv", "cycle,source,destination,flits\n0," + std::to_string(source) + "," +
                                std::to_string(destination) + ",1\n");
    run(standard_catalogue(), on_racks(routing, "packets, file: p.csv"), "out");
    EXPECT_EQ(verdict(), "");
    return result();
  }
  /// The flits that leave a node over links.
  int flits_out_of(int node) const {
    std::istringstream events(column("trace.csv", 1)), nodes(column("trace.csv", 4));
    std::string event;
    int sum = 0;
    for (int from = 0; events >> event && nodes >> from;) sum += event == "hop" && from == node ? 1 : 0;
    return sum;
  }
};

constexpr int m = 2, spine = 7;

TEST_F(HostRuns, PacketsFromRackToRackCrossTheSpine) {
  for (const char* routing : {"vc-wormhole, function: shortest", "vc-wormhole, function: shortest, spread: packet",
                              "vc-wormhole, function: up-down", "vc-wormhole, function: up-down-adaptive, channels: 2",
                              "vc-wormhole, function: nue", "greedy, function: shortest", "greedy, function: up-down",
                              "greedy, function: nue"}) {
    write_racks("host");
    EXPECT_EQ(run_packet(routing, 0, 3)["hops"]["max"], 4) << routing;
    EXPECT_EQ(flits_out_of(spine), 1) << routing;
    EXPECT_EQ(flits_out_of(m), 0) << routing;
    EXPECT_EQ(run_packet(routing, m, 4)["hops"]["max"], 2) << routing;
    EXPECT_EQ(run_packet(routing, 4, m)["hops"]["max"], 2) << routing;
  }
}

// A host of several links has a router: its packets to itself cross no link.
TEST_F(HostRuns, PacketsOfAHostToItselfCrossNoLink) {
  write_racks("host");
  auto found = run_packet("vc-wormhole, function: shortest", m, m);
  EXPECT_EQ(found["distance"]["max"], 0);
  EXPECT_EQ(found["hops"]["max"], 0);
  found = run_packet("vc-wormhole, function: shortest", 0, 0);
  EXPECT_EQ(found["distance"]["max"], 2);
  EXPECT_EQ(found["hops"]["max"], 2);
}

// A pair has a fiftieth of a flit per step. Pairs of a rack, and of a processor with itself, cross two links, those of
// the server and a rack two, those of two racks four, and the server with itself none: 64 links, of 16.
TEST_F(HostRuns, CheckCountsThePathsOfPackets) {
  write_racks("host");
  const std::string text = check_of(standard_catalogue(), on_racks("vc-wormhole, channels: 2, function: shortest",
                                                                   "uniform, rate: 0.1, flits: 2, measure: 1000"));
  EXPECT_THAT(text, HasSubstr("link load     mean 0.08, max 0.1 flits per step"));
  EXPECT_THAT(text, HasSubstr("all 20 pairs are connected, over at most 4 links"));
  EXPECT_THAT(text, HasSubstr("deadlock      acyclic"));
}

// The shortest path with the lowest ports, while m forwards; then m is a host.
TEST_F(HostRuns, TheRefereeFindsHostsThatForward) {
  for (const char* routing : {"vc-wormhole, function: shortest", "greedy, function: shortest"}) {
    write_racks("processor");
    run_packet(routing, 0, 3);
    ASSERT_EQ(flits_out_of(m), 1) << routing;
    EXPECT_THAT(verdict_with("network.json", R"({"name":"m","role":"processor")", R"({"name":"m","role":"host")"),
                HasSubstr("leaves a host, which does not forward packets, and is not its source"))
        << routing;
    EXPECT_THAT(verdict_with("network.json", R"({"name":"m","role":"processor")", R"({"name":"m","role":"guest")"),
                HasSubstr("role is guest, neither processor nor switch nor host"))
        << routing;
  }
}

TEST_F(HostRuns, GiveTheSameBytesInAnyOrder) {
  write_racks("host");
  for (const char* routing : {"vc-wormhole, channels: 2, pipeline: 3, function: shortest, spread: flow",
                              "vc-wormhole, channels: 2, function: up-down-adaptive"})
    expect_same_bytes_in_any_order(standard_catalogue(),
                                   on_racks(routing, "uniform, rate: 0.3, flits: 3, measure: 200"));
}

TEST_F(HostRuns, RegionsMayBeOfHosts) {
  write_racks("host");
  const auto of_role = [](const std::string& role) {
    return experiment("topology: graph, file: g.yaml, regions: [{role: " + role + ", buffer: 9}]",
                      "vc-wormhole, buffer: 4, function: shortest", "uniform, rate: 0.1, flits: 2, measure: 200");
  };
  EXPECT_THAT(check_of(standard_catalogue(), of_role("host")), HasSubstr("region        1 node: role host, buffer 9"));
  EXPECT_THAT(check_of(standard_catalogue(), of_role("processor")),
              HasSubstr("region        4 nodes: role processor, buffer 9"));
  run(standard_catalogue(), of_role("host"), "out");
  EXPECT_EQ(verdict(), "");
  write_racks("processor");
  EXPECT_THAT(refusal(standard_catalogue(), of_role("host")),
              HasSubstr("the network has no hosts; nodes of a graph file may be hosts (role: host)"));
}

}  // namespace
}  // namespace starloom
