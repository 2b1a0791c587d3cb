// SPDX-License-Identifier: Apache-2.0
/// \file Runs of networks with clocks, and their files (docs/clocks.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <starloom/run/standard_catalogue.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ClockRuns : public CatalogueRuns {
 protected:
  void SetUp() override {
    scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,3,8\n0,1,2,3\n2,3,0,5\n3,1,3,9\n");
  }
  static std::string line(const std::string& network, const std::string& routing = "vc-wormhole, buffer: 4") {
    return experiment("topology: mesh, shape: [1, 4]" + network, routing, "packets, file: p.csv");
  }
  static std::string two_clocks(const std::string& links = "{links: \"*_east\", synchroniser: 1, fifo: 2}") {
    return line(", clocks: {fast: 1, slow: 2}, regions: [{nodes: \"*_c02\", clock: slow}], links: [" + links + "]");
  }
};

TEST_F(ClockRuns, AreVerifiedByTheClocksOfTheExperiment) {
  const auto folder = run(standard_catalogue(), two_clocks(), "out", {"--dump-netlist"});
  const auto network = nlohmann::ordered_json::parse(read(folder / "result.json"))["experiment"]["network"];
  EXPECT_EQ(network["clocks"].dump(), R"({"fast":1,"slow":2})");
  EXPECT_EQ(network["regions"].dump(), R"([{"nodes":"*_c02","clock":"slow"}])");
  EXPECT_EQ(network["links"].dump(), R"([{"links":"*_east","synchroniser":1,"fifo":2}])");
  EXPECT_EQ(verdict(), "");
  const std::string netlist = read(folder / "netlist.json");
  EXPECT_THAT(netlist, AllOf(HasSubstr(R"("node": 1},)"), HasSubstr(R"("node": 2, "period": 2})"),
                             HasSubstr(R"("link_r00_c01_east", "module": "Link", "latency": 1})"),
                             HasSubstr(R"("link_r00_c02_east", "module": "Link", "latency": 2, "interval": 2})")));
  EXPECT_THAT(verdict_with("result.json", "\"slow\": 2", "\"slow\": 3"), HasSubstr("between two edges of the clock"));
  EXPECT_NE(verdict_with("result.json", "\"synchroniser\": 1", "\"synchroniser\": 2"), "");
  EXPECT_THAT(verdict_with("result.json", "\"fifo\": 2", "\"fifo\": 1"), HasSubstr("may be full with 1"));
  EXPECT_THAT(verdict_with("result.json", "\"slow\": 2", "\"slow\": 65"), HasSubstr("experiment.network.clocks.slow"));
  EXPECT_THAT(verdict_with("result.json", "\"clock\": \"slow\"", "\"clock\": \"late\""),
              HasSubstr("experiment.network.regions.0.clock"));
  EXPECT_THAT(verdict_with("result.json", "\"fifo\": 2", "\"fifo\": 0"), HasSubstr("experiment.network.links.0.fifo"));
}

/// With links of a width, and in a network that is read from a file, whose links are written with cycles.
TEST_F(ClockRuns, GiveTheSameNetworkFromAFile) {
  scratch_.write("n.yaml",
                 "nodes: [{name: a}, {name: b}, {name: c}]\nlinks: [{from: a, to: b, both: true, latency: 3}, "
                 "{from: b, to: c, both: true}]\n");
  scratch_.write("p.csv", "cycle,source,destination,flits\n0,0,2,8\n1,2,0,3\n5,1,0,5\n");
  const std::string clocks =
      ", clocks: {fast: 2, slow: 3}, regions: [{nodes: a, clock: slow}], links: [{links: link_a_*, width: 1/2}]";
  run(standard_catalogue(),
      experiment("topology: graph, file: n.yaml" + clocks, "vc-wormhole, function: up-down", "packets, file: p.csv"),
      "out");
  EXPECT_EQ(verdict(), "");
}

TEST_F(ClockRuns, AreTheSameInAnyOrderAndInSubnets) {
  for (const char* subnets : {"", ", subnets: 2"}) {
    const std::string text = "schema: 1\nnetwork: {topology: mesh, shape: [3, 3]" + std::string(subnets) +
                             ", clocks: {a: 2, b: 3}, regions: [{nodes: \"*_c01\", clock: b}]}\n"
                             "routing: {algorithm: vc-wormhole, channels: 2}\n"
                             "traffic: {pattern: uniform, rate: 0.1, flits: 3, warmup: 0, measure: 200}\n";
    const auto plain = run(standard_catalogue(), text, "out");
    EXPECT_EQ(verdict(), "");
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{"--shuffle", "3"}, {"--wake", "all"}, {"--threads", "2"}})
      EXPECT_TRUE(same_rows(plain, run(standard_catalogue(), text, "other", options))) << options[0];
  }
}

/// `clk_slow` rises in every other step and falls in the middle of its cycle, `clk_third` in the middle of a step.
TEST_F(ClockRuns, ShowEveryClockInWaves) {
  const auto folder = run(standard_catalogue(),
                          line(", clocks: {fast: 1, slow: 2, third: 3}, regions: [{nodes: \"*_c02\", clock: slow}]"),
                          "out", {"--waves"});
  const std::string waves = read(folder / "waves.vcd");
  const auto changes = [&](const std::string& name) {
    const std::size_t end = waves.find(' ' + name + " $end");
    EXPECT_NE(end, std::string::npos) << name;
    const std::string id = waves.substr(waves.rfind(' ', end - 1) + 1, end - waves.rfind(' ', end - 1) - 1);
    std::vector<std::string> found;
    std::string time;
    std::istringstream lines(waves.substr(waves.find("$enddefinitions")));
    for (std::string text; std::getline(lines, text) && found.size() < 5;) {
      if (text[0] == '#') time = text.substr(1);
      else if (text == "0" + id || text == "1" + id) found.push_back(text.substr(0, 1) + " " + time);
    }
    return found;
  };
  using List = std::vector<std::string>;
  EXPECT_EQ(changes("clk_fast"), (List{"1 0", "0 500", "1 1000", "0 1500", "1 2000"}));
  EXPECT_EQ(changes("clk_slow"), (List{"1 0", "0 1000", "1 2000", "0 3000", "1 4000"}));
  EXPECT_EQ(changes("clk_third"), (List{"1 0", "0 1500", "1 3000", "0 4500", "1 6000"}));
  EXPECT_THAT(read(folder / "waves.gtkw"), HasSubstr("network.clk_slow"));
  // Flits are on a link for a cycle of the sender.
  const std::string link = waves.substr(waves.find("$scope module link_r00_c02_west"));
  const std::string packet = link.substr(0, link.find(" packet"));
  const std::string id = packet.substr(packet.rfind(' ') + 1);
  Step since = -1, shortest = 1'000'000, time = 0;
  std::istringstream lines(waves.substr(waves.find("$enddefinitions")));
  for (std::string text; std::getline(lines, text);) {
    if (text[0] == '#') time = std::stoll(text.substr(1));
    if (text.size() <= id.size() + 1 || text.substr(text.size() - id.size() - 1) != " " + id) continue;
    if (since >= 0) shortest = std::min(shortest, time - since);
    since = text[1] == 'z' ? -1 : time;
  }
  EXPECT_EQ(shortest % 2000, 0) << shortest;
}

TEST_F(ClockRuns, RefuseWhatDoesNotFit) {
  const auto refused = [&](const std::string& network, const std::string& routing = "vc-wormhole") {
    return refusal(standard_catalogue(), line(network, routing));
  };
  EXPECT_THAT(refused(", clocks: 3"), HasSubstr("names and periods such as {fast: 1, slow: 2} are expected, not 3"));
  EXPECT_THAT(refused(", clocks: {}"), HasSubstr("e.yaml:2:50: network.clocks: names and periods"));
  EXPECT_THAT(refused(", clocks: {a: 0}"), HasSubstr("network.clocks.a: 0 is out of range (1 to 64)"));
  EXPECT_THAT(refused(", clocks: {1a: 2}"), HasSubstr("network.clocks.1a: the name of a clock has letters"));
  EXPECT_THAT(refused(", clocks: {a: 1, a: 2}"), HasSubstr("network.clocks.a: this clock is given twice"));
  EXPECT_THAT(refused(", clocks: {slow: 2}, regions: [{nodes: \"*\", clock: slwo}]"),
              HasSubstr("network.regions.0.clock: unknown clock slwo (did you mean slow?); known: slow"));
  EXPECT_THAT(refused(", regions: [{nodes: \"*\", clock: slow}]"), HasSubstr("network.clocks is missing"));
  EXPECT_THAT(refused(", links: [{links: \"*\", fifo: 0}]"), HasSubstr("network.links.0.fifo: 0 is out of range"));
  EXPECT_THAT(refused(", clocks: {slow: 2}", "greedy"), HasSubstr("clocks are about routers with virtual channels"));
  EXPECT_THAT(refused(", links: [{links: \"*\", synchroniser: 2}]", "greedy"),
              HasSubstr("network.links: synchroniser and fifo are about routers with virtual channels"));
  const std::string pops =
      "schema: 1\nnetwork: {topology: pops, groups: 2, group_size: 2, clocks: {a: 2}}\nrouting: "
      "{algorithm: two-hop}\ntraffic: {pattern: random-permutation}\n";
  EXPECT_THAT(refusal(standard_catalogue(), pops), HasSubstr("network.clocks: pops networks have one clock"));
}

}  // namespace
}  // namespace starloom
