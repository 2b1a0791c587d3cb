// SPDX-License-Identifier: Apache-2.0
// In any state of a command, SIGINT and SIGTERM end it within two seconds, and no incomplete file has a final name.
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>

#include "cli/background_run.hpp"

namespace starloom {
namespace {

using std::chrono::steady_clock;

class Signals : public ProgramTest {
 protected:
  void SetUp() override {
    scratch_.write("big.yaml",
                   "schema: 1\nnetwork: {topology: mesh, shape: [1024, 1024]}\nrouting: {algorithm: greedy}\n"
                   "traffic: {pattern: reversal}\n");
    scratch_.write(
        "many_ways.yaml",
        "schema: 1\nnetwork: {topology: mesh, shape: [100, 100]}\nrouting: {algorithm: vc-wormhole, function: "
        "up-down, channels: 4}\ntraffic: {pattern: uniform, rate: 0.01, warmup: 0, measure: 1000, drain: 0}\n");
    scratch_.write("endless.yaml",
                   "schema: 1\nnetwork: {topology: mesh, shape: [8, 8]}\nrouting: {algorithm: greedy}\n"
                   "traffic: {pattern: uniform, rate: 0.01, warmup: 0, measure: 1000000000, drain: 0}\n");
    scratch_.write("ranks.yaml",
                   "schema: 1\nnetwork: {topology: mesh, shape: [3, 4]}\nmodel: message\n"
                   "routing: {algorithm: multistage}\ntraffic: {pattern: ranks, from: 0, count: 100000000}\n");
    scratch_.write("hard.yaml",
                   "schema: 1\nnetwork: {topology: mesh, shape: [64, 64]}\nrouting: {algorithm: multistage}\n"
                   "traffic: {pattern: random-permutation}\n");
    scratch_.write("campaign.yaml",
                   "schema: 1\nname: long\nbase: {schema: 1, network: {topology: mesh, shape: [8, 8]}, routing: "
                   "{algorithm: greedy}, traffic: {pattern: uniform, rate: 0.01, warmup: 0, measure: 1000000000, "
                   "drain: 0}}\naxes: {seed: [1, 2]}\nkeep: [steps]\n");
  }

  /// Sends the signal when the command has used `work` seconds of processor time. The seconds from then to the end.
  double seconds_to_end(const std::vector<std::string>& words, int signal, double work) const {
    BackgroundRun run(scratch_, words);
    run.wait_for_work(work);
    EXPECT_TRUE(run.running()) << testing::PrintToString(words) << scratch_.read("stderr");
    const auto sent = steady_clock::now();
    run.signal(signal);
    ended_ = run.wait();
    return std::chrono::duration<double>(steady_clock::now() - sent).count();
  }
  /// The least of three times, if need be: other programs may want the cores just then.
  void ends_within_two_seconds(const std::vector<std::string>& words, int signal, double work) const {
    double least = seconds_to_end(words, signal, work);
    for (int again = 0; again < 2 && least >= 2; ++again) least = std::min(least, seconds_to_end(words, signal, work));
    EXPECT_LT(least, 2) << testing::PrintToString(words) << " " << signal;
  }

  /// There is a folder in which a run that writes to `out` has begun.
  bool has_begun(const std::string& out) const {
    for (const std::string& name : files("."))
      if (name.rfind(out + ".partial-", 0) == 0) return true;
    return false;
  }

  mutable ProgramRun ended_;
};

using Words = std::vector<std::string>;

class SignalsToCommands : public Signals, public testing::WithParamInterface<std::vector<std::string>> {};

TEST_P(SignalsToCommands, EndThemWithinTwoSeconds) {
  for (const int signal : {SIGINT, SIGTERM}) ends_within_two_seconds(GetParam(), signal, signal == SIGINT ? 0.1 : 0.5);
}

// A terminal that is closed sends SIGHUP, which `nohup` has its program ignore.
TEST_F(Signals, AClosedTerminalEndsARunWithItsResult) {
  const Words words = {"run", "endless.yaml", "--out", "o"};
  ends_within_two_seconds(words, SIGHUP, 0.3);
  EXPECT_EQ(ended_.status, 4);
  EXPECT_THAT(scratch_.read("o/result.json"), testing::HasSubstr("\"outcome\": \"interrupted\""));
  EXPECT_FALSE(has_begun("o"));
  seconds_to_end({"campaign", "campaign.yaml", "--jobs", "2", "--store", "s"}, SIGHUP, 0.5);
  EXPECT_EQ(ended_.status, 4);
  EXPECT_THAT(ended_.out, testing::HasSubstr("0 of 2 runs done (0 now), 0 failed"));

  std::signal(SIGHUP, SIG_IGN);
  BackgroundRun run(scratch_, {"run", "endless.yaml", "--out", "ignored"});
  std::signal(SIGHUP, SIG_DFL);
  run.wait_for_work(0.3);
  run.signal(SIGHUP);
  run.wait_for_work(0.6);
  EXPECT_TRUE(run.running());
}

INSTANTIATE_TEST_SUITE_P(Long, SignalsToCommands,
                         testing::Values(Words{"check", "many_ways.yaml"}, Words{"faults", "many_ways.yaml"},
                                         Words{"draw", "big.yaml"}, Words{"run", "big.yaml", "--out", "o"},
                                         Words{"run", "ranks.yaml", "--out", "o"},
                                         Words{"run", "endless.yaml", "--out", "o", "--force", "--trace", "--waves"},
                                         Words{"plan", "hard.yaml", "--falsify", "--save", "found.yaml"},
                                         Words{"regress", "endless.yaml", "--junit", "j.xml"},
                                         Words{"campaign", "campaign.yaml", "--jobs", "2"}),
                         [](const auto& instance) {
                           const std::string& file = instance.param[1];
                           return instance.param[0] + "_" + file.substr(0, file.find('.'));
                         });

TEST_F(Signals, SetsOfFaultsThatAreJudgedAreThere) {
  seconds_to_end({"faults", "endless.yaml", "--random", "4", "--runs", "500000", "--json"}, SIGINT, 0.5);
  EXPECT_EQ(ended_.status, 4);
  EXPECT_THAT(ended_.err, testing::MatchesRegex("starloom: interrupted after [0-9]+ of 500000 sets; the result is that "
                                                "of the first ones\n"));
  const auto found = nlohmann::json::parse(ended_.out);
  EXPECT_GT(found["sets"], 0);
  EXPECT_EQ(found["ranking"].size(), found["sets"]);
}

// No slow conversion of the existing files is begun.
TEST_F(Signals, ARunThatIsStoppedIsNotConverted) {
  ends_within_two_seconds({"run", "endless.yaml", "--out", "o", "--force", "--replay", "--set", "waves={format: fst}",
                           "--set", "traffic.rate=0.3"},
                          SIGTERM, 1);
  EXPECT_EQ(ended_.status, 4);
  EXPECT_THAT(ended_.err, testing::HasSubstr("replay.html is not written for an interrupted run\n"));
  EXPECT_THAT(ended_.err, testing::HasSubstr("waves.fst is not written for an interrupted run; waves.vcd is kept\n"));
  EXPECT_TRUE(exists("o/waves.vcd"));
  EXPECT_FALSE(exists("o/waves.fst"));
}

TEST_F(Signals, RunsInFlightAreGivenUp) {
  seconds_to_end({"campaign", "campaign.yaml", "--jobs", "2", "--store", "s"}, SIGTERM, 0.5);
  EXPECT_EQ(ended_.status, 4);
  EXPECT_THAT(ended_.err, testing::HasSubstr("starloom: interrupted; run the same command again to continue"));
  EXPECT_THAT(ended_.out, testing::HasSubstr("0 of 2 runs done (0 now), 0 failed"));
}

// As batch systems and `timeout` send it.
TEST_F(Signals, OneToTheWholeGroupIsForTheParent) {
  BackgroundRun run(scratch_, {"campaign", "campaign.yaml", "--jobs", "2", "--store", "s"});
  run.wait_for_work(0.5);
  run.signal(SIGTERM);
  run.signal_group(SIGTERM);
  EXPECT_THAT(run.wait().out, testing::HasSubstr("0 of 2 runs done (0 now), 0 failed")) << scratch_.read("stderr");
}

TEST_F(Signals, ScenariosInHandAreGivenUp) {
  seconds_to_end({"regress", "endless.yaml", "--junit", "j.xml"}, SIGTERM, 0.5);
  EXPECT_EQ(ended_.status, 6);
  EXPECT_THAT(ended_.out, testing::HasSubstr("interrupted"));
  EXPECT_THAT(scratch_.read("j.xml"), testing::EndsWith(">\n"));
}

// With so little memory a network of a million nodes is begun, and ends with a sentence.
TEST_F(Signals, MemoryThatRunsOutIsToldAtOnce) {
  const auto begun = steady_clock::now();
  const ProgramRun run = starloom("run big.yaml --out o --quiet", "ulimit -v 1500000;");
  EXPECT_LT(std::chrono::duration<double>(steady_clock::now() - begun).count(), 20);
  EXPECT_THAT(run.status, testing::AnyOf(1, 2)) << run.err;
  EXPECT_THAT(run.err, testing::HasSubstr("memory"));
  EXPECT_FALSE(has_begun("o")) << "an empty folder is left";
}

}  // namespace
}  // namespace starloom
