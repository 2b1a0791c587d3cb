// SPDX-License-Identifier: Apache-2.0
// Numbers that come to the end of their width are refused, or end the run with a sentence; and what need not be kept.
#include "cli/program_run.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;

class LimitsOfNumbers : public ProgramTest {
 protected:
  LimitsOfNumbers() {
    scratch_.write("e.yaml", small_experiment);
    scratch_.write("late.yaml",
                   "schema: 1\nnetwork: {topology: mesh, shape: [1, 4]}\nrouting: {algorithm: greedy}\n"
                   "traffic: {pattern: packets, file: late.csv}\n");
  }
  /// Runs with one packet that is created in this step.
  ProgramRun late(const std::string& step, const std::string& words = "") const {
    scratch_.write("late.csv", "cycle,source,destination,flits\n" + step + ",0,3,1\n");
    return starloom("run late.yaml --quiet --force --waves --out o " + words);
  }
};

TEST_F(LimitsOfNumbers, Steps) {
  for (const char* key : {"warmup", "measure", "drain"}) {
    const std::string least = std::string(key) == "measure" ? "1" : "0";
    refuses(std::string("run e.yaml --set 'traffic={pattern: uniform, rate: 0.1, ") + key + ": 4611686018427387904}'",
            2,
            std::string("--set traffic: traffic.") + key + ": 4611686018427387904 is out of range (" + least +
                " to 10^18)");
  }
  EXPECT_EQ(late("1000000000000000001").status, 2);
  EXPECT_EQ(late("1000000000000000001").err,
            "late.csv:2:1: cycle: 1000000000000000001 is more than 1000000000000000000\n");
}

// Half of all that a run accepts is accepted by verify, too.
TEST_F(LimitsOfNumbers, LongPhasesAreVerified) {
  EXPECT_EQ(
      starloom("run e.yaml --quiet --trace --out o --set 'traffic={pattern: uniform, rate: 0.1, warmup: 0, measure: "
               "1000000000000000000}' --set limits.steps=50")
          .status,
      4);
  EXPECT_EQ(starloom("verify o").status, 0);
}

// `check` warns of what no machine lives to see, or this one cannot keep.
TEST_F(LimitsOfNumbers, ARunForEverIsValidWithAWarning) {
  const auto measure = [&](const std::string& steps) {
    return starloom("check e.yaml --set 'traffic={pattern: uniform, rate: 0.1, measure: " + steps + "}'");
  };
  const std::string year = "  warning       the run takes longer than a year; lower traffic.warmup and traffic.measure";
  const ProgramRun endless = measure("900000000000000"), short_one = measure("1000");
  EXPECT_EQ(endless.status, 0);
  EXPECT_THAT(endless.out, HasSubstr(year + "\n  warning       its packets need more memory than the "));
  EXPECT_THAT(endless.out, HasSubstr("lower traffic.warmup and traffic.measure, or run it with --no-packets\n"));
  EXPECT_EQ(short_one.out.find("warning"), std::string::npos) << short_one.out;
  // Also if loads are not computed, as for this number of nodes.
  EXPECT_THAT(starloom("check e.yaml --set network.shape=[101,100] --set 'traffic={pattern: uniform, rate: 0.1, "
                       "measure: 900000000000000}'")
                  .out,
              HasSubstr(year));
}

TEST_F(LimitsOfNumbers, SimulatedTime) {
  EXPECT_EQ(late("922337203685470").status, 0);
  const ProgramRun run = late("922337203685478");
  EXPECT_EQ(run.status, 2);
  const std::string error =
      "late.yaml:4:1: traffic: the last packets are created in step 922337203685478, but simulated time ends before "
      "step 922337203685477 (2^63 x 0.1 ps); create them earlier, or lower units.clock_ns from 1\n";
  EXPECT_EQ(run.err, error);
  EXPECT_EQ(starloom("check late.yaml").err, error);
  EXPECT_EQ(late("1000000", "--set units.clock_ns=1e9").status, 2);
  EXPECT_EQ(late("922336", "--set units.clock_ns=1e9 --set limits.steps=922337").status, 4);
  EXPECT_EQ(late("1000000", "--set units.clock_ns=1e9 --set limits.steps=922337").status, 4);
  EXPECT_EQ(late("900000", "--set units.clock_ns=1e9").status, 0);
  refuses(
      "check e.yaml --set units.clock_ns=1e9 --set 'traffic={pattern: uniform, rate: 0.1, measure: 1000000}'", 2,
      "--set traffic: the last packets are created in step 1000999, but simulated time ends before step 922337 (2^63 "
      "x 0.1 ps); create them earlier, or lower units.clock_ns from 1000000000");
}

// A packet that is created in time need not arrive in time.
TEST_F(LimitsOfNumbers, SimulatedTimeEndsOnTheWay) {
  const ProgramRun run = late("922337203685475", "--trace");
  EXPECT_EQ(run.status, 4);
  EXPECT_EQ(run.err,
            "late.yaml: step-limit: simulated time ends at 2^63 x 0.1 ps; lower units.clock_ns to see the end\n"
            "  1 packet undelivered in total\n");
  EXPECT_EQ(starloom("verify o").status, 0);
}

// Listing packets changes no other file.
TEST_F(LimitsOfNumbers, PacketsThatAreNotListedCountAllTheSame) {
  const std::string words =
      "run e.yaml --set 'routing={algorithm: vc-wormhole}' --set 'traffic={pattern: uniform, rate: 0.3, flits: 2, "
      "warmup: 100, measure: 3000}' --out ";
  const ProgramRun listed = starloom(words + "a"), summed = starloom(words + "b --no-packets");
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_EQ(summed.out, listed.out.substr(0, listed.out.rfind(" a\n")) + " b\n");
  EXPECT_TRUE(exists("a/packets.csv"));
  EXPECT_FALSE(exists("b/packets.csv"));
  for (const char* file : {"result.json", "latency.csv", "latency.svg", "links.csv", "buffers.csv", "links.svg"})
    EXPECT_EQ(scratch_.read(std::string("a/") + file), scratch_.read(std::string("b/") + file)) << file;
}

}  // namespace
}  // namespace starloom
