// SPDX-License-Identifier: Apache-2.0
/// \file Runs in which hardware dies and is repaired. Steps and numbers of packets come from an independent
/// implementation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "unit/fault_runs.hpp"

namespace starloom {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

/// The fate of each packet: the step of its delivery, or the cause and step of its loss.
/// \param packets the text of packets.csv.
std::vector<std::string> fates(const std::string& packets) {
  std::vector<std::string> fates;
  std::istringstream lines(packets);
  for (std::string line, cell; std::getline(lines, line);) {
    std::vector<std::string> cells;
    for (std::istringstream of_line(line + ","); std::getline(of_line, cell, ',');) cells.push_back(cell);
    fates.push_back(cells.at(5).empty() ? cells.at(7) + " " + cells.at(8) : cells.at(5));
  }
  fates.erase(fates.begin());
  return fates;
}

class ScheduledFaults : public FaultRuns {
 protected:
  static std::string row(const std::string& faults) {
    return experiment("topology: mesh, shape: [1, 4]", "vc-wormhole, channels: 1, buffer: 8", "packets, file: p.csv") +
           "faults: {" + faults + ", reroute: {after: never}}\n";
  }
  static std::string scheduled(const std::string& dead) { return "dead: [" + dead + "], reroute: {after: never}"; }
};

TEST_F(ScheduledFaults, CutPacketsOnARow) {
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,3,8\n0,0,3,8\n0,0,3,8\n");
  const auto run = [this](int step) {
    EXPECT_EQ(status_of(row("dead: [{cable: link_r00_c01_east, at: " + std::to_string(step) + "}]")), 4);
    EXPECT_EQ(result()["faults"]["events"], 2);
    return fates(read(scratch_.file("out/packets.csv")));
  };
  EXPECT_THAT(run(14), testing::ElementsAre("cut 14", "cut 14", "no-way 19"));
  EXPECT_EQ(result()["faults"]["lost"].dump(), R"({"cut":2,"no-way":1})");
  EXPECT_EQ(result()["faults"]["flits_dropped"], 14 + 5);
  EXPECT_EQ(result()["links"]["flit_hops"], 22);
  EXPECT_EQ(read(scratch_.file("out/faults.csv")), "step,event,node,port,to\n14,dead,1,1,2\n14,dead,2,3,1\n");
  EXPECT_EQ(result()["experiment"]["faults"].dump(),
            R"({"dead":[{"cable":"link_r00_c01_east","at":14}],"random":null,"reroute":{"after":"never"},)"
            R"("losses":"fail","seed":1})");
  const std::string out = scratch_.file("out").string();
  EXPECT_THAT(output_of(catalogue_, {"why", out, "--packet", "0"}),
              HasSubstr("in node_r00_c01: cut, link_r00_c01_east"));
  EXPECT_THAT(output_of(catalogue_, {"show", out, "--step", "14"}),
              HasSubstr("0 flits on links; 0 packets in buffers, 1 waiting in sources"));
  EXPECT_THAT(run(15), testing::ElementsAre("21", "cut 15", "no-way 20"));
}

TEST_F(ScheduledFaults, EndWithARepair) {
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,3,8\n20,0,3,8\n20,0,1,8\n40,0,3,8\n41,3,0,8\n");
  EXPECT_EQ(status_of(row("dead: [{cable: link_r00_c01_east, at: 10, until: 40}], losses: count")), 0);
  EXPECT_THAT(fates(read(scratch_.file("out/packets.csv"))),
              testing::ElementsAre("cut 10", "no-way 25", "40", "61", "62"));
  EXPECT_EQ(read(scratch_.file("out/faults.csv")),
            "step,event,node,port,to\n10,dead,1,1,2\n10,dead,2,3,1\n40,repaired,1,1,2\n40,repaired,2,3,1\n");
}

// Packets of a transpose go towards the diagonal.
TEST_F(ScheduledFaults, OfUnusedLinksChangeNoPacket) {
  EXPECT_EQ(status_of(mesh8("vc-wormhole", transpose, "losses: fail")), 0);
  const std::string whole = read(scratch_.file("out/packets.csv")), trace = read(scratch_.file("out/trace.csv"));
  EXPECT_EQ(
      status_of(mesh8("vc-wormhole", transpose,
                      scheduled("{link: link_r00_c00_east, at: 5, until: 30}, {link: link_r05_c05_west, at: 20}"))),
      0);
  EXPECT_EQ(result()["faults"]["events"], 3);
  EXPECT_EQ(read(scratch_.file("out/packets.csv")), whole);
  EXPECT_EQ(read(scratch_.file("out/trace.csv")), trace);
}

TEST_F(ScheduledFaults, AreReportedByCheck) {
  const auto check = [this](const std::string& dead) {
    return check_of(catalogue_, mesh8("vc-wormhole", transpose, scheduled(dead)));
  };
  EXPECT_THAT(check("{cable: link_r03_c03_east, at: 20, until: 70}"),
              HasSubstr("\n  events        2 deaths and 2 repairs of links, routers and processors in steps 20 to 70; "
                        "routing functions do not learn of them\n"));
  EXPECT_THAT(check("{processor: 3, at: 9}"), HasSubstr("  events        1 death and 0 repairs of links, routers and "
                                                        "processors in step 9; "));
  EXPECT_THAT(check("{cable: link_r03_c03_east, at: 0}"), testing::Not(HasSubstr("\n  events")));
}

// Events after the last step of a run do not happen.
TEST_F(ScheduledFaults, HappenUpToTheLastStep) {
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,3,8\n");
  EXPECT_EQ(status_of(row("dead: [{cable: link_r00_c01_east, at: 1000}, {router: 3, at: 22, until: 500}]")), 0);
  EXPECT_EQ(result()["faults"]["events"], 0);
  EXPECT_EQ(read(scratch_.file("out/faults.csv")), "step,event,node,port,to\n");
}

TEST_F(ScheduledFaults, CutATransposeOfAMesh) {
  EXPECT_EQ(status_of(mesh8("vc-wormhole", transpose, scheduled("{cable: link_r03_c03_east, at: 20}"))), 4);
  const std::vector<int> steps = delivered();
  EXPECT_EQ(steps.size(), 62u);
  EXPECT_EQ(sum_of_delivered(), 2245);
  EXPECT_EQ(result()["links"]["flit_hops"], 2606);
  const std::vector<std::string> fate = fates(read(scratch_.file("out/packets.csv")));
  EXPECT_EQ(fate[30], "cut 20");
  EXPECT_EQ(fate[31], "no-way 23");
}

TEST_F(ScheduledFaults, AreDrawnAsThoseOfTheStart) {
  EXPECT_EQ(status_of(mesh8("vc-wormhole", transpose,
                            "random: {cables: 4, at: 10, until: 30}, seed: 1, reroute: {after: never}")),
            4);
  EXPECT_EQ(result()["experiment"]["faults"]["random"].dump(), R"({"cables":4,"at":10,"until":30})");
  EXPECT_EQ(result()["faults"]["cables"], 0) << "of step 0";
  EXPECT_EQ(result()["faults"]["events"], 16);
  const std::string at_ten = read(scratch_.file("out/faults.csv"));
  EXPECT_EQ(status_of(mesh8("vc-wormhole", transpose, random_four)), 4);
  std::string from_start = read(scratch_.file("out/faults.csv"));
  for (std::size_t at = 0; (at = from_start.find("0,dead", at)) != std::string::npos; at += 7)
    from_start.insert(at, "1");
  EXPECT_EQ(at_ten.substr(0, from_start.size()), from_start);
}

// In an open loop with losses of each kind, requests, replies and measurement go on.
TEST_F(ScheduledFaults, OpenLoopGoesOn) {
  const std::string text =
      mesh8("vc-wormhole, channels: 2, function: up-down",
            "uniform, rate: 0.04, flits: 4, warmup: 100, measure: 500, drain: 2000, reply: {flits: 2, service: 5}",
            "dead: [link_r00_c00_south, {router: 20, at: 200, until: 400}, {processor: 3, at: 150}, "
            "{link: link_r03_c03_east, at: 300}], random: {cables: 3, at: 250, until: 450}, losses: count, "
            "reroute: {after: never}");
  EXPECT_EQ(status_of(text), 0);
  const ordered_json faults = result()["faults"];
  for (const char* cause : {"dead-source", "cut", "no-way"}) EXPECT_GT(faults["lost"].value(cause, 0), 0) << cause;
  EXPECT_EQ(faults["events"], 2 * 10 + 1 + 1 + 2 * 6);
  EXPECT_TRUE(result()["latency"]["partial"]);
  expect_same_bytes_in_any_order(catalogue_, text);
}

TEST_F(ScheduledFaults, AreRefusedWithWrongTimes) {
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,3,8\n");
  const auto error = [this](const std::string& faults) { return refused(row(faults)); };
  EXPECT_THAT(error("dead: [{cable: link_r00_c01_east, at: 9, until: 9}]"),
              HasSubstr("faults.dead.0: it is repaired in step 9, but dies in step 9; until is greater than at"));
  EXPECT_THAT(
      error("dead: [{router: 1, at: 5, until: 9}, {router: node_r00_c01, at: 8}]"),
      HasSubstr("faults.dead.1: node_r00_c01 is dead already at the same time, by faults.dead.0; leave one out"));
  EXPECT_THAT(error("dead: [{places: 1, channel: 0, of: link_r00_c01_east, at: 9}]"),
              HasSubstr("faults.dead.0: channels and places are dead throughout a run; leave at and until out, or name "
                        "the link"));
  EXPECT_THAT(error("dead: [{cable: link_r00_c01_east, at: -1}]"), HasSubstr("faults.dead.0.at: -1 is out of range"));
  EXPECT_THAT(error("random: {at: 9}"), HasSubstr("faults.random: at and until are times of random cables or routers"));
  EXPECT_THAT(error("random: {cables: 1, at: 9, until: 3}"), HasSubstr("faults.random: it is repaired in step 3"));
  EXPECT_THAT(error("random: {routers: 4, at: 9}"), HasSubstr("faults: no processor is left alive"));
}

TEST_F(ScheduledFaults, AreRefusedWhereNoPacketCanBeLostUnderWay) {
  const std::string mesh = "topology: mesh, shape: [4, 4]";
  const auto refused_with = [this](const std::string& network, const std::string& routing, const std::string& traffic) {
    return refused(experiment(network, routing, traffic) +
                   "faults: {random: {cables: 1, at: 9}, reroute: {after: never}}\n");
  };
  EXPECT_THAT(refused_with(mesh, "vc-wormhole", "collective, op: all-reduce, flits: 64"),
              HasSubstr("traffic: packets of collective wait for others, which would wait forever for one that is lost "
                        "when hardware dies"));
  const std::vector<std::array<std::string, 3>> excluded = {
      {mesh, "channels: 2, speedup: {input: 2}", "routing.speedup"},
      {mesh, "channels: 2, speculative: false, stages: {switch: 2}",
       "allocations that take several steps (routing.stages)"},
      {mesh, "channels: 2, buffers: {places: 8}", "buffers that channels share"},
      {mesh + ", regions: [{nodes: node_r01_*, buffer: 4}]", "channels: 2", "network.regions"},
      {mesh + ", clocks: {fast: 1, slow: 2}, regions: [{nodes: node_r00_*, clock: slow}]", "channels: 2",
       "network.clocks"},
      {"topology: flattened-butterfly, shape: [4, 4], concentration: 1", "channels: 4, function: ugal",
       "functions that decide by the load of the router"},
      {"topology: leaf-spine, leaves: 2, spines: 2, hosts: 2", "function: up-down", "processors without a router"}};
  for (const auto& [network, routing, obstacle] : excluded)
    EXPECT_THAT(refused_with(network, "vc-wormhole, " + routing, "reversal"),
                HasSubstr("faults: hardware that dies or is repaired during the run excludes " + obstacle));
}

TEST_F(ScheduledFaults, DamagedFilesAreFound) {
  ASSERT_EQ(status_of(mesh8("vc-wormhole", transpose, scheduled("{cable: link_r03_c03_east, at: 20, until: 30}"))), 4);
  const char* const other = "faults.csv does not have the dead and repaired hardware of the keys of the experiment";
  EXPECT_THAT(verdict_with("faults.csv", "30,repaired,28,3,27\n", ""), HasSubstr(other));
  EXPECT_THAT(verdict_with("faults.csv", "30,repaired,27", "31,repaired,27"), HasSubstr(other));
  EXPECT_THAT(verdict_with("faults.csv", "30,repaired,27", "30,alive,27"),
              HasSubstr("the event is repaired, dead, stopped or changed"));
  EXPECT_THAT(verdict_with("faults.csv", "30,repaired,27", "30,stopped,27"), HasSubstr(other));
  EXPECT_THAT(verdict_with("result.json", "\"until\": 30", "\"until\": 32"), HasSubstr(other));
  EXPECT_THAT(verdict_with("result.json", "\"at\": 20", "\"at\": 21"), testing::Not(HasSubstr(other)))
      << "flits vanish without a death";
  EXPECT_THAT(verdict_with("result.json", "\"events\": 4", "\"events\": 2"), HasSubstr("faults.events"));
  EXPECT_THAT(verdict_with("result.json", "\"flits_dropped\": ", "\"flits_dropped\": 1"),
              HasSubstr("faults.flits_dropped"));
  EXPECT_THAT(verdict_with("packets.csv", "no-way,23", "cut,23"),
              HasSubstr("packet 31, flit 0 is reported as lost by cut, but it uses no hardware that dies then"));
}

TEST_F(ScheduledFaults, LostPacketsAreExplained) {
  ASSERT_EQ(status_of(mesh8("vc-wormhole", transpose,
                            scheduled("{cable: link_r03_c03_east, at: 20}, {processor: 63, at: 10}"))),
            4);
  const std::string out = scratch_.file("out").string();
  const auto why = [&](const char* packet) { return output_of(catalogue_, {"why", out, "--packet", packet}); };
  EXPECT_EQ(
      why("30"),
      "packet 30, 8 flits, from node_r03_c06 to node_r06_c03: created in step 0, lost in step 20 in node_r03_c04: "
      "cut, link_r03_c04_west\n"
      "\n"
      "  step      0      2  pipeline\n"
      "  step      2      2  pipeline for link_r03_c06_west\n"
      "  step      4         over link_r03_c06_west\n"
      "  step      5      5  channel for link_r03_c05_west, behind packet 29\n"
      "  step     10      2  credit for link_r03_c05_west, behind packet 29\n"
      "  step     12      2  pipeline for link_r03_c05_west\n"
      "  step     14         over link_r03_c05_west\n");
  EXPECT_EQ(
      why("31"),
      "packet 31, 8 flits, from node_r03_c07 to node_r07_c03: created in step 0, lost in step 23 in node_r03_c04: "
      "no-way, link_r03_c04_west\n"
      "\n"
      "  step      0      2  pipeline\n"
      "  step      2      2  pipeline for link_r03_c07_west\n"
      "  step      4         over link_r03_c07_west\n"
      "  step      5      9  channel for link_r03_c06_west, behind packet 30\n"
      "  step     14      2  pipeline for link_r03_c06_west\n"
      "  step     16         over link_r03_c06_west\n"
      "  step     17      1  worm for link_r03_c05_west, behind packet 30\n"
      "  step     18      2  channel for link_r03_c05_west, behind packet 30\n"
      "  step     20      2  pipeline for link_r03_c05_west\n"
      "  step     22         over link_r03_c05_west\n");
  const ordered_json json = ordered_json::parse(output_of(catalogue_, {"why", out, "--packet", "30", "--json"}));
  EXPECT_EQ(json["lost"].dump(), R"({"cause":"cut","step":20,"node":28,"fault":"link_r03_c04_west"})");
  EXPECT_EQ(json["delivered"], nullptr);
  EXPECT_THAT(output_of(catalogue_, {"why", out}), testing::Not(HasSubstr("never delivered")));
}

TEST_F(ScheduledFaults, PicturesNameTheStepsOfDeadHardware) {
  ASSERT_EQ(status_of(mesh8("vc-wormhole", transpose,
                            scheduled("{cable: link_r03_c03_east, at: 20, until: 30}, {router: 7, at: 40}, "
                                      "link_r00_c00_east, {link: link_r05_c05_east, at: 5000}"))),
            4);
  const std::string picture = read(scratch_.file("out/links.svg"));
  EXPECT_THAT(picture, testing::ContainsRegex("link_r03_c03_east [0-9]+ flits, [0-9.]+ %, dead in steps 20 to 29<"));
  EXPECT_THAT(picture, HasSubstr(">node_r00_c07, dead from step 40 on<"));
  EXPECT_THAT(picture, HasSubstr(">link_r00_c00_east, dead<"));
  EXPECT_THAT(picture, testing::Not(testing::ContainsRegex("link_r05_c05_east[^<]*dead"))) << "it is after the run";
  EXPECT_THAT(picture, HasSubstr("dead for a time"));
}

TEST_F(ScheduledFaults, PacketsWaitInAProcessorUntilItDies) {
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,3,8\n0,0,3,8\n0,0,3,8\n12,0,3,8\n");
  EXPECT_EQ(status_of(row("dead: [{processor: 0, at: 10}]")), 4);
  EXPECT_THAT(fates(read(scratch_.file("out/packets.csv"))),
              testing::ElementsAre("21", "cut 10", "dead-source 10", "dead-source 12"));
  const std::string out = scratch_.file("out").string();
  const auto show = [&](const char* step) { return output_of(catalogue_, {"show", out, "--step", step}); };
  EXPECT_THAT(show("9"), HasSubstr(", 2 waiting in sources"));
  EXPECT_THAT(show("10"), HasSubstr(", 0 waiting in sources"));
  EXPECT_THAT(show("12"), HasSubstr(", 0 waiting in sources"));
  EXPECT_EQ(output_of(catalogue_, {"why", out, "--packet", "2"}),
            "packet 2, 8 flits, from node_r00_c00 to node_r00_c03: created in step 0, lost in step 10: dead-source, "
            "node_r00_c00\n");
  EXPECT_THAT(output_of(catalogue_, {"why", out}), testing::Not(HasSubstr("packet 2")));
  output_of(catalogue_, {"replay", out, "--out", scratch_.file("page.html").string()});
}

// A packet for its own node is in the router when its processor dies.
TEST_F(ScheduledFaults, NameRoutersAndProcessorsThatDie) {
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,3,8\n2,2,2,8\n8,3,0,8\n");
  EXPECT_EQ(status_of(row("dead: [{router: 1, at: 9}, {processor: 2, at: 8}]")), 4);
  const std::string out = scratch_.file("out").string();
  const auto why = [&](const char* packet) { return output_of(catalogue_, {"why", out, "--packet", packet}); };
  EXPECT_THAT(why("0"), HasSubstr("lost in step 9 in node_r00_c01: cut, node_r00_c01\n"));
  EXPECT_THAT(why("1"), HasSubstr("lost in step 8 in node_r00_c02: cut, node_r00_c02\n"));
  EXPECT_THAT(why("2"), HasSubstr("in node_r00_c02: no-way, link_r00_c02_west\n"));
  const auto show = [&](const char* step) { return output_of(catalogue_, {"show", out, "--step", step}); };
  EXPECT_THAT(show("7"), HasSubstr("2 packets in buffers"));
  EXPECT_THAT(show("7"), testing::Not(HasSubstr("dead: ")));
  EXPECT_THAT(show("8"), HasSubstr("\ndead: the processor of node_r00_c02\n"));
  EXPECT_THAT(show("9"), HasSubstr("\ndead: node_r00_c01 and the processor of node_r00_c02\n"));
  EXPECT_THAT(show("9"), HasSubstr("step 9 of mesh 1 x 4: 0 flits on links; 0 packets in buffers"));
}

}  // namespace
}  // namespace starloom
