// SPDX-License-Identifier: Apache-2.0
/// \file Runs of the program in which links have errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "unit/fault_runs.hpp"

namespace starloom {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class LinkErrorRuns : public FaultRuns {
 protected:
  static std::string with_errors(const std::string& errors) {
    return mesh8("vc-wormhole, channels: 1", transpose, "errors: {" + errors + "}, seed: 1");
  }
  /// \param errors empty, or ending in a comma
  static std::string with_deaths(const std::string& errors, const std::string& reroute) {
    return mesh8("vc-wormhole, function: up-down, channels: 2, buffer: 4", transpose,
                 "dead: [{cable: link_r03_c03_east, at: 20, until: 45}, {router: 27, at: 30}], " + errors +
                     "reroute: " + reroute + ", losses: count");
  }
  std::string refused_with(const std::string& network, const std::string& routing) const {
    return refused(experiment(network, routing, "reversal") + "faults: {errors: {flit: 0.1}}\n");
  }
};

TEST_F(LinkErrorRuns, AreVerified) {
  ASSERT_EQ(status_of(with_errors("flit: 0.01")), 0);
  EXPECT_EQ(sum_of_delivered(), 2408);
  const auto faults = result()["faults"];
  EXPECT_EQ(faults["resends"], 59);
  EXPECT_EQ(faults["discards"], 59);
  EXPECT_EQ(faults["corrupt"], 30);
  EXPECT_EQ(result()["links"]["flit_hops"], 2688);
  expect_same_bytes_in_any_order(catalogue_, with_errors("flit: 0.05, replay: 3"));
}

TEST_F(LinkErrorRuns, WithoutErrorsAreThoseOfOtherLinks) {
  ASSERT_EQ(status_of(with_errors("")), 0);
  EXPECT_EQ(result()["faults"]["resends"], 0);
  const std::string arrivals = column("packets.csv", 5);
  ASSERT_EQ(status_of_run(catalogue_,
                          experiment("topology: mesh, shape: [8, 8]", "vc-wormhole, channels: 1", transpose), "out"),
            0);
  EXPECT_EQ(column("packets.csv", 5), arrivals);
}

TEST_F(LinkErrorRuns, TakeTheProbabilityOfABit) {
  // 16 bytes: 1 - (1 - 0.0001)^128.
  ASSERT_EQ(status_of(with_errors("bit: 0.0001")), 0);
  const auto of_bits = result()["faults"]["corrupt"];
  ASSERT_EQ(status_of(with_errors("flit: 0.012719111")), 0);
  EXPECT_EQ(result()["faults"]["corrupt"], of_bits);
  EXPECT_GT(of_bits, 20);
}

/// Flits that no link accepts move for ever.
TEST_F(LinkErrorRuns, EndAsLivelocksIfNoFlitIsAccepted) {
  const std::string all = with_errors("flit: 1") + "limits: {quiet: 200}\n";
  EXPECT_EQ(status_of(all), 4);
  EXPECT_EQ(result()["outcome"], "livelock");
}

TEST_F(LinkErrorRuns, GoWithHardwareThatIsDeadFromTheStart) {
  EXPECT_EQ(status_of(mesh8("vc-wormhole, function: up-down", transpose,
                            std::string(central_cable) + ", errors: {flit: 0.02, replay: 3}")),
            0);
  EXPECT_EQ(result()["faults"]["cables"], 1);
  EXPECT_GT(result()["faults"]["resends"], 20);
}

TEST_F(LinkErrorRuns, GoOnWhenHardwareDies) {
  for (const char* reroute : {"{after: never}", "{after: 0, transition: drain}", "{after: 5, transition: flush}",
                              "{after: 2, transition: keep}"}) {
    SCOPED_TRACE(reroute);
    EXPECT_EQ(status_of(with_deaths("errors: {flit: 0.05}, ", reroute)), 0);
    EXPECT_GT(result()["faults"]["resends"], 50);
    EXPECT_GT(result()["faults"]["lost"]["cut"], 0);
    // Without errors, links that repeat flits lose and deliver the same packets.
    ASSERT_EQ(status_of(with_deaths("errors: {}, ", reroute)), 0);
    const std::vector<std::string> fates = {column("packets.csv", 5), column("packets.csv", 7),
                                            column("packets.csv", 8)};
    ASSERT_EQ(status_of(with_deaths("", reroute)), 0);
    EXPECT_EQ(fates,
              (std::vector<std::string>{column("packets.csv", 5), column("packets.csv", 7), column("packets.csv", 8)}));
  }
  expect_same_bytes_in_any_order(catalogue_, with_deaths("errors: {flit: 0.05, replay: 3}, ", "{transition: flush}"));
}

TEST_F(LinkErrorRuns, GoOnWhenHardwareFailsAtRandom) {
  EXPECT_EQ(status_of(mesh8("vc-wormhole, function: up-down, channels: 2",
                            "uniform, rate: 0.05, flits: 4, warmup: 0, measure: 400, drain: 2000",
                            "lifetime: {cables: {mtbf: 3000, mttr: 60}}, errors: {flit: 0.02}, losses: count")),
            0);
  EXPECT_GT(result()["faults"]["resends"], 100);
  EXPECT_GT(result()["faults"]["events"], 5);
}

TEST_F(LinkErrorRuns, ServeHostsAndClassesOfTraffic) {
  const std::string hosts = "topology: leaf-spine, leaves: 3, spines: 2, hosts: 3";
  EXPECT_EQ(status_of(experiment(hosts, "vc-wormhole, function: up-down, channels: 2", "random-permutation, flits: 6") +
                      "faults: {errors: {flit: 0.1}}\n"),
            0);
  EXPECT_GT(result()["faults"]["resends"], 10);
  EXPECT_EQ(
      status_of(
          experiment(
              "topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 2",
              "closed-loop, servers: [5], requests: 20, outstanding: 2, reply: {channels: 1, flits: 3, service: 2}") +
          "faults: {errors: {flit: 0.1}}\n"),
      0);
}

TEST_F(LinkErrorRuns, NeedRoutersWithVirtualChannels) {
  const std::string square = "topology: mesh, shape: [4, 4]";
  EXPECT_THAT(refused_with(square, "greedy"),
              HasSubstr("faults.errors: links of greedy have no errors; use vc-wormhole, or leave errors out"));
  const std::vector<std::tuple<std::string, std::string, std::string>> excluded = {
      {square, "vc-wormhole, stages: {switch: 2}", "allocations that take several steps (routing.stages)"},
      {square, "vc-wormhole, speedup: {internal: 2}", "output, internal and fifo of routing.speedup"},
      {square + ", links: [{links: link_*_east, interval: 2}]", "vc-wormhole",
       "links that take a flit in every second step or less often"},
      {square + ", clocks: {default: 2}", "vc-wormhole", "network.clocks"}};
  for (const auto& [network, routing, obstacle] : excluded)
    EXPECT_THAT(refused_with(network, routing),
                HasSubstr("faults.errors: links that repeat flits exclude " + obstacle));
}

TEST_F(LinkErrorRuns, RefuseWhatNoLinkCanHave) {
  EXPECT_THAT(refused(with_errors("flit: 0.1, bit: 0.1")),
              HasSubstr("faults.errors: flit and bit are probabilities of the same errors; leave one out"));
  EXPECT_THAT(refused(with_errors("at: [{link: link_r00_c00_eas, step: 4}]")),
              HasSubstr("faults.errors.at.0: link_r00_c00_eas is not a link of this network (did you mean "
                        "link_r00_c00_east?)"));
  EXPECT_THAT(refused(with_errors("at: [{link: link_r00_c00_east}]")), HasSubstr("faults.errors.at.0.step is missing"));
  EXPECT_THAT(refused(with_errors("at: [4]")), HasSubstr("a link and a step are expected"));
  EXPECT_THAT(refused(with_errors("at: 4")), HasSubstr("faults.errors.at: a list such as"));
  EXPECT_THAT(refused(with_errors("flit: 2")), HasSubstr("faults.errors.flit: 2 is out of range (0 to 1)"));
  EXPECT_THAT(refused(with_errors("flit: 0.1, recovery: none, replay: 3")),
              HasSubstr("faults.errors: replay is the number of flits that links keep to repeat them, which needs "
                        "recovery: retry; leave replay out"));
  EXPECT_THAT(refused(with_errors("replay: 0")), HasSubstr("faults.errors.replay: 0 is out of range"));
}

/// Three flits from one node to the next, of which the first is corrupt.
TEST_F(LinkErrorRuns, AreExplained) {
  const std::string one =
      experiment("topology: mesh, shape: [1, 2]", "vc-wormhole, channels: 1", "reversal, flits: 3") +
      "faults: {errors: {at: [{link: link_r00_c00_east, step: 4}]}}\n";
  ASSERT_EQ(status_of(one), 0);
  const std::string out = scratch_.file("out").string();
  EXPECT_THAT(output_of(catalogue_, {"why", out, "--packet", "0"}),
              AllOf(HasSubstr("step      5      2  retry for link_r00_c00_east"),
                    HasSubstr("latency 12 = distance 1 + retry 2 + pipeline 7 + length 2")));
  const auto show = [&](const char* step) { return output_of(catalogue_, {"show", out, "--step", step}); };
  EXPECT_THAT(show("5"), AllOf(HasSubstr("link_r00_c00_east: packet 0 flit 0 to node_r00_c01"),
                               HasSubstr("link_r00_c00_east: packet 0 flit 1 to node_r00_c01")));
  EXPECT_THAT(show("7"), Not(HasSubstr("packet 0 flit 0 to")));
}

TEST_F(LinkErrorRuns, AreWatched) {
  const std::string one =
      experiment("topology: mesh, shape: [1, 2]", "vc-wormhole, channels: 1", "reversal, flits: 3") +
      "faults: {errors: {at: [{link: link_r00_c00_east, step: 4}]}}\n";
  testing::internal::CaptureStderr();
  ASSERT_EQ(status_of_run(catalogue_, one, "out", {"--watch", "packet=0"}), 0);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("step 5: packet 0 flit 0 is discarded at node_r00_c01, behind link_r00_c00_east\n"),
                    HasSubstr("step 6: packet 0 flit 0 enters link_r00_c00_east again\n")));
}

/// One place for eight flits: each waits for the acknowledgement of the one before it.
TEST_F(LinkErrorRuns, ExplainFullReplayBuffers) {
  const std::string row = "topology: mesh, shape: [1, 3]";
  ASSERT_EQ(status_of(experiment(row, "vc-wormhole, channels: 2",
                                 "hot-spot, rate: 0.4, warmup: 0, measure: 40, "
                                 "drain: 400, targets: [2], share: 1") +
                      "faults: {errors: {replay: 1}}\n"),
            0);
  const auto slowest =
      nlohmann::ordered_json::parse(output_of(catalogue_, {"why", scratch_.file("out").string(), "--json"}));
  EXPECT_THAT(slowest.dump(), HasSubstr("\"cause\":\"retry\""));
}

TEST_F(LinkErrorRuns, DamagedFilesAreFound) {
  ASSERT_EQ(status_of(with_errors("flit: 0.01, at: [{link: link_r00_c01_west, step: 4}]")), 0);
  for (const char* const figure : {"corrupt", "nacks", "resends", "discards"})
    EXPECT_THAT(verdict_with("result.json", '"' + std::string(figure) + "\": ", '"' + std::string(figure) + "\": 9"),
                HasSubstr("faults." + std::string(figure)));
  EXPECT_NE(verdict_with("result.json", "\"flit\": 0.01", "\"flit\": 0.02"), "");
  EXPECT_NE(verdict_with("result.json", "\"flit\": 0.01", "\"bit\": 0.01"), "");
  EXPECT_NE(verdict_with("result.json", "\"step\": 4", "\"step\": 5"), "");
  EXPECT_THAT(verdict_with("result.json", "link_r00_c01_west", "link_r00_c01_es"),
              HasSubstr("experiment.faults.errors.at.0"));
  EXPECT_THAT(verdict_with("result.json", "\"recovery\": \"retry\"", "\"recovery\": \"never\""),
              HasSubstr("experiment.faults.errors.recovery"));
  EXPECT_THAT(verdict_with("result.json", "\"recovery\": \"retry\"", "\"recovery\": \"none\""),
              HasSubstr("the links of this run do not repeat flits"));
  EXPECT_NE(verdict_with("trace.csv", ",resend,", ",hop,"), "");
  EXPECT_THAT(verdict_with("result.json", "\"pipeline\": ", "\"pipelines\": "),
              HasSubstr("the links of this run do not repeat flits"));
}

/// The packets arrive as without errors, some of them corrupt.
TEST_F(LinkErrorRuns, LosePacketsIfLinksDoNotRepeatFlits) {
  const std::string transposed = "flit: 0.001, recovery: none";
  EXPECT_EQ(status_of(with_errors(transposed)), 4);
  const auto first = result();
  EXPECT_EQ(first["outcome"], "incomplete");
  EXPECT_EQ(first["faults"]["corrupt"], 5);
  EXPECT_EQ(first["faults"]["lost"], (nlohmann::ordered_json{{"corrupt", 5}}));
  EXPECT_EQ(first["faults"]["flits_dropped"], 0);
  EXPECT_EQ(first["links"]["flit_hops"], 2688);
  const std::string counted = "}, losses: count, seed: 1";
  EXPECT_EQ(status_of(mesh8("vc-wormhole, channels: 1", transpose, "errors: {" + transposed + counted)), 0);
  expect_same_bytes_in_any_order(
      catalogue_, mesh8("vc-wormhole, channels: 1", transpose, "errors: {flit: 0.01, recovery: none" + counted));
}

TEST_F(LinkErrorRuns, LosePacketsBetweenClocksAndOverNarrowLinks) {
  for (const char* const network :
       {"topology: mesh, shape: [4, 4], clocks: {a: 2, b: 3}, regions: [{nodes: \"*_c01\", clock: b}]",
        "topology: torus, shape: [4, 4], links: [{links: link_*_plus1, interval: 2}]",
        "topology: leaf-spine, leaves: 3, spines: 2, hosts: 3"}) {
    SCOPED_TRACE(network);
    const std::string function = std::string(network).find("leaf") == std::string::npos ? "dimension-order" : "up-down";
    EXPECT_EQ(status_of(experiment(network, "vc-wormhole, channels: 2, function: " + function,
                                   "uniform, rate: 0.2, flits: 3, measure: 200") +
                        "faults: {errors: {flit: 0.01, recovery: none}, losses: count}\n"),
              0);
    EXPECT_GT(result()["faults"]["lost"]["corrupt"], 10);
  }
}

TEST_F(LinkErrorRuns, LoseNoPacketForWhichOthersWait) {
  const auto without_retry = [&](const std::string& routing, const std::string& traffic, const std::string& more = "") {
    return refused(experiment("topology: mesh, shape: [4, 4]", routing, traffic) + more +
                   "faults: {errors: {flit: 0.1, recovery: none}}\n");
  };
  EXPECT_THAT(without_retry("vc-wormhole, channels: 2",
                            "closed-loop, servers: [5], requests: 20, outstanding: 2, "
                            "reply: {channels: 1, flits: 3, service: 2}"),
              HasSubstr("traffic: packets of closed-loop wait for others, which would wait forever for one that is "
                        "lost because it is corrupt; choose another pattern, or faults.errors.recovery: retry"));
}

/// Flits of corrupt packets move as all others, so waits are those of the run without errors.
TEST_F(LinkErrorRuns, ExplainCorruptPacketsLikeOthers) {
  const auto waits = [&] {
    std::vector<std::string> all;
    for (int packet = 0; packet < 64; ++packet) {
      const auto json = nlohmann::ordered_json::parse(
          output_of(catalogue_, {"why", scratch_.file("out").string(), "--packet", std::to_string(packet), "--json"}));
      all.push_back(json["waits"].dump());
    }
    return all;
  };
  ASSERT_EQ(status_of(with_errors("recovery: none")), 0);
  const auto whole = waits();
  ASSERT_EQ(status_of(with_errors("flit: 0.01, recovery: none")), 4);
  ASSERT_GT(result()["faults"]["lost"]["corrupt"], 15);
  EXPECT_EQ(waits(), whole);
}

TEST_F(LinkErrorRuns, NameTheLinkThatCorruptedAPacket) {
  const std::string row =
      experiment("topology: mesh, shape: [1, 3]", "vc-wormhole, channels: 1", "reversal, flits: 3") +
      "faults: {errors: {recovery: none, at: [{link: link_r00_c01_east, step: 8}, {link: link_r00_c00_east, step: 6}]}"
      "}\n";
  ASSERT_EQ(status_of(row), 4);
  const std::string out = scratch_.file("out").string();
  EXPECT_THAT(output_of(catalogue_, {"why", out, "--packet", "0"}),
              AllOf(HasSubstr("lost in step 13 in node_r00_c02: corrupt, link_r00_c00_east")));
  EXPECT_THAT(output_of(catalogue_, {"why", out, "--packet", "2"}), Not(HasSubstr("lost")));
}

}  // namespace
}  // namespace starloom
