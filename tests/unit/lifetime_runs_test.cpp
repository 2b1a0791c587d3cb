// SPDX-License-Identifier: Apache-2.0
/// \file Runs of the program in which cables fail and are repaired at random.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include <starloom/support/error.hpp>
#include "unit/fault_runs.hpp"

namespace starloom {
namespace {

using testing::AllOf;
using testing::HasSubstr;

int occurrences(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

class LifetimeRuns : public FaultRuns {
 protected:
  static constexpr const char* long_lives = "lifetime: {cables: {mtbf: 100000, mttr: 1000}}, losses: count";
  static constexpr const char* short_lives = "lifetime: {cables: {mtbf: 4000, mttr: 100}}, losses: count";
  static constexpr const char* open_loop = "uniform, rate: 0.05, warmup: 50, measure: 400, drain: 1000";
  static std::string failing(const std::string& routing, const std::string& more = "") {
    return mesh8(routing, open_loop, short_lives + more);
  }
};

/// The steps come from an independent implementation.
TEST_F(LifetimeRuns, HaveTheFailuresThatTheSeedGives) {
  ASSERT_EQ(status_of(mesh8("vc-wormhole, function: up-down",
                            "uniform, rate: 0.01, warmup: 0, measure: 20000, drain: 1000", long_lives)),
            0);
  const auto faults = result()["faults"];
  EXPECT_EQ(faults["cables"], 0);
  const std::string rows = scratch_.read("out/faults.csv");
  EXPECT_THAT(rows, AllOf(HasSubstr("\n676,dead,47,2,55\n676,dead,55,0,47\n676,stopped,"),
                          HasSubstr("\n1053,repaired,47,2,55\n1053,repaired,55,0,47\n")));
  // Both links of 17 cables.
  EXPECT_EQ(occurrences(rows, ",dead,"), 34);
  EXPECT_EQ(faults["events"], occurrences(rows, ",dead,") + occurrences(rows, ",repaired,"));
  EXPECT_GT(faults["changes"].size(), 20u);
}

TEST_F(LifetimeRuns, AreVerifiedForAllAlgorithmsWithDeadLinks) {
  const std::string mesh = "topology: mesh, shape: [8, 8]";
  for (const auto& [network, routing] :
       {std::pair(mesh, "vc-wormhole, function: up-down"),
        std::pair(mesh, "vc-wormhole, channels: 3, function: min-adaptive"),
        std::pair(mesh, "greedy, function: up-down"), std::pair(mesh, "deflection"),
        std::pair(std::string("topology: fat-tree, arity: 4, levels: 3"), "nearest-ancestor")}) {
    SCOPED_TRACE(routing);
    EXPECT_EQ(status_of(experiment(network, routing, open_loop) + "faults: {" + short_lives + "}\n"), 0);
    EXPECT_GT(result()["faults"]["events"], 20);
    EXPECT_GT(result()["faults"]["changes"].size(), 3u);
  }
}

TEST_F(LifetimeRuns, HaveTheSameBytesInAnyOrder) {
  expect_same_bytes_in_any_order(catalogue_, failing("vc-wormhole, function: up-down"));
  expect_same_bytes_in_any_order(catalogue_,
                                 failing("vc-wormhole, function: up-down", ", reroute: {after: 5, transition: keep}"));
  expect_same_bytes_in_any_order(catalogue_, failing("deflection", ", reroute: {after: flood}"));
}

TEST_F(LifetimeRuns, GoWithOtherFaultsAndErrors) {
  EXPECT_EQ(status_of(failing("vc-wormhole, function: up-down",
                              ", dead: [link_r00_c00_east, {router: 27, at: 100, until: 200}], random: {cables: 3, at: "
                              "60}, errors: {flit: 0.001, recovery: none}, reroute: {after: never}, seed: 4")),
            0);
  EXPECT_EQ(result()["faults"]["cables"], 1);
  EXPECT_GT(result()["faults"]["lost"]["corrupt"], 0);
  EXPECT_EQ(result()["faults"]["changes"].size(), 0u);
}

/// A run does not go on because of failures that are still to come.
TEST_F(LifetimeRuns, EndInDeadlocks) {
  const std::string ring =
      experiment("topology: ring, nodes: 8", "vc-wormhole, function: shortest, buffer: 1", "tornado, flits: 20") +
      "faults: {lifetime: {cables: {mtbf: 1000000, mttr: 10}}}\n";
  EXPECT_EQ(status_of(ring), 4);
  EXPECT_EQ(result()["outcome"], "deadlock");
}

TEST_F(LifetimeRuns, AreDescribedByCheck) {
  const std::string text = mesh8("vc-wormhole, function: up-down", transpose, long_lives);
  EXPECT_THAT(
      output_of(catalogue_, {"check", scratch_.write("e.yaml", text).string()}),
      HasSubstr("events        each cable fails after 100000 steps on average, and is repaired after 1000 steps; "
                "routing functions learn of them in the same step, after a drain"));
  EXPECT_FALSE(check_json(text).contains("events"));
}

TEST_F(LifetimeRuns, AreExplained) {
  ASSERT_EQ(status_of(failing("vc-wormhole, function: up-down", ", reroute: {after: 10}")), 0);
  const std::string out = scratch_.file("out").string();
  EXPECT_THAT(output_of(catalogue_, {"why", out}), HasSubstr(" + stopped "));
  EXPECT_THAT(output_of(catalogue_, {"show", out, "--step", "200"}), HasSubstr("dead"));
}

TEST_F(LifetimeRuns, DamagedFilesAreFound) {
  ASSERT_EQ(status_of(failing("vc-wormhole, function: up-down")), 0);
  EXPECT_NE(verdict_with("result.json", "\"mtbf\": 4000", "\"mtbf\": 4001"), "");
  EXPECT_NE(verdict_with("result.json", "\"mttr\": 100", "\"mttr\": 99"), "");
  EXPECT_NE(verdict_with("faults.csv", ",dead,", ",repaired,"), "");
  const std::string rows = scratch_.read("out/faults.csv");
  const std::size_t last = rows.rfind('\n', rows.size() - 2) + 1;
  EXPECT_NE(verdict_with("faults.csv", rows.substr(last), ""), "") << "without its last row";
  EXPECT_NE(verdict_with("faults.csv", rows.substr(last), "999999999999999999" + rows.substr(rows.find(',', last))),
            "");
  EXPECT_NE(verdict_with("result.json", "\"lifetime\"", "\"lifetimes\""), "");
}

/// No row of the trace shows that the last cable failed, and no packet was lost because of it.
TEST_F(LifetimeRuns, AMissingFailureIsFound) {
  ASSERT_EQ(status_of(failing("vc-wormhole, function: up-down", ", reroute: {after: never}")), 0);
  const std::string rows = scratch_.read("out/faults.csv");
  const std::size_t last = rows.rfind('\n', rows.rfind(",dead,", rows.rfind(",dead,") - 1)) + 1;
  EXPECT_THAT(verdict_with("faults.csv", rows.substr(last), ""), HasSubstr("faults.csv does not have"));
}

TEST_F(LifetimeRuns, RefuseWhatNoCableCanHave) {
  const auto with = [this](const std::string& lifetime, const std::string& more = "") {
    return refused(mesh8("vc-wormhole, function: up-down", transpose, "lifetime: {" + lifetime + "}" + more));
  };
  EXPECT_THAT(with("cables: {mtbf: 100}"),
              HasSubstr("faults.lifetime.cables: mttr is missing; cables need a mean time to the failure (mtbf) and to "
                        "the repair (mttr)"));
  EXPECT_THAT(with("cables: {mttr: 100}"), HasSubstr("faults.lifetime.cables: mtbf is missing"));
  EXPECT_THAT(with("cables: {mtbf: 0, mttr: 5}"), HasSubstr("faults.lifetime.cables.mtbf: 0 is out of range"));
  EXPECT_THAT(with("routers: {mtbf: 100, mttr: 5}"), HasSubstr("faults.lifetime.routers"));
}

/// The network that the failures leave is not known before the run.
TEST_F(LifetimeRuns, EndWithThePlaceOfRoutingThatCannotLearnOfAFailure) {
  const std::string file = scratch_.write("l.yaml", failing("vc-wormhole, function: layered, channels: 1")).string();
  try {
    run_command(catalogue_, {"run", file, "--out", scratch_.file("out").string(), "--quiet"});
    FAIL() << "it runs";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::usage);
    EXPECT_THAT(error.what(), HasSubstr("l.yaml:3:"));
    EXPECT_THAT(error.what(),
                HasSubstr("routing.channels: layered needs 2 channels here, has 1 (with the hardware that "
                          "is dead from step "));
  }
}

}  // namespace
}  // namespace starloom
