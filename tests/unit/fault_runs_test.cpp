// SPDX-License-Identifier: Apache-2.0
/// \file Runs on networks with faults. Steps and numbers of packets come from an independent implementation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "unit/fault_runs.hpp"

namespace starloom {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::StartsWith;

TEST_F(FaultRuns, UpDownDeliversAllPacketsRoundADeadCable) {
  EXPECT_EQ(status_of(mesh8("vc-wormhole, function: up-down", transpose, central_cable)), 0);
  EXPECT_EQ(result()["steps"], 156);
  EXPECT_EQ(sum_of_delivered(), 3400);
  const ordered_json faults = result()["faults"];
  EXPECT_EQ(faults.dump(),
            R"({"cables":1,"links":2,"routers":0,"events":0,"parts":1,"connected":true,"unreachable_pairs":0,)"
            R"("acyclic":true,"lost":{},"flits_dropped":0,"changes":[]})");
  EXPECT_EQ(read(scratch_.file("out/faults.csv")), "step,event,node,port,to\n0,dead,27,1,28\n0,dead,28,3,27\n");
}

TEST_F(FaultRuns, GreedyDeliversAllPacketsRoundDeadCables) {
  EXPECT_EQ(status_of(mesh8("greedy, function: up-down", "transpose", central_cable)), 0);
  EXPECT_EQ(result()["steps"], 18);
  EXPECT_EQ(sum_of_delivered(), 492);
  EXPECT_EQ(result()["queue"]["max"], 6);
  EXPECT_EQ(status_of(mesh8("greedy, function: shortest", "transpose", random_four)), 0);
  EXPECT_EQ(result()["steps"], 14);
  EXPECT_EQ(sum_of_delivered(), 342);
}

TEST_F(FaultRuns, CheckReportsThePairsOfLayers) {
  const std::string text = mesh8("vc-wormhole, channels: 4, function: layered", transpose, central_cable);
  EXPECT_EQ(check_json(text)["layers"].dump(), "[3872,160]");
  EXPECT_EQ(check_json(text)["verdict"], "acyclic");
  EXPECT_THAT(check_of(catalogue_, text), HasSubstr("\n  layers        2: 3872, 160 pairs\n"));
  EXPECT_FALSE(check_json(mesh8("vc-wormhole, function: up-down", transpose, central_cable)).contains("layers"));
  EXPECT_THAT(check_of(catalogue_, mesh8("deflection", "reversal", central_cable)),
              HasSubstr("\n  pair load     not known: paths are not fixed, or too many\n"));
}

// A packet goes round by itself: the links on shortest paths of what is left are good ones.
TEST_F(FaultRuns, DeflectionGoesRoundDeadCables) {
  const auto run = [this](const std::string& faults) {
    EXPECT_EQ(status_of(mesh8("deflection", "reversal", faults)), 0);
    EXPECT_EQ(result()["bounds"]["steps"], 64 * 14);
    return std::pair<int, int>(result()["steps"], result()["links"]["flit_hops"]);
  };
  EXPECT_EQ(run("losses: fail"), std::pair(14, 520));
  EXPECT_EQ(run(central_cable), std::pair(14, 550));
  EXPECT_EQ(run(random_four), std::pair(16, 552));
}

// With the distances of the whole network it would turn back in front of the dead cable, without end.
TEST_F(FaultRuns, DeflectionTurnsBackNowhere) {
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,3,4,1\n");
  EXPECT_EQ(status_of(mesh8("deflection", "packets, file: p.csv", "dead: [link_r00_c03_east]")), 0);
  EXPECT_EQ(result()["steps"], 3);
}

TEST_F(FaultRuns, DeflectionLosesThePacketsOfDeadRoutersAndOtherParts) {
  const std::string line = experiment("topology: mesh, shape: [1, 6]", "deflection");
  EXPECT_EQ(status_of(line + "faults: {dead: [{router: 2}], losses: count}\n"), 0);
  EXPECT_EQ(result()["faults"]["lost"].dump(), R"({"dead-source":1,"dead-destination":1,"disconnected":4})");
  EXPECT_EQ(result()["faults"]["unreachable_pairs"], 2 * 2 * 3);
  EXPECT_EQ(result()["faults"]["acyclic"], true);
  EXPECT_EQ(result()["bounds"]["steps"], 0) << "no packet is sent";
}

// Greedy with the same function and first-come queues is the same.
TEST_F(FaultRuns, NearestAncestorLosesPacketsWhoseDigitsLeadToDeadLinks) {
  const std::string faults =
      "faults: {dead: [link_switch_l0_00_up0, switch_l1_03], random: {cables: 4}, losses: count}\n";
  const std::string tree = "topology: fat-tree, arity: 4, levels: 3";
  EXPECT_EQ(status_of(experiment(tree, "nearest-ancestor", "random-permutation") + faults), 0);
  const std::string packets = read(scratch_.file("out/packets.csv"));
  EXPECT_GT(result()["faults"]["lost"]["no-route"], 0);
  EXPECT_EQ(status_of(experiment(tree, "greedy, function: nearest-ancestor, discipline: fifo", "random-permutation") +
                      faults),
            0);
  EXPECT_EQ(read(scratch_.file("out/packets.csv")), packets);
}

// Its own dimension order, without a key, is that of the function.
TEST_F(FaultRuns, GreedyLosesThePacketsOfDimensionOrder) {
  for (const char* routing : {"greedy", "greedy, function: dimension-order"}) {
    EXPECT_EQ(status_of(mesh8(routing, "transpose", central_cable)), 4);
    EXPECT_EQ(result()["faults"]["lost"].dump(), R"({"no-route":4})");
    EXPECT_TRUE(result()["bounds"].empty()) << "its bound is that of a whole mesh";
  }
}

TEST_F(FaultRuns, PacketsWithoutARouteAreLostWhenTheyAreCreated) {
  EXPECT_EQ(status_of(mesh8("vc-wormhole", transpose, central_cable)), 4);
  const ordered_json found = result();
  EXPECT_EQ(found["outcome"], "incomplete");
  EXPECT_EQ(found["packets"]["undelivered"], 4);
  EXPECT_EQ(found["latency"]["partial"], true);
  EXPECT_EQ(found["faults"]["unreachable_pairs"], 256);
  EXPECT_THAT(read(scratch_.file("out/packets.csv")),
              StartsWith("packet,source,destination,flits,created,delivered,injected,lost,at\n0,0,0,8,0,12,0,,\n"));
  EXPECT_THAT(read(scratch_.file("out/packets.csv")), HasSubstr("\n28,28,35,8,0,,,no-route,0\n"));
  EXPECT_EQ(status_of(mesh8("vc-wormhole", transpose, std::string(central_cable) + ", losses: count")), 0);
  EXPECT_EQ(result()["outcome"], "completed");
  EXPECT_EQ(result()["packets"]["undelivered"], 4);
}

// Packets from, to, and between the halves that a dead column of cables leaves.
TEST_F(FaultRuns, EachLostPacketHasTheFirstCauseThatHolds) {
  const std::string network = "topology: mesh, shape: [1, 6]";
  const std::string faults = "faults: {dead: [link_r00_c03_east, {processor: 1}, {router: 5}]}\n";
  scratch_.write(
      "p.csv",
      "cycle,source,destination,flits\n0,0,1,2\n0,0,3,2\n0,0,4,2\n0,1,1,2\n0,1,5,2\n0,4,0,2\n0,5,0,2\n3,2,0,2\n");
  EXPECT_EQ(status_of(experiment(network, "vc-wormhole, function: up-down", "packets, file: p.csv") + faults), 4);
  EXPECT_EQ(column("packets.csv", 7),
            "dead-destination - disconnected dead-source dead-source disconnected dead-source -");
  EXPECT_EQ(column("packets.csv", 8), "0 - 0 0 0 0 0 -");
  EXPECT_EQ(result()["faults"]["lost"].dump(), R"({"dead-source":3,"dead-destination":1,"disconnected":2})");
  EXPECT_EQ(result()["faults"]["parts"], 2);
  EXPECT_EQ(result()["faults"]["unreachable_pairs"], 6) << "of the processors 0, 2, 3 with 4";
  EXPECT_EQ(column("faults.csv", 2) + " " + column("faults.csv", 3), "1 3 4 4 5 5 5 4 1 1 3 - 3 4");
}

TEST_F(FaultRuns, ADeadChannelIsNeverGiven) {
  const std::string text =
      experiment("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 2, buffer: 4", "packets, file: p.csv");
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,3,8\n0,1,3,8\n");
  EXPECT_EQ(status_of(text), 0);
  EXPECT_EQ(delivered(), (std::vector<int>{26, 23}));
  EXPECT_EQ(status_of(text + "faults: {dead: [{channel: 0, of: link_r00_c01_east}]}\n"), 0);
  EXPECT_EQ(delivered(), (std::vector<int>{29, 19}));
  EXPECT_EQ(read(scratch_.file("out/faults.csv")), "step,event,node,port,to\n");
}

// The same of dead places: 8 flits from 0 to 1, with 8 - k places behind the link.
TEST_F(FaultRuns, DeadPlacesDelayAPacket) {
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,1,8\n");
  const int expected[] = {15, 15, 15, 15, 16, 19, 24, 43};
  for (int dead = 0; dead < 8; ++dead) {
    const std::string faults =
        "faults: {dead: [{places: " + std::to_string(dead) + ", channel: 0, of: link_r00_c00_east}]}\n";
    const std::string text =
        experiment("topology: mesh, shape: [8, 8]", "vc-wormhole", "packets, file: p.csv") + faults;
    EXPECT_EQ(status_of(text), 0);
    EXPECT_EQ(result()["steps"], expected[dead]) << dead;
    EXPECT_THAT(check_of(catalogue_, text), HasSubstr("at least      " + std::to_string(expected[dead]) + " steps"));
  }
}

// A trace of more places is rejected: the credit that it uses does not exist.
TEST_F(FaultRuns, TheRefereeCountsDeadPlaces) {
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,1,8\n");
  const std::string text = experiment("topology: mesh, shape: [8, 8]", "vc-wormhole", "packets, file: p.csv") +
                           "faults: {dead: [{places: 4, channel: 0, of: link_r00_c00_east}]}\n";
  ASSERT_EQ(status_of(text), 0);
  EXPECT_THAT(verdict_with("result.json", "\"places\": 4", "\"places\": 5"), HasSubstr("without a credit"));
  ASSERT_EQ(status_of(experiment("topology: mesh, shape: [8, 8]", "vc-wormhole, channels: 2", "transpose") +
                      "faults: {dead: [{channel: 1, of: link_r00_c01_west}]}\n"),
            0);
  EXPECT_THAT(verdict_with("result.json", "\"channel\": 1", "\"channel\": 0"), HasSubstr("enters a dead channel"));
}

// A section without faults changes no packet.
TEST_F(FaultRuns, WithoutFaultsPacketsArriveAsOnAWholeNetwork) {
  const std::string whole = experiment("topology: mesh, shape: [8, 8]", "vc-wormhole", transpose);
  EXPECT_EQ(status_of(whole), 0);
  const std::vector<int> before = delivered();
  EXPECT_EQ(status_of(whole + "faults: {random: {cables: 0}}\n"), 0);
  EXPECT_EQ(delivered(), before);
  EXPECT_EQ(status_of(whole + "faults: {dead: [{link: link_r00_c00_east}]}\n"), 0) << "no packet needs it";
  EXPECT_EQ(delivered(), before);
}

TEST_F(FaultRuns, OpenLoopGoesOnWithoutTheLostPackets) {
  const std::string text =
      mesh8("vc-wormhole, channels: 2", "uniform, rate: 0.1, warmup: 200, measure: 400, drain: 2000",
            "dead: [node_r03_c03, link_r00_c00_east], losses: count");
  EXPECT_EQ(status_of(text), 0);
  const ordered_json found = result();
  EXPECT_EQ(found["outcome"], "completed");
  EXPECT_GT(found["faults"]["lost"]["dead-source"], 50);
  EXPECT_GT(found["faults"]["lost"]["dead-destination"], 50);
  EXPECT_GT(found["faults"]["lost"]["no-route"], 50);
  EXPECT_LT(found["throughput"]["accepted"], found["throughput"]["offered"]);
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--no-packets"}, {"--shuffle", "5", "--threads", "2"}, {"--wake", "all"}}) {
    EXPECT_EQ(status_of_run(catalogue_, text, "other", options), 0);
    EXPECT_EQ(read(scratch_.file("other/result.json")), read(scratch_.file("out/result.json"))) << options.front();
  }
  EXPECT_THAT(check_of(catalogue_, text), HasSubstr("  faults        5 cables ("));
}

// 5 steps and 3 for each of the 19,968 links, over the 3,776 pairs that have a path and 64 packets to themselves.
TEST_F(FaultRuns, LatencyWithoutContentionIsThatOfThePacketsThatAreSent) {
  EXPECT_THAT(check_of(catalogue_, mesh8("vc-wormhole", "uniform, rate: 0.1", central_cable)),
              HasSubstr("zero load     mean latency 20.60 steps without contention"));
}

// A long run without a list of packets does not keep those that are lost.
TEST_F(FaultRuns, LostPacketsLeaveTheRecord) {
  const std::string text = experiment("topology: mesh, shape: [4, 4]", "vc-wormhole",
                                      "uniform, rate: 0.2, warmup: 100, measure: 8000, drain: 2000") +
                           "faults: {dead: [{router: 5}], losses: count}\n";
  EXPECT_EQ(status_of_run(catalogue_, text, "out"), 0);
  EXPECT_EQ(verdict(), "");
  EXPECT_EQ(status_of_run(catalogue_, text, "other", {"--no-packets"}), 0);
  EXPECT_EQ(read(scratch_.file("other/result.json")), read(scratch_.file("out/result.json")));
}

// Each run of a campaign has a seed of its own, and so have its faults, unless they have theirs.
TEST_F(FaultRuns, RunsOfACampaignHaveFaultsOfTheirOwn) {
  const auto report_with = [&](const std::string& seed) {
    const std::string file =
        scratch_
            .write("c.yaml",
                   "schema: 1\nname: c\nbase:\n  schema: 1\n  network: {topology: mesh, shape: [8, 8]}\n"
                   "  routing: {algorithm: vc-wormhole}\n  traffic: {pattern: identity}\n"
                   "  faults: {losses: count" +
                       seed + "}\naxes:\n  faults.random.cables: [16]\nruns: 20\nkeep: [faults.connected]\n")
            .string();
    const std::string store = scratch_.file("c" + std::to_string(seed.size()) + ".sqlite").string();
    run_command(catalogue_, {"campaign", file, "--store", store, "--jobs", "2"});
    return output_of(catalogue_, {"report", file, "--store", store});
  };
  EXPECT_THAT(report_with(""), HasSubstr("| 0.95 |"));
  EXPECT_THAT(report_with(", seed: 3"), testing::Not(HasSubstr("| 0.95 |")));
}

TEST_F(FaultRuns, LostRequestsHaveNoReply) {
  const std::string text =
      mesh8("vc-wormhole, channels: 2, function: west-first",
            "uniform, rate: 0.05, warmup: 100, measure: 300, drain: 2000, reply: {flits: 2, service: 3, channels: 1}",
            "dead: [link_r03_c03_east, {processor: 9}], losses: count");
  EXPECT_EQ(status_of(text), 0);
  EXPECT_GT(result()["faults"]["lost"]["no-route"], 5);
}

TEST_F(FaultRuns, CheckReportsWhatIsLeft) {
  const ordered_json shortest = check_json(mesh8("vc-wormhole, function: shortest", transpose, central_cable));
  EXPECT_EQ(shortest["verdict"], "may-deadlock");
  EXPECT_EQ(shortest["on_circles"], 50);
  EXPECT_EQ(shortest["load"].dump(), R"({"max":240,"node":3,"port":1,"was":240})");
  EXPECT_EQ(shortest["ways"]["hops"], 21568);
  const ordered_json four = check_json(mesh8("vc-wormhole, function: shortest", transpose, random_four));
  EXPECT_EQ(four["on_circles"], 128);
  EXPECT_EQ(four["ways"]["hops"], 21688);
  const ordered_json up_down = check_json(mesh8("vc-wormhole, function: up-down", transpose, central_cable));
  EXPECT_EQ(up_down["verdict"], "acyclic");
  EXPECT_EQ(up_down["load"].dump(), R"({"max":688,"node":36,"port":3,"was":624})");
  EXPECT_EQ(up_down["left"].dump(), R"({"nodes":64,"links":222,"parts":1,"diameter":14,"bridges":[]})");
  const ordered_json pruned = check_json(mesh8("vc-wormhole", transpose, "dead: [node_r03_c03]"));
  EXPECT_EQ(pruned["unreachable"].dump(),
            R"({"pairs":433,"disconnected":0,"no-route":433,"first":["node_r00_c00","node_r04_c03"]})");
  const std::string text = check_of(catalogue_, mesh8("vc-wormhole", transpose, "dead: [node_r03_c03]"));
  EXPECT_THAT(text, HasSubstr("valid; 433 pairs unreachable\n"
                              "  faults        4 cables (link_r02_c03_south, link_r03_c02_east, link_r03_c03_east and "
                              "link_r03_c03_south), 8 links and 1 router dead, of 64 processors 63 alive\n"
                              "  left          63 nodes and 216 links in 1 part, diameter 14; no cable is a bridge\n"
                              "  unreachable   433 of 3906 pairs of living processors: 0 disconnected, 433 without a "
                              "route; the first: node_r00_c00 to node_r04_c03\n"));
  EXPECT_THAT(text, HasSubstr("transpose: 64 packets, "));
}

// The escape channels of up-down-adaptive, with as many extended dependencies as the reference has.
TEST_F(FaultRuns, TheEscapeChannelsOfUpDownAdaptiveStayAcyclic) {
  for (const auto& [faults, dependencies] :
       {std::pair("random: {cables: 0}", "388"), {central_cable, "382"}, {random_four, "362"}})
    EXPECT_THAT(check_of(catalogue_, mesh8("vc-wormhole, channels: 2, function: up-down-adaptive", transpose, faults)),
                HasSubstr(std::string("with ") + dependencies + " extended dependencies, no cycle"));
}

TEST_F(FaultRuns, WhatShortestCannotProveIsNotClaimed) {
  EXPECT_EQ(status_of(mesh8("vc-wormhole, channels: 4, function: shortest", transpose, central_cable)), 0);
  EXPECT_EQ(result()["faults"]["acyclic"], false);
}

TEST_F(FaultRuns, RefuseWhatTheNetworkDoesNotHave) {
  const auto refused_with = [&](const std::string& faults) {
    return refused(mesh8("vc-wormhole, channels: 2", transpose, faults));
  };
  EXPECT_EQ(refused_with("dead: [link_r03_c03_eats, node_r09_c00]"),
            "e.yaml:5:17: faults.dead.0: link_r03_c03_eats is neither a link nor a node of this network (did you mean "
            "link_r03_c03_east?)\n"
            "e.yaml:5:36: faults.dead.1: node_r09_c00 is neither a link nor a node of this network (did you mean "
            "node_r00_c00?)");
  EXPECT_EQ(refused_with("dead: [{link: link_r0_c0}]"),
            "e.yaml:5:17: faults.dead.0: link_r0_c0 is not a link of this network");
  EXPECT_EQ(refused_with("dead: [{router: 64}]"), "e.yaml:5:17: faults.dead.0: 64 is not a node of this network");
  EXPECT_EQ(refused_with("dead: [link_r00_c00_east, {cable: link_r00_c01_west}]"),
            "e.yaml:5:36: faults.dead.1: the cable of link_r00_c00_east is dead already, by faults.dead.0; leave one "
            "out");
  EXPECT_EQ(refused_with("dead: [{channel: 2, of: link_r00_c00_east}]"),
            "e.yaml:5:17: faults.dead.0: link_r00_c00_east has no channel 2; its channels are 0 to 1");
  const std::string link = "channel: 0, of: link_r00_c00_east}]";
  EXPECT_EQ(
      refused_with("dead: [{places: 8, " + link),
      "e.yaml:5:10: faults.dead: the buffer behind channel 0 of link_r00_c00_east has 8 places, so that at most 7 "
      "can be dead, not 8");
  EXPECT_THAT(refused(mesh8("vc-wormhole, channels: 2, flow: cut-through", transpose, "dead: [{places: 1, " + link)),
              HasSubstr("dead places need buffers of their own for each channel"));
  EXPECT_THAT(refused(mesh8("greedy", "transpose", "dead: [{" + link)),
              HasSubstr("faults.dead: greedy has no virtual channels"));
  EXPECT_THAT(refused_with("dead: [{places: 2, router: 3}]"), HasSubstr("places are those of a channel"));
  EXPECT_EQ(refused_with("random: {cables: 113}"),
            "e.yaml:5:27: faults.random.cables: 113 is more than the 112 cables of the network");
  EXPECT_EQ(refused_with("random: {routers: 65}"),
            "e.yaml:5:28: faults.random.routers: 65 is more than the 64 routers of the network");
  EXPECT_EQ(refused_with("random: {routers: 64}"),
            "e.yaml:5:1: faults: no processor is left alive; leave some of the faults out");
  EXPECT_EQ(refused_with("random: {cables: 3, cable_rate: 0.1}"),
            "e.yaml:5:18: faults.random: cables and cable_rate exclude each other; leave one out");
  EXPECT_EQ(refused_with("dead: [{channel: 0}]"),
            "e.yaml:5:17: faults.dead.0: of is missing (the link of the channel)");
  EXPECT_EQ(refused_with("dead: [{router: 1, processor: 2}]"),
            "e.yaml:5:17: faults.dead.0: one of cable, link, router, processor and channel is expected, such as "
            "{processor: 3}");
  EXPECT_THAT(refused_with("dead: link_r00_c00_east"), HasSubstr("a list such as [link_r00_c00_east] is expected"));
  EXPECT_EQ(refused(mesh8("vc-wormhole, function: up-down, root: 27", transpose, "dead: [node_r03_c03]")),
            "e.yaml:3:60: routing.root: node_r03_c03 is dead; choose another root, or leave this key out");
}

TEST_F(FaultRuns, RefuseAlgorithmsThatNeedEveryLink) {
  EXPECT_EQ(refused(mesh8("kunde", "random-permutation", central_cable)),
            "e.yaml:5:1: faults: kunde needs every link of the mesh; vc-wormhole, greedy and deflection serve networks "
            "with dead links");
  EXPECT_EQ(
      refused(experiment("topology: torus, shape: [4, 4]", "sliding-diagonals") + "faults: {dead: [{router: 1}]}\n"),
      "e.yaml:5:1: faults: sliding-diagonals needs every link of the torus; vc-wormhole, greedy and deflection "
      "serve networks with dead links");
  EXPECT_EQ(refused(mesh8("deflection", "reversal", "dead: [{link: link_r00_c00_east}]")),
            "e.yaml:3:22: routing.algorithm: deflection needs as many links out of a node as into it, but of "
            "node_r00_c00 1 and 2 are alive: name cables in faults.dead, not single links");
  EXPECT_EQ(refused("schema: 1\nnetwork: {topology: pops, groups: 2, group_size: 2}\nrouting: {algorithm: direct}\n"
                    "traffic: {pattern: random-permutation}\nfaults: {random: {cables: 1}}\n"),
            "e.yaml:5:10: faults.random: pops has couplers instead of links; use faults.dead_couplers");
  EXPECT_EQ(refused("schema: 1\nnetwork: {topology: pops, groups: 2, group_size: 2}\nrouting: {algorithm: randomized}\n"
                    "traffic: {pattern: random-permutation}\nfaults: {dead_couplers: 0, losses: count}\n"),
            "e.yaml:5:28: faults.losses: pops has couplers instead of links; use faults.dead_couplers");
  EXPECT_THAT(refused(mesh8("vc-wormhole, channels: 2",
                            "closed-loop, servers: [3], outstanding: 1, requests: 2, reply: {flits: 1, service: 1}",
                            "dead: [{processor: 4}]")),
              HasSubstr("the faults leave no path from "));
}

TEST_F(FaultRuns, DoNotHideAnUnknownTopology) {
  EXPECT_THAT(refused(experiment("topology: mash, shape: [8, 8]", "vc-wormhole", transpose) +
                      "faults: {random: {cables: 1}}\n"),
              HasSubstr("network.topology: unknown topology mash (did you mean mesh?)"));
}

TEST_F(FaultRuns, DamagedFilesAreFound) {
  ASSERT_EQ(status_of(mesh8("vc-wormhole", transpose, central_cable)), 4);
  EXPECT_THAT(verdict_with("packets.csv", "\n28,28,35,8,0,,,no-route,0\n", "\n28,28,35,8,0,,,,\n"),
              HasSubstr("faults.lost.no-route"));
  EXPECT_THAT(
      verdict_with("packets.csv", "no-route,0", "disconnected,0"),
      HasSubstr("packet 28, flit 0 is reported as lost by disconnected, but a path is left, and both processors "
                "are alive"));
  EXPECT_THAT(verdict_with("packets.csv", "no-route,0", "no-route,1"),
              HasSubstr("is reported as lost by no-route in step 1"));
  EXPECT_THAT(verdict_with("packets.csv", "no-route,0", "lost,0"), HasSubstr("lost is not a cause of a loss"));
  EXPECT_THAT(verdict_with("packets.csv", "no-route,0", "no-route,"), HasSubstr("a lost packet has a step"));
  EXPECT_THAT(verdict_with("packets.csv", "\n0,0,0,8,0,12,0,,\n", "\n0,0,0,8,0,12,0,no-route,0\n"),
              HasSubstr("packet 0, flit 0 is reported as lost and as delivered"));
  EXPECT_THAT(verdict_with("faults.csv", "0,dead,28,3,27\n", ""),
              HasSubstr("faults.csv does not have the dead and repaired hardware of the keys of the experiment"));
  EXPECT_THAT(verdict_with("result.json", "link_r03_c03_east", "link_r00_c00_east"), HasSubstr("crosses a dead link"));
  EXPECT_THAT(verdict_with("result.json", "\"cables\": 1", "\"cables\": 2"), HasSubstr("faults.cables"));
  EXPECT_THAT(verdict_with("result.json", "\"no-route\": 4", "\"no-route\": 3"), HasSubstr("faults.lost.no-route"));
  EXPECT_THAT(verdict_with("result.json", "\"outcome\": \"incomplete\"", "\"outcome\": \"completed\""),
              HasSubstr("the run is completed, but it has lost packets"));
}

// A lost packet waits nowhere: it is not among the packets of show, nor the slowest of why.
TEST_F(FaultRuns, LostPacketsAreExplained) {
  ASSERT_EQ(status_of(mesh8("vc-wormhole", transpose, "dead: [link_r03_c03_east, {processor: 7}]")), 4);
  const std::string out = scratch_.file("out").string();
  EXPECT_EQ(output_of(catalogue_, {"why", out, "--packet", "28"}),
            "packet 28, 8 flits, from node_r03_c04 to node_r04_c03: created in step 0, lost in step 0: no-route\n");
  EXPECT_THAT(output_of(catalogue_, {"why", out, "--packet", "56"}),
              HasSubstr("lost in step 0: dead-destination, node_r00_c07\n"));
  const ordered_json why = ordered_json::parse(output_of(catalogue_, {"why", out, "--packet", "7", "--json"}));
  EXPECT_EQ(why["lost"].dump(), R"({"cause":"dead-source","step":0,"node":7,"fault":"node_r00_c07"})");
  EXPECT_EQ(why["latency"], nullptr);
  EXPECT_EQ(why["distance"], 14);
  EXPECT_THAT(output_of(catalogue_, {"why", out}), testing::Not(HasSubstr("never delivered")));
  EXPECT_THAT(output_of(catalogue_, {"show", out, "--step", "0"}), HasSubstr(" 58 waiting in sources"));
}

TEST_F(FaultRuns, PicturesShowDeadLinksDashedAndCrossOutDeadRouters) {
  const auto count = [](const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  ASSERT_EQ(status_of(mesh8("vc-wormhole", transpose, "dead: [link_r03_c03_east, node_r06_c00]")), 4);
  const std::string mesh = read(scratch_.file("out/links.svg"));
  EXPECT_EQ(count(mesh, ", dead<"), 2 + 6 + 1) << "links, and the router";
  EXPECT_EQ(count(mesh, "class=\"cross\""), 1);
  const std::size_t dead = mesh.find("<g class=\"link dead\">");
  ASSERT_NE(dead, std::string::npos);
  EXPECT_EQ(count(mesh.substr(dead, mesh.find("</g>", dead) - dead), "<use"), 2 + 6);
  ASSERT_EQ(status_of(experiment("topology: leaf-spine, leaves: 2, spines: 2, hosts: 2",
                                 "vc-wormhole, function: up-down", "reversal") +
                      "faults: {dead: [spine_00]}\n"),
            0);
  const std::string clos = read(scratch_.file("out/links.svg"));
  EXPECT_EQ(count(clos, ", dead<"), 4 + 1);
  EXPECT_EQ(count(clos, "class=\"cross\""), 1);
  ASSERT_EQ(status_of(experiment("topology: mesh, shape: [2, 2, 2]", "greedy, function: up-down", "reversal") +
                      "faults: {random: {cables: 1}}\n"),
            0);
  EXPECT_EQ(count(read(scratch_.file("out/links.svg")), "class=\"dead\""), 2) << "tiles of a third dimension";
}

TEST_F(FaultRuns, DeadProcessorsSendAndConsumeNoFlit) {
  const std::string text = experiment("topology: mesh, shape: [1, 3]", "vc-wormhole", "packets, file: p.csv") +
                           "faults: {dead: [{processor: 1}]}\n";
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,2,1\n0,2,1,1\n");
  ASSERT_EQ(status_of(text), 4) << "packets go through its router";
  EXPECT_THAT(verdict_with("result.json", "\"processor\": \"1\"", "\"processor\": \"0\""),
              HasSubstr("is injected by a dead processor"));
  EXPECT_THAT(verdict_with("result.json", "\"processor\": \"1\"", "\"processor\": \"2\""),
              HasSubstr("unreachable: dead-destination"));
}

/// Networks with faults have no such packets, but files may be changed.
TEST_F(FaultRuns, PacketsToSeveralNodesAreFound) {
  ASSERT_EQ(status_of(experiment("topology: mesh, shape: [1, 3]", "vc-wormhole", "reversal") +
                      "faults: {errors: {recovery: none}}\n"),
            0);
  EXPECT_THAT(verdict_with("packets.csv", "0,0,2,1,", "0,0,1 2,1,"),
              HasSubstr("step 0, node_r00_c00: packet 0 goes to several destinations, which packets of a network with "
                        "faults do not"));
}

}  // namespace
}  // namespace starloom
