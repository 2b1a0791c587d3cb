// SPDX-License-Identifier: Apache-2.0
/// \file Runs on networks with `network.links`, and their files (docs/links.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <starloom/run/standard_catalogue.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class LinkRuns : public CatalogueRuns {
 protected:
  void SetUp() override { scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,3,8\n0,1,2,3\n2,3,0,5\n"); }
  static std::string line(const std::string& links, const std::string& routing = "vc-wormhole, buffer: 8",
                          const std::string& traffic = "packets, file: p.csv") {
    return experiment("topology: mesh, shape: [1, 4], links: " + links, routing, traffic);
  }
};

TEST_F(LinkRuns, AreVerifiedByTheLinksOfTheExperiment) {
  const auto folder = run(standard_catalogue(),
                          line("[{links: \"*_east\", latency: 2}, {links: \"*c01_east\", width: 1/3, interval: 4}]"),
                          "out", {"--dump-netlist"});
  const Json result = Json::parse(read(folder / "result.json"));
  EXPECT_EQ(result["experiment"]["network"]["links"].dump(),
            R"([{"links":"*_east","latency":2},{"links":"*c01_east","width":"1/3","interval":4}])");
  EXPECT_EQ(verdict(), "");
  EXPECT_THAT(read(folder / "netlist.json"), HasSubstr(R"("latency": 4, "interval": 4, "phits": 3})"));
  const std::string list = "experiment.network.links.1";
  EXPECT_THAT(verdict_with("result.json", "\"1/3\"", "\"1/6\""), HasSubstr("link_r00_c01_east"));
  EXPECT_THAT(verdict_with("result.json", "\"interval\": 4", "\"interval\": 5"), HasSubstr("link_r00_c01_east"));
  EXPECT_THAT(verdict_with("result.json", "\"1/3\"", "\"3\""), HasSubstr(list + ".width' is not 1 or 1/2"));
  EXPECT_THAT(verdict_with("result.json", "\"interval\": 4", "\"interval\": 0"), HasSubstr(list + ".interval"));
  EXPECT_THAT(verdict_with("result.json", "*c01_east", "*c09_east"),
              HasSubstr(list + "' is wrong: *c09_east matches no instance"));
  EXPECT_NE(verdict_with("result.json", "\"latency\": 2", "\"latency\": 1"), "");
}

/// The rows of credits show that side wires take no longer than those of a link of full width.
TEST_F(LinkRuns, CreditsCrossNarrowLinksInOnePiece) {
  const std::string narrow = "[{links: \"*c01_east\", width: 1/8}]";
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,1,2,3\n");
  // With a buffer of one flit, the second waits for the credit of the first.
  run(standard_catalogue(), line(narrow, "vc-wormhole, buffer: 1"), "out");
  const std::string trace = scratch_.read("out/trace.csv");
  EXPECT_THAT(trace, HasSubstr("\n4,hop,0,0,1,1,2,0\n"));
  EXPECT_THAT(trace, HasSubstr("\n16,hop,0,1,1,1,2,0\n"));
  EXPECT_EQ(verdict(), "");
}

TEST_F(LinkRuns, HaveTheirFaultsReportedInPlace) {
  const auto fault = [&](const std::string& links, const std::string& routing = "vc-wormhole") {
    return refusal(standard_catalogue(), line(links, routing));
  };
  const std::string links = "e.yaml:2:49: network.links", entry = "e.yaml:2:50: network.links.0";
  EXPECT_EQ(fault("3"), links + R"(: a list of links such as {links: "link_*_east", width: 1/2} is expected, not 3)");
  EXPECT_EQ(fault("[]"),
            links + R"(: a list of links such as {links: "link_*_east", width: 1/2} is expected, not an empty list)");
  EXPECT_EQ(fault("[3]"), entry + R"(: links such as {links: "link_*_east", width: 1/2} are expected, not 3)");
  EXPECT_EQ(fault("[{links: \"*\"}]"), entry + ": give latency, width, interval, synchroniser or fifo of these links");
  EXPECT_EQ(fault("[{width: 1/2}]"), entry + ".links is missing (names of links; * and ? are wildcards)");
  EXPECT_THAT(fault("[{links: \"*\", width: 2}]"), HasSubstr("network.links.0.width: 1, or 1/2 to 1/256, is expected"));
  EXPECT_THAT(fault("[{links: \"*\", latency: 65536}]"),
              HasSubstr("network.links.0.latency: 65536 is out of range (1 to 65535)"));
  EXPECT_THAT(fault("[{links: \"*\", interval: 0}]"), HasSubstr("network.links.0.interval: 0 is out of range"));
  EXPECT_THAT(fault("[{links: \"*\", wide: 2}]"), HasSubstr("unknown key network.links.0.wide"));
  EXPECT_EQ(fault("[{links: \"*\", latency: 1}, {links: \"link_r00_c0_east\", latency: 2}]"),
            "e.yaml:2:76: network.links.1: link_r00_c0_east matches no instance; near: link_r00_c00_east, "
            "link_r00_c01_east, link_r00_c02_east");
  EXPECT_EQ(fault("[{links: \"*\", latency: 1}]", "deflection"),
            links + ": deflection needs links that are alike; use vc-wormhole or greedy, or leave this key out");
  EXPECT_THAT(
      refusal(standard_catalogue(),
              experiment("topology: pops, group_size: 2, groups: 2, links: [{links: \"*\", latency: 1}]", "direct")),
      HasSubstr("network.links: pops networks have couplers instead of links; leave this key out"));
}

/// Paths over equal latencies and intervals may have links of different width.
TEST_F(LinkRuns, ZeroLoadIsTheMeanOverPathsOfAllWidths) {
  // Credits of narrow links come back sooner, so that small buffers send faster.
  const auto mean = [&](const std::string& links) {
    const std::string file =
        scratch_.write("e.yaml", line(links, "vc-wormhole, buffer: 1", "reversal, flits: 4, rate: 0.01")).string();
    testing::internal::CaptureStdout();
    run_command(standard_catalogue(), {"check", file});
    const std::string text = testing::internal::GetCapturedStdout();
    const std::size_t at = text.find("mean latency ");
    return std::stod(text.substr(at + 13));
  };
  const double wide = mean("[{links: \"*\", latency: 4, interval: 4}]");
  const double narrow = mean("[{links: \"*\", latency: 1, width: 1/4}]");
  const double mixed = mean("[{links: \"*_east\", latency: 4, interval: 4}, {links: \"*_west\", width: 1/4}]");
  EXPECT_LT(narrow, wide);
  EXPECT_DOUBLE_EQ(mixed, (narrow + wide) / 2);
}

/// A credit needs as long as the slowest side wire.
TEST_F(LinkRuns, CreditLatencyCountsTheSlowestSideWire) {
  const auto text = [](const std::string& credits) {
    return line("[{links: \"*c01_east\", latency: 3, width: 1/5}]", "vc-wormhole, credit_latency: " + credits);
  };
  EXPECT_THAT(refusal(standard_catalogue(), text("3")),
              HasSubstr("a credit needs at least 4 steps over links of latency 3, but credit_latency is 3"));
  EXPECT_EQ(refusal(standard_catalogue(), text("4")), "");
}

}  // namespace
}  // namespace starloom
