// SPDX-License-Identifier: Apache-2.0
/// \file Runs of the program in which processors send packets again that do not arrive.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "unit/fault_runs.hpp"

namespace starloom {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class EndToEndRuns : public FaultRuns {
 protected:
  /// Packets of these rows between two nodes; an error is that of the link between them.
  std::string pair(const std::string& errors, const std::string& rows = "0,0,1,1\n",
                   const std::string& more = "") const {
    scratch_.write("packets.csv", "cycle,source,destination,flits\n" + rows);
    return experiment("topology: mesh, shape: [1, 2]", "vc-wormhole, channels: 1", "packets, file: packets.csv") +
           "faults: {errors: {recovery: end-to-end" + errors + "}" + more + "}\n";
  }
  static std::string error_in(const std::vector<int>& steps) {
    std::string list;
    for (const int step : steps)
      list += (list.empty() ? "" : ", ") + std::string("{link: link_r00_c00_east, step: ") + std::to_string(step) + "}";
    return ", at: [" + list + "]";
  }
  static std::string transposed(const std::string& errors, const std::string& more = "") {
    return mesh8("vc-wormhole, channels: 1", transpose, "errors: {recovery: end-to-end" + errors + "}, seed: 1" + more);
  }
};

TEST_F(EndToEndRuns, RepeatWhatDoesNotArrive) {
  ASSERT_EQ(status_of(pair(", timeout: 100" + error_in({4}))), 0);
  EXPECT_EQ(scratch_.read("out/packets.csv"),
            "packet,source,destination,flits,created,delivered,injected,lost,at,attempt_of\n"
            "0,0,1,1,0,,0,corrupt,8,\n1,0,1,1,100,108,100,,,0\n");
  const auto first = result();
  EXPECT_EQ(first["outcome"], "completed");
  EXPECT_EQ(first["steps"], 108);
  EXPECT_EQ(first["packets"]["total"], 1);
  EXPECT_EQ(first["latency"]["max"], 108);
  EXPECT_EQ(first["network_latency"]["max"], 108);
  EXPECT_EQ(first["hops"]["max"], 1);
  EXPECT_EQ(first["links"]["flit_hops"], 2);
  EXPECT_TRUE(first["faults"]["lost"].empty());
  EXPECT_EQ(first["faults"]["duplicates"], 0);
}

/// The arrival in step 8 is known in step 9.
TEST_F(EndToEndRuns, RepeatWhatArrivesTooLate) {
  for (const auto& [timeout, duplicates] : {std::pair(8, 1), {9, 0}}) {
    ASSERT_EQ(status_of(pair(", timeout: " + std::to_string(timeout))), 0);
    EXPECT_EQ(result()["latency"]["max"], 8);
    EXPECT_EQ(result()["packets"]["total"], 1);
    EXPECT_EQ(result()["faults"]["duplicates"], duplicates);
    EXPECT_EQ(column("packets.csv", 5), duplicates == 1 ? "8 16" : "8");
  }
  ASSERT_EQ(status_of(pair(", timeout: 1, attempts: 3")), 0);
  EXPECT_EQ(column("packets.csv", 4), "0 1 2");
  EXPECT_EQ(result()["faults"]["duplicates"], 2);
}

/// The attempt leaves its processor behind a long packet, when it is known that the first one has arrived.
TEST_F(EndToEndRuns, RepeatNoAttemptOfWhatHasArrived) {
  ASSERT_EQ(status_of(pair(", timeout: 10, attempts: 3", "0,0,1,8\n9,0,1,20\n")), 0);
  EXPECT_EQ(column("packets.csv", 9), "- - 0 1");
  EXPECT_EQ(column("packets.csv", 6), "0 9 29 37");
  EXPECT_EQ(result()["faults"]["duplicates"], 2);
}

TEST_F(EndToEndRuns, LoseThePacketWithItsLastAttempt) {
  EXPECT_EQ(status_of(pair(", timeout: 20, attempts: 2" + error_in({4, 24}))), 4);
  EXPECT_EQ(result()["outcome"], "incomplete");
  EXPECT_EQ(result()["faults"]["lost"], (nlohmann::ordered_json{{"corrupt", 1}}));
  EXPECT_EQ(result()["packets"]["undelivered"], 1);
  EXPECT_EQ(column("packets.csv", 8), "8 28");
  const std::string again = pair(", timeout: 20, attempts: 2" + error_in({4, 24}), "0,0,1,1\n", ", losses: count");
  EXPECT_EQ(status_of(again), 0);
  EXPECT_EQ(result()["outcome"], "completed");
}

/// A run that ends before its last attempt has not lost the packet.
TEST_F(EndToEndRuns, LeavePacketsWhoseAttemptIsStillDue) {
  EXPECT_EQ(status_of(pair(", timeout: 100" + error_in({4})) + "limits: {steps: 50}\n"), 4);
  EXPECT_EQ(result()["outcome"], "step-limit");
  EXPECT_TRUE(result()["faults"]["lost"].empty());
  EXPECT_EQ(result()["packets"]["undelivered"], 1);
  EXPECT_EQ(status_of(pair(", timeout: 8") + "limits: {steps: 12}\n"), 4);
  EXPECT_EQ(result()["packets"]["undelivered"], 0) << "a duplicate is under way";
}

/// Sources create their packets before attempts of the same step, and those of other nodes by number of the node.
TEST_F(EndToEndRuns, NumberAttemptsBehindThePacketsOfTheirSource) {
  ASSERT_EQ(status_of(pair(", timeout: 20" + error_in({4}), "0,0,1,1\n20,0,1,2\n20,1,0,3\n")), 0);
  EXPECT_EQ(column("packets.csv", 9), "- - 0 -");
  EXPECT_EQ(column("packets.csv", 4), "0 20 20 20");
}

TEST_F(EndToEndRuns, RepeatPacketsThatDyingHardwareLoses) {
  const std::string repaired = ", dead: [{cable: link_r00_c00_east, at: 5, until: 40}], reroute: {after: never}";
  ASSERT_EQ(status_of(pair(", timeout: 60", "0,0,1,8\n", repaired)), 0);
  EXPECT_EQ(column("packets.csv", 7), "cut -");
  EXPECT_EQ(result()["latency"]["max"], 60 + 15);
  // The cable is dead when the second attempt comes, and for ever: that one is lost as soon as it is created.
  const std::string known = ", dead: [{cable: link_r00_c00_east, at: 5}], losses: count";
  ASSERT_EQ(status_of(pair(", timeout: 60", "0,0,1,8\n", known)), 0);
  EXPECT_EQ(column("packets.csv", 7), "cut disconnected");
  EXPECT_EQ(result()["faults"]["lost"], (nlohmann::ordered_json{{"disconnected", 1}}));
}

TEST_F(EndToEndRuns, AreTheSameInAnyOrder) {
  expect_same_bytes_in_any_order(catalogue_, transposed(", flit: 0.002, timeout: 150"));
  EXPECT_EQ(result()["packets"]["delivered"], 64);
  EXPECT_GT(column("packets.csv", 9).find_last_not_of("- "), 100U);
  expect_same_bytes_in_any_order(
      catalogue_, transposed(", flit: 0.001, timeout: 60, attempts: 4",
                             ", random: {cables: 6, at: 30, until: 200}, reroute: {after: 10}, losses: count"));
}

TEST_F(EndToEndRuns, WithOneAttemptAreThoseWithoutRetry) {
  ASSERT_EQ(status_of(transposed(", flit: 0.002, attempts: 1")), 4);
  const std::string rows = scratch_.read("out/trace.csv");
  const auto lost = result()["faults"]["lost"];
  ASSERT_EQ(status_of(mesh8("vc-wormhole, channels: 1", transpose, "errors: {recovery: none, flit: 0.002}, seed: 1")),
            4);
  EXPECT_EQ(scratch_.read("out/trace.csv"), rows);
  EXPECT_EQ(result()["faults"]["lost"], lost);
}

TEST_F(EndToEndRuns, MeasureFirstAttemptsInOpenLoop) {
  const auto uniform = [](const std::string& recovery, const std::string& more = "") {
    return experiment("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 2, buffer: 4",
                      "uniform, rate: 0.1, flits: 2, warmup: 100, measure: 600") +
           "faults: {errors: {flit: 0.01, " + recovery + "}, losses: count}\n" + more;
  };
  ASSERT_EQ(status_of(uniform("recovery: none")), 0);
  const auto without = result();
  ASSERT_EQ(status_of(uniform("recovery: end-to-end, timeout: 200")), 0);
  EXPECT_EQ(result()["packets"]["total"], without["packets"]["total"]);
  EXPECT_EQ(result()["packets"]["undelivered"], 0);
  EXPECT_EQ(result()["throughput"]["offered"], without["throughput"]["offered"]);
  EXPECT_GT(result()["latency"]["max"], 200);
  EXPECT_GT(result()["latency"]["mean"], without["latency"]["mean"]);
  // The limit is that of packets, not of attempts.
  const std::string limit = "limits: {latency: 1.6}\n";
  EXPECT_EQ(status_of(uniform("recovery: none", limit)), 0);
  EXPECT_EQ(status_of(uniform("recovery: end-to-end, timeout: 500", limit)), 0);
  EXPECT_EQ(result()["outcome"], "saturated");
  EXPECT_EQ(result()["saturation"]["reason"], "latency");
  // Packets that were repeated have waited until they arrived, not until the latencies are compared.
  EXPECT_EQ(status_of(experiment("topology: mesh, shape: [4, 4]", "vc-wormhole",
                                 "uniform, rate: 0.01, flits: 2, warmup: 100, measure: 16000") +
                      "faults: {errors: {flit: 0.01, recovery: end-to-end, timeout: 40}}\nlimits: {latency: 2}\n"),
            0);
  EXPECT_EQ(result()["outcome"], "completed");
}

TEST_F(EndToEndRuns, ServeHostsClocksAndTerminals) {
  for (const auto& [network, routing] : std::vector<std::pair<std::string, std::string>>{
           {"topology: leaf-spine, leaves: 3, spines: 2, hosts: 3", "vc-wormhole, function: up-down, channels: 2"},
           {"topology: mesh, shape: [4, 4], clocks: {a: 2, b: 3}, regions: [{nodes: \"*_c01\", clock: b}]",
            "vc-wormhole, channels: 2"},
           {"topology: concentrated-mesh, shape: [2, 2], concentration: 4", "vc-wormhole, channels: 2"}}) {
    SCOPED_TRACE(network);
    EXPECT_EQ(status_of(experiment(network, routing, "uniform, rate: 0.1, flits: 3, measure: 200") +
                        "faults: {errors: {flit: 0.01, recovery: end-to-end, timeout: 12}}\n"),
              0);
    EXPECT_GT(result()["faults"]["duplicates"], 0);
    EXPECT_NE(scratch_.read("out/packets.csv").find("corrupt"), std::string::npos);
  }
}

TEST_F(EndToEndRuns, AreExplained) {
  const std::string cut = ", dead: [{cable: link_r00_c00_east, at: 5}], losses: count";
  const auto why = [&](const char* packet, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"why", scratch_.file("out").string(), "--packet", packet};
    words.insert(words.end(), more.begin(), more.end());
    return output_of(catalogue_, words);
  };
  ASSERT_EQ(status_of(pair(", timeout: 60", "0,0,1,8\n", cut)), 0);
  EXPECT_THAT(why("0"), HasSubstr("lost in step 5 in node_r00_c00: cut, link_r00_c00_east\n"
                                  "sent again as packet 1 in step 60\n"));
  EXPECT_THAT(why("1"),
              HasSubstr("packet 1, attempt 2 of packet 0, 8 flits, from node_r00_c00 to node_r00_c01: created "
                        "in step 60, lost in step 60: disconnected"));
  const auto attempt = nlohmann::ordered_json::parse(why("0", {"--json"}))["attempt"];
  EXPECT_EQ(attempt.dump(), "{\"number\":1,\"of\":0,\"next\":1}");
  ASSERT_EQ(status_of(pair(", timeout: 4, attempts: 3")), 0);
  EXPECT_THAT(why("1"), AllOf(HasSubstr("attempt 2 of packet 0"), HasSubstr("sent again as packet 2 in step 8")));
  EXPECT_THAT(why("2"), AllOf(HasSubstr("attempt 3 of packet 0"), Not(HasSubstr("sent again"))));
  EXPECT_EQ(nlohmann::ordered_json::parse(why("2", {"--json"}))["attempt"].dump(),
            "{\"number\":3,\"of\":0,\"next\":null}");
}

TEST_F(EndToEndRuns, DamagedFilesAreFound) {
  ASSERT_EQ(status_of(pair(", timeout: 20, attempts: 2" + error_in({4, 24}), "0,0,1,1\n35,0,1,2\n", ", losses: count")),
            0);
  EXPECT_THAT(verdict_with("result.json", "\"timeout\": 20", "\"timeout\": 19"),
              HasSubstr("is created as an attempt of packet 0, which is due in step 19"));
  EXPECT_THAT(
      verdict_with("result.json", "\"attempts\": 2", "\"attempts\": 3"),
      HasSubstr("step 40, node_r00_c00: packet 0, flit 0 has no further attempt in this step, but its processor "
                "does not know that it has arrived"));
  EXPECT_THAT(verdict_with("result.json", "\"attempts\": 2", "\"attempts\": 1"),
              HasSubstr("packet 1 is one attempt of packet 0 more than 1"));
  EXPECT_THAT(verdict_with("result.json", "\"duplicates\": 0", "\"duplicates\": 1"), HasSubstr("faults.duplicates"));
  EXPECT_THAT(verdict_with("result.json", "\"corrupt\": 1", "\"corrupt\": 2"), HasSubstr("faults.lost.corrupt"));
  EXPECT_THAT(verdict_with("result.json", "\"end-to-end\"", "\"none\""),
              HasSubstr("has the column attempt_of, but recovery is not end-to-end"));
  EXPECT_THAT(verdict_with("packets.csv", ",corrupt,28,0\n", ",corrupt,28,\n"),
              HasSubstr("packet 0, flit 0 has no further attempt in this step"));
  EXPECT_THAT(verdict_with("packets.csv", "44,35,,,\n", "44,35,,,0\n"),
              HasSubstr("packet 2 is one attempt of packet 0 more than 2"));
  EXPECT_THAT(verdict_with("packets.csv", "44,35,,,\n", "44,35,,,1\n"),
              HasSubstr("packet 1 is not the first attempt of packet 2"));
}

TEST_F(EndToEndRuns, FindAttemptsOfOtherPackets) {
  // Without errors, the second packet is created when the arrival of the first one is known.
  ASSERT_EQ(status_of(pair(", timeout: 9", "0,0,1,1\n9,0,1,1\n9,1,0,1\n")), 0);
  EXPECT_THAT(verdict_with("packets.csv", "17,9,,,\n", "17,9,,,0\n"),
              HasSubstr("packet 1, flit 0 is created as an attempt of packet 0, but its processor knows from step 9 on "
                        "that it has arrived"));
  EXPECT_THAT(verdict_with("packets.csv", "2,1,0,1,9,17,9,,,", "2,1,0,1,9,17,9,,,0"),
              HasSubstr("packet 2 is an attempt of packet 0, but has another source, destination, length, class or "
                        "subnet"));
}

TEST_F(EndToEndRuns, RefuseWhatTheyCannotRepeat) {
  const auto refused_by = [&](const std::string& routing, const std::string& traffic) {
    return refused(experiment("topology: mesh, shape: [4, 4]", "vc-wormhole, channels: 2" + routing, traffic) +
                   "faults: {errors: {flit: 0.1, recovery: end-to-end}}\n");
  };
  EXPECT_THAT(refused_by("", "uniform, rate: 0.1, measure: 100, reply: {flits: 2, service: 3}"),
              HasSubstr("faults.errors: packets that are sent again exclude packets that get replies; leave one of the "
                        "two out"));
  EXPECT_THAT(refused_by("", "closed-loop, servers: [5], requests: 20, outstanding: 2, reply: {flits: 3, service: 2}"),
              HasSubstr("packets of closed-loop wait for others"));
  for (const char* const key : {"timeout: 5", "attempts: 3"})
    EXPECT_THAT(
        refused(mesh8("vc-wormhole", transpose, "errors: {recovery: none, " + std::string(key) + "}")),
        AllOf(HasSubstr(" applies to packets that processors send again, which needs recovery: end-to-end; leave"),
              HasSubstr("faults.errors")));
  EXPECT_THAT(refused(transposed(", timeout: 0")), HasSubstr("faults.errors.timeout: 0 is out of range"));
  EXPECT_THAT(refused(transposed(", attempts: 0")), HasSubstr("faults.errors.attempts: 0 is out of range"));
  EXPECT_THAT(refused(transposed(", replay: 4")), HasSubstr("leave replay out"));
}

}  // namespace
}  // namespace starloom
