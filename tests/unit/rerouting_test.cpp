// SPDX-License-Identifier: Apache-2.0
/// \file Runs in which routing functions learn of hardware that dies and is repaired. Steps and numbers of packets come
/// from an independent implementation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include <starloom/topology/cables.hpp>
#include <starloom/topology/grid/grid.hpp>
#include "support/networks.hpp"
#include "unit/fault_runs.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;

class Rerouting : public FaultRuns {
 protected:
  void SetUp() override {
    std::string packets = "cycle,source,destination,flits\n";
    for (int i = 0; i < 4; ++i)
      for (int node = 0; node < 64; ++node)
        packets += "0," + std::to_string(node) + "," + std::to_string(node % 8 * 8 + node / 8) + ",8\n";
    scratch_.write("p.csv", packets);
  }
  /// Four packets from each node of a mesh to its transpose, and a cable that dies in step 40.
  static std::string transposed(const std::string& reroute) {
    return mesh8("vc-wormhole, function: up-down, channels: 1, buffer: 8", "packets, file: p.csv",
                 "dead: [{cable: link_r03_c03_east, at: 40}], losses: count" +
                     (reroute.empty() ? "" : ", reroute: {" + reroute + "}"));
  }
  /// `delivered 217 {"cut":2} changes [293]`
  std::string outcome_of(const std::string& reroute) {
    EXPECT_EQ(status_of(transposed(reroute)), 0);
    return "delivered " + result()["packets"]["delivered"].dump() + " " + result()["faults"]["lost"].dump() +
           " changes " + result()["faults"]["changes"].dump();
  }
};

TEST_F(Rerouting, DrainsFlushesOrKeepsPackets) {
  EXPECT_EQ(outcome_of(""), R"(delivered 217 {"cut":2,"no-way":37} changes [293])");
  EXPECT_EQ(read(scratch_.file("out/faults.csv")),
            "step,event,node,port,to\n40,dead,27,1,28\n40,dead,28,3,27\n40,stopped,,,\n293,changed,,,\n");
  EXPECT_EQ(result()["experiment"]["faults"]["reroute"].dump(), R"({"after":0,"transition":"drain"})");
  EXPECT_EQ(result()["latency"]["max"], 550);
  EXPECT_EQ(outcome_of("transition: flush"), R"(delivered 140 {"cut":2,"no-way":2,"flush":112} changes [40])");
  EXPECT_EQ(outcome_of("transition: keep"), R"(delivered 245 {"cut":2,"no-way":9} changes [40])");
}

TEST_F(Rerouting, BeginsStepsAfterTheFault) {
  EXPECT_THAT(outcome_of("after: 20"), testing::MatchesRegex("delivered 204 .* changes .317."));
  EXPECT_THAT(outcome_of("after: 20, transition: flush"), testing::MatchesRegex("delivered 143 .* changes .60."));
  EXPECT_THAT(outcome_of("after: 20, transition: keep"), testing::MatchesRegex("delivered 228 .* changes .60."));
  // From one end of the cable the farthest node is 8 links away.
  EXPECT_THAT(outcome_of("after: flood, transition: keep"), HasSubstr("changes [48]"));
  EXPECT_THAT(outcome_of("after: never"), HasSubstr("changes []"));
}

TEST_F(Rerouting, IsPostponedByAnotherFault) {
  const auto changes = [this](const std::string& until, const std::string& reroute) {
    EXPECT_EQ(status_of(mesh8("vc-wormhole, function: up-down, channels: 1, buffer: 8", "packets, file: p.csv",
                              "dead: [{cable: link_r03_c03_east, at: 10, until: " + until +
                                  "}], losses: count, reroute: {" + reroute + "}")),
              0);
    return result()["faults"]["changes"].dump();
  };
  EXPECT_EQ(changes("21", "after: 10, transition: keep"), "[20,31]");
  EXPECT_EQ(changes("20", "after: 10, transition: keep"), "[30]");
  // Processors that have stopped stay so.
  EXPECT_THAT(changes("40", "after: 5"), testing::Not(HasSubstr(",")));
  EXPECT_THAT(read(scratch_.file("out/faults.csv")),
              testing::MatchesRegex("(.|\n)*\n15,stopped,,,\n(40,repaired[^\n]*\n)+[0-9]*,changed,,,\n"));
}

TEST_F(Rerouting, LosesPacketsThatBecomeUnreachable) {
  scratch_.write("late.csv", "cycle,source,destination,flits\n0,0,3,8\n0,0,3,8\n0,0,3,8\n30,0,3,1\n30,0,1,1\n");
  EXPECT_EQ(status_of(experiment("topology: mesh, shape: [1, 4]", "vc-wormhole, channels: 1, buffer: 8",
                                 "packets, file: late.csv") +
                      "faults: {dead: [{cable: link_r00_c02_east, at: 4}], reroute: {after: 2, transition: keep}}\n"),
            4);
  EXPECT_THAT(read(scratch_.file("out/packets.csv")),
              testing::AllOf(HasSubstr("1,0,3,8,0,,,disconnected,6\n"), HasSubstr("2,0,3,8,0,,,disconnected,6\n"),
                             HasSubstr("3,0,3,1,30,,,disconnected,30\n"), HasSubstr("4,0,1,1,30,38")));
  EXPECT_THAT(
      verdict_with("packets.csv", "disconnected,30", "dead-destination,30"),
      HasSubstr("is reported as lost by dead-destination in step 30, but the cause is disconnected, in step 30"));
  EXPECT_THAT(verdict_with("packets.csv", "2,0,3,8,0,,,disconnected,6", "2,0,3,8,0,,,disconnected,5"),
              HasSubstr("in step 5, but the cause is disconnected, in step 6"));
}

TEST_F(Rerouting, IsReportedByCheck) {
  EXPECT_THAT(check_of(catalogue_, transposed("")),
              HasSubstr("events        2 deaths and 0 repairs of links, routers and processors in step 40; routing "
                        "functions learn of them in the same step, after a drain\n"));
  EXPECT_THAT(check_of(catalogue_, transposed("after: 1, transition: flush")),
              HasSubstr("learn of them 1 step later, with a flush"));
  EXPECT_THAT(check_of(catalogue_, transposed("after: flood, transition: keep")),
              HasSubstr("learn of them by a flood, and packets keep their place"));
}

TEST_F(Rerouting, IsProvedSafeOrNot) {
  const auto events = [this](const std::string& text) { return check_json(text)["events"].dump(); };
  EXPECT_EQ(events(transposed("transition: keep")),
            R"([{"step":40,"transition":"keep","verdict":"may-deadlock","on_circles":21}])");
  EXPECT_THAT(check_of(catalogue_, transposed("transition: keep")),
              HasSubstr("step 40, keep: may-deadlock while packets of the functions before and after the change meet; "
                        "21 links on cycles, a shortest one of 4"));
  EXPECT_EQ(events(transposed("")), R"([{"step":40,"transition":"drain","verdict":"acyclic","on_circles":0}])");
  EXPECT_EQ(events(transposed("after: never")),
            R"([{"step":40,"transition":"never","verdict":"acyclic","on_circles":0}])");
}

TEST_F(Rerouting, IsSafeForMostCables) {
  const std::string keep = transposed("transition: keep");
  const NetworkGraph& mesh = network_of(Grid::mesh({8, 8})).graph;
  int safe = 0;
  for (const Cable& cable : cables_of(mesh)) {
    std::string text = keep;
    text.replace(text.find("link_r03_c03_east"), 17, mesh.link_name(cable.lower.node, cable.lower.port));
    safe += check_json(text)["events"][0]["verdict"] == "acyclic" ? 1 : 0;
  }
  EXPECT_EQ(safe, 98);
}

// Without packets that cross over from one function to the other, 17 links are on cycles.
TEST_F(Rerouting, CountsPacketsThatCrossOver) {
  const std::string text = experiment("topology: mesh, shape: [4, 4]",
                                      "vc-wormhole, function: legal-ways, turns: segments, channels: 1", "transpose") +
                           "faults: {random: {cables: 2, at: 200}, seed: 7, reroute: {transition: keep}}\n";
  EXPECT_EQ(check_json(text)["events"][0]["on_circles"], 18);
}

TEST_F(Rerouting, MayDeadlockIfPacketsStay) {
  const auto text = [](const char* transition) {
    return experiment("topology: mesh, shape: [4, 4]",
                      "vc-wormhole, function: legal-ways, turns: segments, channels: 1, buffer: 2",
                      "transpose, flits: 12") +
           "faults: {dead: [{cable: link_r01_c01_east, at: 20}, {cable: link_r01_c03_south, at: 20}, {cable: "
           "link_r02_c00_east, at: 20}], losses: count, reroute: {after: 5, transition: " +
           transition + "}}\n";
  };
  EXPECT_EQ(check_json(text("keep"))["events"][0]["verdict"], "may-deadlock");
  EXPECT_EQ(status_of(text("keep")), 4);
  EXPECT_EQ(result()["outcome"], "deadlock");
  EXPECT_EQ(result()["deadlock"]["circle"].size(), 4u);
  for (const char* const transition : {"drain", "flush"}) {
    EXPECT_EQ(check_json(text(transition))["events"][0]["verdict"], "acyclic");
    EXPECT_EQ(status_of(text(transition)), 0) << transition;
  }
}

TEST_F(Rerouting, VerdictsNameChangesThatArePostponed) {
  const auto events =
      check_json(mesh8("vc-wormhole, function: shortest, channels: 1", transpose,
                       "dead: [{cable: link_r03_c03_east, at: 10, until: 15}], reroute: {after: 5}"))["events"];
  EXPECT_EQ(events[0]["transition"], "postponed");
  EXPECT_EQ(events[0]["verdict"], "acyclic");
  EXPECT_EQ(events[1]["transition"], "drain");
  const auto later =
      check_json(mesh8("vc-wormhole, function: shortest, channels: 1", transpose,
                       "dead: [{cable: link_r03_c03_east, at: 10, until: 16}], reroute: {after: 5}"))["events"];
  EXPECT_EQ(later[0].dump(), R"({"step":10,"transition":"drain","verdict":"may-deadlock","on_circles":50})");
  EXPECT_EQ(later[1].dump(), R"({"step":16,"transition":"drain","verdict":"acyclic","on_circles":0})");
}

TEST_F(Rerouting, HasErrorsWithPlaces) {
  EXPECT_THAT(refused(transposed("after: sometimes")), HasSubstr("faults.reroute.after"));
  EXPECT_THAT(refused(transposed("after: -1")), HasSubstr("faults.reroute.after: -1 is out of range"));
  EXPECT_THAT(refused(transposed("transition: none")), HasSubstr("faults.reroute.transition"));
  EXPECT_THAT(refused(transposed("after: never, transition: keep")),
              HasSubstr("faults.reroute: with after: never, routing functions do not change; leave transition out"));
  EXPECT_THAT(
      refused(mesh8("vc-wormhole, function: up-down, root: node_r00_c05", transpose, "dead: [{router: 5, at: 40}]")),
      HasSubstr("routing.root: node_r00_c05 is dead; choose another root, or leave this key out (with the "
                "hardware that is dead from step 40 on)"));
}

TEST_F(Rerouting, ExplainsPacketsOfProcessorsThatAreStopped) {
  ASSERT_EQ(status_of(transposed("")), 0);
  const std::string out = scratch_.file("out").string();
  EXPECT_THAT(output_of(catalogue_, {"why", out, "--packet", "27"}),
              HasSubstr("  step      0     40  source, behind packets 24, 25, 26\n"
                        "  step     40    253  stopped\n"
                        "  step    293      8  source, behind packet 26\n"));
  const char* const stopped = "stopped: processors begin no packet from step 40 on, until the network is empty\n";
  const auto shown = [&](const char* step) { return output_of(catalogue_, {"show", out, "--step", step}); };
  EXPECT_THAT(shown("39"), testing::Not(HasSubstr(stopped)));
  EXPECT_THAT(shown("40"), HasSubstr(stopped));
  EXPECT_THAT(shown("292"), HasSubstr(stopped));
  EXPECT_THAT(shown("293"), testing::Not(HasSubstr(stopped)));
  // A processor sends the rest of its packet before it stops.
  ASSERT_EQ(status_of(transposed("after: 7")), 0);
  EXPECT_THAT(output_of(catalogue_, {"why", out, "--packet", "23"}),
              HasSubstr("  step      0     52  source, behind packets 20, 21, 22\n"
                        "  step     52    257  stopped\n"));
  ASSERT_EQ(status_of(transposed("transition: flush")), 0);
  EXPECT_THAT(output_of(catalogue_, {"why", out, "--packet", "43"}), HasSubstr("lost in step 40 in node_r"));
}

TEST_F(Rerouting, DamagedFilesAreFound) {
  ASSERT_EQ(status_of(transposed("")), 0);
  const char* const other =
      "faults.csv does not have the dead and repaired hardware of the keys of the experiment, or "
      "other steps of changes than the trace";
  EXPECT_THAT(verdict_with("faults.csv", "293,changed", "294,changed"), HasSubstr(other));
  EXPECT_THAT(verdict_with("faults.csv", "40,stopped,,,\n", ""), HasSubstr(other));
  EXPECT_THAT(verdict_with("result.json", "\"changes\": [\n      293", "\"changes\": [\n      292"),
              HasSubstr("faults.changes are other steps than those of the trace"));
  EXPECT_THAT(verdict_with("result.json", "\"after\": 0", "\"after\": 9"), HasSubstr(other));
  EXPECT_THAT(verdict_with("result.json", "\"transition\": \"drain\"", "\"transition\": \"keep\""), HasSubstr(other));
  ASSERT_EQ(status_of(transposed("transition: flush")), 0);
  EXPECT_THAT(verdict_with("result.json", "\"transition\": \"flush\"", "\"transition\": \"keep\""),
              HasSubstr("is reported as lost by flush in step 40, in which the network is not flushed"));
  EXPECT_THAT(verdict_with("packets.csv", ",flush,40", ",no-way,40"),
              HasSubstr("is reported as lost by no-way, but its head is in a router without a dead out-port"));
  // Packets begin while the network drains.
  ASSERT_EQ(status_of(transposed("transition: keep")), 0);
  EXPECT_THAT(verdict_with("result.json", "\"transition\": \"keep\"", "\"transition\": \"drain\""),
              HasSubstr("is injected, but processors begin no packet until the network is empty"));
}

}  // namespace
}  // namespace starloom
