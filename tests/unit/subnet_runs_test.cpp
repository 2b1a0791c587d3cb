// SPDX-License-Identifier: Apache-2.0
/// \file Runs on networks with subnets, and their files (docs/subnets.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include <starloom/core/random.hpp>
#include <starloom/inspection/run_folder.hpp>
#include <starloom/run/standard_catalogue.hpp>
#include <starloom/topologies/topology_table.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class SubnetRuns : public CatalogueRuns {
 protected:
  void SetUp() override {
    scratch_.write("p.csv",
                   "cycle,source,destination,flits,subnet\n0,0,5,3,1\n0,0,5,2,0\n0,1,0,4,1\n2,3,4,1,0\n2,5,5,2,1\n");
  }
  static std::string mesh(const std::string& traffic, const std::string& subnets = ", subnets: 2",
                          const std::string& routing = "channels: 2") {
    return experiment("topology: mesh, shape: [2, 3]" + subnets, "vc-wormhole, " + routing, traffic);
  }
  std::string verdict(const std::filesystem::path& folder) const {
    try {
      const VerifyReport report = open_run_folder(folder, {topology_table()})->verify();
      return report.ok() ? "" : report.violation;
    } catch (const InputError& fault) {
      return fault.what();
    }
  }
  std::string verdict_with(const std::string& file, const std::string& text) const {
    const auto original = scratch_.read("out/" + file);
    scratch_.write("out/" + file, text);
    const std::string found = verdict(scratch_.file("out"));
    scratch_.write("out/" + file, original);
    return found;
  }
  /// The cells of a file, without the header.
  std::vector<std::vector<std::string>> cells(const std::string& file) const {
    std::vector<std::vector<std::string>> all;
    std::istringstream lines(scratch_.read("out/" + file));
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      std::istringstream text(line + ",");
      std::vector<std::string>& row = all.emplace_back();
      for (std::string cell; std::getline(text, cell, ',');) row.push_back(cell);
    }
    return all;
  }
  static std::string with(std::string text, const std::string& before, const std::string& after) {
    const std::size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    return text.replace(at, before.size(), after);
  }
};

/// Files name the nodes of one network; the ports of subnet 1 follow those of subnet 0.
TEST_F(SubnetRuns, HaveFilesThatNumberThePortsOfAllSubnets) {
  const auto folder = run(standard_catalogue(), mesh("packets, file: p.csv"), "out");
  const Json result = Json::parse(read(folder / "result.json"));
  EXPECT_EQ(result["experiment"]["network"].dump(),
            R"({"topology":"mesh","shape":[2,3],"link_latency":1,"subnets":2})");
  EXPECT_THAT(read(folder / "packets.csv"), HasSubstr(",injected,subnet\n0,0,5,3,0,"));
  int hops_in_1 = 0;
  for (const auto& row : cells("trace.csv")) {
    EXPECT_LT(std::stoi(row[4]), 6);
    if (row[1] != "hop") continue;
    // Packets 0, 2 and 4 are in subnet 1.
    EXPECT_EQ(std::stoi(row[5]) >= 5, std::stoi(row[2]) % 2 == 0) << row[2];
    EXPECT_LT(std::stoi(row[6]), 6);
    hops_in_1 += std::stoi(row[5]) >= 5 ? 1 : 0;
  }
  EXPECT_EQ(hops_in_1, 3 * 3 + 4);
  std::int64_t flits = 0;
  EXPECT_EQ(cells("links.csv").size(), 28u);
  for (const auto& row : cells("links.csv")) flits += std::stoi(row[1]) >= 5 ? std::stoi(row[3]) : 0;
  EXPECT_EQ(flits, hops_in_1);
  const auto buffers = cells("buffers.csv");
  EXPECT_EQ(buffers.size(), (28u + 12u) * 2u);
  EXPECT_TRUE(std::any_of(buffers.begin(), buffers.end(), [](const auto& row) { return row[1] == "9"; }));
  for (const auto& row : cells("credits.csv")) EXPECT_LT(std::stoi(row[1]), 6);
  EXPECT_EQ(verdict(folder), "");
}

TEST_F(SubnetRuns, AreVerifiedByTheirFiles) {
  const auto folder = run(standard_catalogue(), mesh("packets, file: p.csv"), "out");
  const std::string trace = read(folder / "trace.csv"), packets = read(folder / "packets.csv");
  ASSERT_EQ(verdict(folder), "");
  // Packet 3 goes over port 3 of node 3 in subnet 0.
  ASSERT_THAT(trace, HasSubstr(",hop,3,0,3,1,4,0\n"));
  EXPECT_THAT(verdict_with("trace.csv", with(trace, ",hop,3,0,3,1,4,0\n", ",hop,3,0,3,6,4,0\n")),
              HasSubstr("link_r01_c00_s1_east: packet 3, flit 0 moves, but it is in node_r01_c00"));
  EXPECT_THAT(verdict_with("trace.csv", with(trace, ",hop,3,0,3,1,4,0\n", ",hop,3,0,3,11,4,0\n")),
              HasSubstr("uses port 11, which the node does not have"));
  EXPECT_THAT(verdict_with("trace.csv", with(trace, ",hop,3,0,3,1,4,0\n", ",hop,3,0,3,1,7,0\n")),
              HasSubstr("the nodes of this run are 0 to 5"));
  EXPECT_THAT(verdict_with("trace.csv", with(trace, "0,inject,0,0,0,,,0\n", "")),
              HasSubstr("node_r00_c00_s1: packet 0, flit 1 is injected before flit 0"));
  EXPECT_THAT(verdict_with("trace.csv", with(trace, "0,inject,0,0,0,,,0\n0,inject,2,0,1,,,0\n",
                                             "0,inject,2,0,1,,,0\n0,inject,0,0,0,,,0\n")),
              HasSubstr("the row is out of order"));
  const std::string of_packet_0 = packets.substr(packets.find("\n0,") + 1, packets.find("\n1,") - packets.find("\n0,"));
  EXPECT_THAT(verdict_with("packets.csv", with(packets, of_packet_0, with(of_packet_0, ",1\n", ",0\n"))),
              HasSubstr("node_r00_c00_s1, but no flit has left it"));
  EXPECT_THAT(verdict_with("packets.csv", with(packets, of_packet_0, with(of_packet_0, ",1\n", ",2\n"))),
              HasSubstr("packet 0 is in subnet 2, but result.json has 2 subnets"));
  const std::string credits = read(folder / "credits.csv");
  const std::string first =
      credits.substr(credits.find('\n') + 1, credits.find('\n', credits.find('\n') + 1) - credits.find('\n'));
  EXPECT_THAT(verdict_with("credits.csv", with(credits, first, "")), HasSubstr("credit"));
  const std::string result = read(folder / "result.json");
  EXPECT_THAT(verdict_with("result.json", with(result, "\"subnets\": 2", "\"subnets\": 17")),
              HasSubstr("experiment.network.subnets"));
}

/// The cycle of a deadlock names ports of its subnet.
TEST_F(SubnetRuns, FindTheCycleOfADeadlock) {
  std::string packets = "cycle,source,destination,flits,subnet\n";
  for (int node = 0; node < 5; ++node)
    packets += "0," + std::to_string(node) + "," + std::to_string((node + 3) % 5) + ",9,1\n";
  scratch_.write("p.csv", packets);
  const std::string text =
      experiment("topology: torus, shape: [5], subnets: 2", "vc-wormhole, function: shortest, channels: 1, buffer: 2",
                 "packets, file: p.csv");
  EXPECT_EQ(status_of_run(standard_catalogue(), text, "out"), 4);
  const Json result = Json::parse(read(scratch_.file("out/result.json")));
  EXPECT_EQ(result["deadlock"]["circle"].size(), 5u);
  for (const Json& entry : result["deadlock"]["circle"]) {
    EXPECT_LT(entry["node"], 5);
    EXPECT_GE(entry["port"], 3);
    EXPECT_LT(entry["port"], 5);
  }
  EXPECT_LT(result["queue"]["node"], 5);
  EXPECT_EQ(verdict(scratch_.file("out")), "");
  Json changed = result;
  for (Json& entry : changed["deadlock"]["circle"]) entry["port"] = entry["port"].get<int>() - 3;
  EXPECT_THAT(verdict_with("result.json", changed.dump()),
              HasSubstr("waits at node 0, but by the rows it is not there"));
  const auto said = run_command(standard_catalogue(), {"show", scratch_.file("out").string(), "--step", "60"});
  EXPECT_EQ(static_cast<int>(said.status), 0);
}

/// A processor sends the packets of a queue one after the other, also into different subnets.
TEST_F(SubnetRuns, SendTheNextPacketInTheStepAfterTheTail) {
  const auto injected = [&] {
    run(standard_catalogue(), mesh("packets, file: p.csv"), "out");
    std::vector<std::string> steps;
    for (const auto& row : cells("packets.csv")) steps.push_back(row[6]);
    return steps;
  };
  EXPECT_EQ(injected(), (std::vector<std::string>{"0", "3", "0", "2", "2"}));
  // In step 1, nothing else happens.
  scratch_.write("p.csv", "cycle,source,destination,flits,subnet\n0,0,5,1,1\n0,0,5,1,0\n");
  EXPECT_EQ(injected(), (std::vector<std::string>{"0", "1"}));
}

TEST_F(SubnetRuns, DrawTheSubnetsOfPackets) {
  run(standard_catalogue(),
      mesh("classes, warmup: 0, measure: 60, classes: [{name: a, pattern: uniform, rate: 0.2}, {name: b, subnet: any, "
           "pattern: uniform, rate: 0.3, reply: {class: c, flits: 1, service: 4}}, {name: c, subnet: any}]",
           ", subnets: 3"),
      "out", {"--seed", "7"});
  std::map<std::tuple<int, int, int>, RandomStream> streams;  // [class, source, step]
  std::vector<int> counts(3, 0);
  for (const auto& row : cells("packets.csv")) {
    const int source = std::stoi(row[1]), created = std::stoi(row[4]), number = std::stoi(row[7]);
    if (number == 0) {
      EXPECT_EQ(row[8], "0");
      continue;
    }
    RandomStream& words =
        streams
            .try_emplace({number, source, created}, 7, Purpose::destination, source, created, 65536u * number + 32768u)
            .first->second;
    const auto subnet = words.bounded(3);
    EXPECT_EQ(row[8], std::to_string(subnet));
    ++counts[subnet];
  }
  for (const int count : counts) EXPECT_GT(count, 10);
  EXPECT_EQ(verdict(scratch_.file("out")), "");
}

/// Packets of subnet 1 draw their paths from other words than those of subnet 0.
TEST_F(SubnetRuns, DrawTheChoicesOfRoutingFunctionsApart) {
  scratch_.write("p.csv", "cycle,source,destination,flits,subnet\n0,0,5,1,0\n0,2,3,1,1\n3,0,5,1,1\n5,1,3,1,1\n");
  for (const char* seed : {"1", "2", "3"}) {
    run(standard_catalogue(), mesh("packets, file: p.csv", ", subnets: 2", "channels: 2, function: o1turn"), "out",
        {"--seed", seed});
    std::map<std::string, int> first_port;
    for (const auto& row : cells("trace.csv"))
      if (row[1] == "hop") first_port.try_emplace(row[2], std::stoi(row[5]));
    const auto choice = [&](NodeId node, Step step, std::uint32_t first_word) {
      return RandomStream(std::stoull(seed), Purpose::algorithm, node, step, first_word).bounded(2);
    };
    // 0: columns (ports 1 and 3) first; 1: rows (ports 0 and 2).
    const auto along_a_row = [](int port) { return port % 5 % 2 == 1; };
    EXPECT_EQ(along_a_row(first_port["0"]), choice(0, 0, 0) == 0);
    EXPECT_EQ(along_a_row(first_port["1"]), choice(2, 0, 1 << 20) == 0);
    EXPECT_EQ(along_a_row(first_port["2"]), choice(0, 3, 1 << 20) == 0);
    EXPECT_EQ(along_a_row(first_port["3"]), choice(1, 5, 1 << 20) == 0);
  }
}

/// Requests and replies on the same channels of one network block each other; in subnets of their own they do not.
TEST_F(SubnetRuns, SeparateRequestsFromReplies) {
  const auto text = [](const std::string& subnets, const std::string& of_replies) {
    return "schema: 1\nnetwork: {topology: mesh, shape: [2, 2]" + subnets +
           "}\nlimits: {quiet: 200}\nrouting: {algorithm: vc-wormhole, channels: 2, buffer: 1}\ntraffic: {warmup: 0, "
           "measure: 400, classes: [{name: ask, pattern: uniform, rate: 0.2, reply: {class: answer, flits: 2, service: "
           "3, places: 2}}, {name: answer" +
           of_replies + "}]}\n";
  };
  EXPECT_EQ(status_of_run(standard_catalogue(), text("", ""), "one"), 4);
  EXPECT_EQ(status_of_run(standard_catalogue(), text(", subnets: 2", ""), "together"), 4);
  EXPECT_EQ(verdict(scratch_.file("together")), "");
  const auto apart = run(standard_catalogue(), text(", subnets: 2", ", subnet: 1"), "out");
  EXPECT_EQ(verdict(apart), "");
  Json changed = Json::parse(read(apart / "result.json"));
  changed["experiment"]["traffic"]["classes"][0]["reply"]["places"] = 1;
  EXPECT_THAT(verdict_with("result.json", changed.dump()), HasSubstr("although the replies to 1 request"));
}

TEST_F(SubnetRuns, AreRefusedWithAPlaceAndASuggestion) {
  const auto error = [&](const std::string& text) { return refusal(standard_catalogue(), text); };
  EXPECT_EQ(error(mesh("packets, file: p.csv", "")),
            "p.csv:2:9: subnet: 1 is more than 0, because the network has no subnets; set network.subnets\n"
            "p.csv:4:9: subnet: 1 is more than 0, because the network has no subnets; set network.subnets\n"
            "p.csv:6:9: subnet: 1 is more than 0, because the network has no subnets; set network.subnets");
  EXPECT_EQ(error(mesh("reversal", ", subnets: 17")), "e.yaml:2:51: network.subnets: 17 is out of range (1 to 16)");
  const auto of_class = [&](const std::string& keys) {
    return error(mesh("classes, classes: [{name: a, pattern: uniform, rate: 0.1, " + keys + "}]"));
  };
  EXPECT_EQ(of_class("subnet: 2"),
            "e.yaml:4:86: traffic.classes.a.subnet: 2 is more than 1, the number of the last subnet; raise "
            "network.subnets");
  EXPECT_EQ(of_class("subnet: all"),
            "e.yaml:4:86: traffic.classes.a.subnet: an integer or any is expected, not \"all\"");
  EXPECT_EQ(of_class("subnet: any, reply: {class: a, flits: 1, service: 1, places: 2}"),
            "e.yaml:4:86: traffic.classes.a.subnet: a class with reply.places is in one subnet, so any is not a value "
            "here; give its number");
  EXPECT_EQ(error(experiment("topology: mesh, shape: [2, 3], subnets: 2", "greedy")),
            "e.yaml:2:51: network.subnets: subnets need virtual channels, which greedy does not have; use vc-wormhole");
  EXPECT_EQ(error(experiment("topology: pops, group_size: 2, groups: 2, subnets: 2", "randomized")),
            "e.yaml:2:62: network.subnets: only networks of links can have subnets, and pops networks have couplers");
  const auto rates = [&](const std::string& a, const std::string& b) {
    return error(mesh("classes, classes: [{name: a, pattern: uniform, rate: " + a +
                      "}, {name: b, pattern: uniform, rate: " + b + "}]"));
  };
  EXPECT_EQ(rates("0.7", "0.7, subnet: 1"), "");
  EXPECT_EQ(rates("0.6", "0.7, subnet: any"), "");
  EXPECT_EQ(rates("0.7", "0.7, subnet: any"),
            "e.yaml:4:29: traffic.classes: the sum of the rates, 1.05 is more than a processor can send: with virtual "
            "channels one flit per step into a subnet");
  EXPECT_EQ(rates("0.1", "1.2, flits: 4, subnet: any"),
            "e.yaml:4:79: traffic.classes.b: rate 1.2 is more than a processor can send: one flit per step from the "
            "queue of a class");
}

/// The nodes of subnets have names of their own, which must differ from all others.
TEST_F(SubnetRuns, NeedNamesOfTheirOwn) {
  scratch_.write("g.yaml",
                 "nodes:\n  - {name: a}\n  - {name: a_s1}\nlinks:\n  - {from: a, to: a_s1}\n  - {from: a_s1, to: a}\n");
  EXPECT_THAT(refusal(standard_catalogue(),
                      experiment("topology: graph, file: g.yaml, subnets: 2", "vc-wormhole, function: up-down")),
              HasSubstr("e.yaml:2:51: network: nodes 1 and 2 are both named a_s1; names must be unique"));
}

}  // namespace
}  // namespace starloom
