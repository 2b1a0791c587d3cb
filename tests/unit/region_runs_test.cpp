// SPDX-License-Identifier: Apache-2.0
/// \file Runs on networks with `network.regions`, and their files (docs/regions.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <starloom/run/standard_catalogue.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class RegionRuns : public CatalogueRuns {
 protected:
  void SetUp() override {
    scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,3,8\n0,1,2,3\n2,3,0,5\n2,1,3,9\n");
  }
  static std::string line(const std::string& regions, const std::string& routing = "vc-wormhole, buffer: 4",
                          const std::string& network = "") {
    return experiment("topology: mesh, shape: [1, 4], regions: " + regions + network, routing, "packets, file: p.csv");
  }
};

TEST_F(RegionRuns, AreVerifiedByTheBuffersOfTheExperiment) {
  const auto folder = run(standard_catalogue(), line("[{role: processor, buffer: 6}, {nodes: \"*_c02\", buffer: 2}]"),
                          "out", {"--dump-netlist"});
  const Json result = Json::parse(read(folder / "result.json"));
  EXPECT_EQ(result["experiment"]["network"]["regions"].dump(),
            R"([{"role":"processor","buffer":6},{"nodes":"*_c02","buffer":2}])");
  EXPECT_EQ(result["storage"]["capacity"], 6);
  EXPECT_EQ(verdict(), "");
  const std::string netlist = read(folder / "netlist.json");
  EXPECT_THAT(netlist, HasSubstr(R"("node_r00_c02.buffer_east_v0", "module": "FlitBuffer", "capacity": 2)"));
  EXPECT_THAT(netlist, HasSubstr(R"("node_r00_c01.buffer_east_v0", "module": "FlitBuffer", "capacity": 6)"));
  const std::string list = "experiment.network.regions.1";
  EXPECT_THAT(verdict_with("result.json", "\"buffer\": 2", "\"buffer\": 1"), HasSubstr("of link_r00_c01_east"));
  EXPECT_THAT(verdict_with("result.json", "\"buffer\": 2", "\"buffer\": 0"), HasSubstr(list + ".buffer"));
  EXPECT_THAT(verdict_with("result.json", "*_c02", "*_c07"), HasSubstr(list + "' is wrong: *_c07 matches no instance"));
  EXPECT_THAT(verdict_with("result.json", "\"processor\"", "\"router\""),
              HasSubstr("experiment.network.regions.0.role"));
}

/// A packet alone takes two steps to its first router, a step over each link, two steps in each router, and a last one.
TEST_F(RegionRuns, HaveTheStagesOfTheirRouters) {
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,3,1\n");
  const auto latency = [&](const std::string& regions, const std::string& routing) {
    const auto folder = run(standard_catalogue(), line(regions, routing), "out");
    EXPECT_EQ(verdict(), "") << regions;
    return Json::parse(read(folder / "result.json"))["latency"]["max"].get<int>();
  };
  const std::string three = "vc-wormhole, pipeline: 3", four = "vc-wormhole, pipeline: 4, speculative: false";
  EXPECT_EQ(latency("[{nodes: \"*\", stages: {crossbar: 1}}]", three), 14);
  EXPECT_EQ(latency("[{nodes: \"*_c00\", stages: {crossbar: 3}}]", three), 16);
  EXPECT_EQ(latency("[{nodes: \"*_c03\", stages: {routing: 2, crossbar: 3}}]", three), 18);
  EXPECT_EQ(latency("[{nodes: \"*\", stages: {routing: 4}}, {nodes: \"*_c01\", stages: {routing: 1}}]", three), 27);
  EXPECT_EQ(latency("[{nodes: \"*_c01\", stages: {channel: 2, switch: 4}}]", four), 22);
  EXPECT_EQ(latency("[{nodes: \"*_c0?\", stages: {switch: 2}}, {nodes: \"*_c01\", stages: {channel: 3}}]", four), 24);
}

TEST_F(RegionRuns, AreVerifiedByTheStagesOfTheExperiment) {
  const std::string stages = "{crossbar: 3, switch: 2}";
  const auto folder =
      run(standard_catalogue(),
          line("[{nodes: \"*\", buffer: 6, stages: {routing: 1}}, {nodes: \"*_c02\", stages: " + stages + "}]",
               "vc-wormhole, pipeline: 4, speculative: false"),
          "out");
  const Json result = Json::parse(read(folder / "result.json"));
  EXPECT_EQ(
      result["experiment"]["network"]["regions"].dump(),
      R"([{"nodes":"*","buffer":6,"stages":{"routing":1}},{"nodes":"*_c02","stages":{"switch":2,"crossbar":3}}])");
  EXPECT_EQ(verdict(), "");
  EXPECT_THAT(verdict_with("result.json", "\"crossbar\": 3", "\"crossbar\": 4"),
              HasSubstr("node_r00_c02: packet 1, flit 0 moves before step 16, faster than the pipeline"));
  EXPECT_NE(verdict_with("result.json", "\"crossbar\": 3", "\"crossbar\": 2"), "");
  EXPECT_NE(verdict_with("result.json", "\"switch\": 2", "\"switch\": 3"), "");
  EXPECT_NE(verdict_with("result.json", "\"routing\": 1", "\"routing\": 2"), "");
  EXPECT_THAT(verdict_with("result.json", "\"crossbar\": 3", "\"crossbar\": 17"),
              HasSubstr("experiment.network.regions.1.stages.crossbar"));
}

TEST_F(RegionRuns, HaveTheChannelsOfTheirNodes) {
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,3,8\n0,2,3,4\n0,2,1,4\n0,2,0,4\n1,1,3,9\n");
  const auto folder =
      run(standard_catalogue(),
          line("[{nodes: \"*_c02\", channels: 3}, {nodes: \"*_c00\", channels: 1}]", "vc-wormhole, channels: 2"), "out",
          {"--dump-netlist"});
  const Json result = Json::parse(read(folder / "result.json"));
  EXPECT_EQ(result["experiment"]["network"]["regions"].dump(),
            R"([{"nodes":"*_c02","channels":3},{"nodes":"*_c00","channels":1}])");
  EXPECT_EQ(result["storage"]["channels"], 3);
  EXPECT_EQ(verdict(), "");
  const std::string netlist = read(folder / "netlist.json"), buffers = read(folder / "buffers.csv");
  for (const auto& [node, channels] : {std::pair(0, 1), std::pair(1, 2), std::pair(2, 3), std::pair(3, 2)})
    for (int channel = 0; channel < 3; ++channel) {
      const std::string name =
          "\"node_r00_c0" + std::to_string(node) + ".buffer_local_v" + std::to_string(channel) + "\"";
      const std::string row = "\n" + std::to_string(node) + ",4," + std::to_string(channel) + ",";
      EXPECT_EQ(netlist.find(name) != std::string::npos, channel < channels) << name;
      EXPECT_EQ(buffers.find(row) != std::string::npos, channel < channels) << row;
    }
  EXPECT_THAT(verdict_with("result.json", "\"channels\": 1", "\"channels\": 4"),
              HasSubstr("'storage.channels' is not the greatest number of channels"));
  EXPECT_THAT(verdict_with("result.json", "*_c02\",\n          \"channels\": 3", "*_c03\",\n          \"channels\": 3"),
              HasSubstr("is in channel 2, but there are 2"));
}

/// Packets of a class stay in its channels, wherever they are.
TEST_F(RegionRuns, DivideTheChannelsOfTheirNodesAmongClasses) {
  const std::string regions = "[{nodes: \"*_02\", channels: 5}, {nodes: \"node_a00_01\", channels: 2}]";
  const std::string network = "topology: torus, shape: [3, 4], regions: " + regions;
  const auto two_classes = [&](const std::string& first, const std::string& second) {
    const std::string packets = ", pattern: uniform, rate: 0.2, flits: 3";
    return "schema: 1\nnetwork: {" + network +
           "}\nrouting: {algorithm: vc-wormhole, channels: 3}\ntraffic: {warmup: 0, measure: 300, classes: [{name: a" +
           first + packets + "}, {name: b" + second + packets + "}]}\n";
  };
  const auto folder = run(standard_catalogue(), two_classes("", ""), "out");
  EXPECT_EQ(verdict(), "");
  EXPECT_THAT(read(folder / "buffers.csv"), testing::Not(HasSubstr("\n6,4,4,0,0,0\n"))) << "a channel is not used";
  EXPECT_THAT(refusal(standard_catalogue(), two_classes(", channels: [0, 1]", ", channels: [1, 2]")),
              testing::AllOf(HasSubstr("routing.channels: a port has 2 over link_a"),
                             HasSubstr("to node_a00_01 (network.regions), but those of class b are 1 to 2")));
  EXPECT_THAT(refusal(standard_catalogue(),
                      experiment(network, "vc-wormhole, channels: 4",
                                 "uniform, rate: 0.1, measure: 100, reply: {flits: 1, service: 5, channels: 2}")),
              HasSubstr("replies have 2 channels (traffic.reply.channels; with tlm half of routing.channels), of 2 in "
                        "total over link_"));
}

/// Buffers of their own for each channel, whose size follows from the places of an in-port.
TEST_F(RegionRuns, AreVerifiedWithPrivatePlaces) {
  run(standard_catalogue(),
      line("[{nodes: \"*_c02\", buffer: 1}]", "vc-wormhole, channels: 2, buffers: {policy: private, places: 8}"),
      "out");
  EXPECT_EQ(verdict(), "");
  EXPECT_NE(verdict_with("result.json", "\"places\": 8", "\"places\": 2"), "");
}

TEST_F(RegionRuns, AreThoseOfEverySubnet) {
  const auto folder =
      run(standard_catalogue(), line("[{nodes: \"*_c02\", buffer: 2}]", "vc-wormhole, buffer: 4", ", subnets: 2"),
          "out", {"--dump-netlist"});
  EXPECT_EQ(verdict(), "");
  EXPECT_THAT(read(folder / "netlist.json"),
              HasSubstr(R"("node_r00_c02_s1.buffer_east_v0", "module": "FlitBuffer", "capacity": 2)"));
}

TEST_F(RegionRuns, HaveTheirFaultsReportedInPlace) {
  const auto fault = [&](const std::string& regions, const std::string& routing = "vc-wormhole") {
    return refusal(standard_catalogue(), line(regions, routing));
  };
  const std::string list = "e.yaml:2:51: network.regions", entry = "e.yaml:2:52: network.regions.0";
  EXPECT_EQ(fault("3"), list + R"(: a list of nodes such as {nodes: "node_r00_*", buffer: 4} is expected, not 3)");
  EXPECT_EQ(fault("[]"),
            list + R"(: a list of nodes such as {nodes: "node_r00_*", buffer: 4} is expected, not an empty list)");
  EXPECT_EQ(fault("[3]"), entry + R"(: nodes such as {nodes: "node_r00_*", buffer: 4} are expected, not 3)");
  for (const char* without : {"[{nodes: \"*\"}]", "[{nodes: \"*\", stages: {}}]"})
    EXPECT_EQ(fault(without),
              entry + ": buffer, channels, clock or a stage of stages is missing (what differs in these nodes)");
  EXPECT_EQ(fault("[{buffer: 2}]"), entry + ": nodes or role is missing");
  EXPECT_EQ(fault("[{nodes: \"*\", role: processor, buffer: 2}]"),
            entry + ": nodes and role are given; leave one of them out");
  EXPECT_THAT(fault("[{nodes: \"*\", buffer: 65536}]"),
              HasSubstr("network.regions.0.buffer: 65536 is out of range (1 to 65535)"));
  EXPECT_THAT(fault("[{role: router, buffer: 2}]"), HasSubstr("unknown role router; known: processor, switch"));
  EXPECT_EQ(fault("[{role: switch, buffer: 2}]"), entry + ": the network has no switches, only processors");
  EXPECT_EQ(fault("[{nodes: \"*\", buffer: 2}, {nodes: \"node_r00_c2\", buffer: 2}]"),
            "e.yaml:2:77: network.regions.1: node_r00_c2 matches no instance; near: node_r00_c00, node_r00_c01, "
            "node_r00_c02");
  EXPECT_EQ(fault("[{nodes: \"*\", buffer: 2}]", "greedy"),
            list +
                ": regions are about routers with virtual channels, which greedy does not have; use vc-wormhole, or "
                "leave this key out");
  EXPECT_THAT(fault("[{nodes: \"*\", stages: {channel: 0}}]"),
              HasSubstr("network.regions.0.stages.channel: 0 is out of range (1 to 16)"));
  EXPECT_THAT(fault("[{nodes: \"*\", stages: {link: 1}}]"),
              HasSubstr("unknown key network.regions.0.stages.link; known: routing, channel, switch, crossbar"));
  EXPECT_THAT(fault("[{nodes: \"*_c02\", stages: {channel: 2}}]"),
              HasSubstr("speculative: true needs stages.channel: 1 and stages.switch: 1, also in node_r00_c02 "
                        "(network.regions), because"));
  EXPECT_THAT(fault("[{nodes: \"*_c02\", stages: {switch: 2}}]", "vc-wormhole, pipeline: 4, hold_switch: true"),
              HasSubstr("hold_switch needs stages.switch: 1, also in node_r00_c02"));
  EXPECT_THAT(fault("[{nodes: \"*_c02\", stages: {crossbar: 2}}]", "vc-wormhole, speedup: {internal: 2}"),
              HasSubstr("of 1 step, also in node_r00_c02"));
  EXPECT_THAT(fault("[{nodes: \"*_c02\", stages: {routing: 1}}]", "vc-wormhole, channels: 8, next_hop_channels: true"),
              HasSubstr("without a routing stage, also in node_r00_c02"));
  EXPECT_THAT(fault("[{nodes: \"*_c02\", channels: 1}]", "vc-wormhole, channels: 2, function: o1turn"),
              HasSubstr("routing.channels: o1turn on a mesh needs 2 channels for the two orders over "
                        "link_r00_c03_west to node_r00_c02 (network.regions), not 1"));
  EXPECT_THAT(fault("[{nodes: \"*_c02\", channels: 2}]", "vc-wormhole, buffers: {places: 9}"),
              HasSubstr("routing.buffers: the routers of network.regions have other numbers of channels"));
  EXPECT_THAT(fault("[{nodes: \"*_c02\", channels: 9}]", "vc-wormhole, channels: 8, next_hop_channels: true"),
              HasSubstr("routing.next_hop_channels: the routers of network.regions have other numbers of channels"));
  EXPECT_THAT(fault("[{nodes: \"*_c02\", channels: 0}]"),
              HasSubstr("network.regions.0.channels: 0 is out of range (1 to 256)"));
  const auto fat_tree =
      experiment("topology: fat-tree, arity: 2, levels: 2, regions: [{role: processor, stages: {crossbar: 2}}]",
                 "vc-wormhole, function: nearest-ancestor", "uniform, rate: 0.1, measure: 100");
  EXPECT_THAT(refusal(standard_catalogue(), fat_tree),
              HasSubstr("network.regions.0: stages are of routers, which these nodes do not have, because they are "
                        "terminals; give the stages to the switches (role: switch)"));
  EXPECT_THAT(fault("[{nodes: \"*\", buffer: 2}]", "vc-wormhole, buffers: {places: 9}"),
              HasSubstr("routing.buffers: the routers of network.regions have buffers of another size"));
  EXPECT_THAT(fault("[{nodes: \"*_c02\", buffer: 8}]", "vc-wormhole, flow: cut-through, buffer: 9"),
              HasSubstr("buffers of 8; raise routing.buffer, and buffer of network.regions"));
  EXPECT_THAT(
      refusal(standard_catalogue(),
              experiment("topology: pops, group_size: 2, groups: 2, regions: [{nodes: \"*\", buffer: 1}]", "direct")),
      HasSubstr("network.regions: pops networks have no routers; leave this key out"));
}

}  // namespace
}  // namespace starloom
