// SPDX-License-Identifier: Apache-2.0
/// \file Runs of `deflection`, `greedy` and `nearest-ancestor` in which hardware dies and is repaired.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "unit/fault_runs.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;

class SingleFlitRuns : public FaultRuns {
 protected:
  void SetUp() override {
    scratch_.write("one.csv", "cycle,source,destination,flits\n0,24,31,1\n");
    std::string packets = "cycle,source,destination,flits\n";
    for (int i = 0; i < 192; ++i)
      packets += std::to_string(i / 64) + "," + std::to_string(i % 16) + "," + std::to_string(i * 7 % 16) + ",1\n";
    scratch_.write("many.csv", packets);
  }
  /// The middle cable of a mesh dies.
  static std::string cut(const std::string& routing, const std::string& more, const std::string& traffic = "transpose",
                         const std::string& at = "3") {
    return mesh8(routing, traffic, "dead: [{cable: link_r03_c03_east, at: " + at + "}], losses: count" + more);
  }
};

TEST_F(SingleFlitRuns, KeepPacketsThatWaitForADeadLink) {
  ASSERT_EQ(status_of(cut("greedy, function: up-down", ", reroute: {after: 20}")), 0);
  EXPECT_EQ(result()["experiment"]["faults"]["reroute"].dump(), R"({"after":20,"transition":"keep"})");
  EXPECT_EQ(result()["faults"]["lost"].dump(), R"({"no-way":2})");
  EXPECT_EQ(result()["faults"]["changes"].dump(), "[23]");
  EXPECT_EQ(result()["packets"]["delivered"], 62);
  const std::string out = scratch_.file("out").string();
  EXPECT_THAT(output_of(catalogue_, {"why", out, "--packet", "4"}),
              HasSubstr("  step      3     20  dead for link_r03_c04_west\n"
                        "  step     23      6  contention for link_r03_c04_south, behind packets 7, 6, 15, 5, 14, 23"));
  EXPECT_THAT(output_of(catalogue_, {"why", out, "--packet", "51"}),
              HasSubstr("lost in step 23 in node_r03_c03: no-way, link_r03_c03_east\n"));
}

TEST_F(SingleFlitRuns, ExplainAWaitUntilTheRepair) {
  ASSERT_EQ(status_of(cut("greedy", ", reroute: {after: 40}", "packets, file: one.csv", "3, until: 30")), 0);
  EXPECT_THAT(output_of(catalogue_, {"why", scratch_.file("out").string(), "--packet", "0"}),
              HasSubstr("  step      3     27  dead for link_r03_c03_east\n"
                        "  step     30         over link_r03_c03_east\n"));
}

/// On a path that crosses the edge of a torus, virtual channels would change.
TEST_F(SingleFlitRuns, FollowDimensionOrderOnATorus) {
  for (const char* ties : {"", ", ties: random"}) {
    const std::string text = experiment("topology: torus, shape: [4, 4]", std::string("greedy") + ties,
                                        "uniform, rate: 0.3, warmup: 0, measure: 200, drain: 900") +
                             "faults: {dead: [link_a03_01_plus1, link_a00_00_plus2], losses: count}\n";
    EXPECT_EQ(status_of(text), 0) << ties;
  }
}

TEST_F(SingleFlitRuns, FlushOrNeverLearn) {
  ASSERT_EQ(status_of(cut("greedy, function: up-down", ", reroute: {after: 6, transition: flush}")), 0);
  EXPECT_EQ(result()["faults"]["changes"].dump(), "[9]");
  const int flushed = result()["faults"]["lost"]["flush"];
  EXPECT_EQ(flushed + result()["packets"]["delivered"].get<int>(), 64);
  ASSERT_EQ(status_of(cut("greedy, function: up-down", ", reroute: {after: never}")), 0);
  EXPECT_EQ(result()["faults"]["changes"].dump(), "[]");
  EXPECT_GT(result()["faults"]["lost"]["no-way"], 10);
}

TEST_F(SingleFlitRuns, DeflectPacketsAroundLinksThatDie) {
  ASSERT_EQ(status_of(cut("deflection", ", reroute: {after: 5}", "reversal")), 0);
  EXPECT_EQ(result()["faults"]["changes"].dump(), "[8]");
  EXPECT_FALSE(result()["bounds"].contains("steps")) << result()["bounds"];
  // A corner loses one link, and then its only other one.
  ASSERT_EQ(status_of(mesh8("deflection", "uniform, rate: 0.4, warmup: 0, measure: 60, drain: 300",
                            "dead: [{cable: link_r00_c00_east, at: 20}, {router: 8, at: 30}], losses: count, "
                            "reroute: {after: 4}")),
            0);
  const auto lost = result()["faults"]["lost"];
  EXPECT_TRUE(lost.contains("overflow")) << lost;
  EXPECT_TRUE(lost.contains("cut")) << lost;
  EXPECT_TRUE(lost.contains("disconnected")) << lost;
}

TEST_F(SingleFlitRuns, HaveVerdictsAndRefusals) {
  for (const char* routing : {"greedy, function: shortest", "deflection"}) {
    const auto events = check_json(cut(routing, ""))["events"];
    EXPECT_EQ(events.dump(), R"([{"step":3,"transition":"keep","verdict":"acyclic","on_circles":0}])");
    EXPECT_THAT(refused(cut(routing, ", reroute: {transition: drain}")),
                HasSubstr("would wait forever for dead links, because the network has to be empty before routing "
                          "functions change; use keep or flush"));
  }
  EXPECT_THAT(refused(mesh8("deflection", "reversal", "dead: [{link: link_r03_c03_east, at: 9}]")),
              HasSubstr("deflection needs as many links out of a node as into it"));
}

TEST_F(SingleFlitRuns, CountQueuesFromWhichPacketsAreLost) {
  // `verify` counts them again, from the rows.
  for (const char* reroute : {"after: 0", "after: 9", "after: 9, transition: flush", "after: never"})
    for (const char* network : {"topology: mesh, shape: [4, 4], link_latency: 3", "topology: torus, shape: [4, 4]",
                                "topology: fat-tree, arity: 2, levels: 4"})
      for (const char* traffic :
           {"packets, file: many.csv", "uniform, rate: 0.2, warmup: 0, measure: 90, drain: 900"}) {
        const std::string algorithm =
            std::string(network).find("fat") == std::string::npos ? "greedy" : "nearest-ancestor";
        const std::string text = experiment(network, algorithm, traffic) +
                                 "faults: {dead: [{processor: 3, at: 12}], random: {cables: 4, at: 9, until: 40}, "
                                 "losses: count, seed: 4, reroute: {" +
                                 reroute + "}}\n";
        EXPECT_EQ(status_of(text), 0) << text;
      }
}

}  // namespace
}  // namespace starloom
