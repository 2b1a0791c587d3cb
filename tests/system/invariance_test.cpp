// SPDX-License-Identifier: Apache-2.0
// For every scenario with hardware: neither the order of construction and evaluation nor the number of threads nor running
// idle nodes changes a byte, and the referee accepts the folder.
#include <map>

#include "cli/program_run.hpp"
#include "support/scenario_files.hpp"

namespace starloom {
namespace {

class EveryScenario : public ProgramTest, public testing::WithParamInterface<std::string> {
 protected:
  /// Runs the scenario into a folder.
  void run(const std::string& folder, const std::string& options) const {
    const ProgramRun run =
        starloom("run '" + scenario_file(GetParam()).string() + "' --trace --quiet --out " + folder + options);
    EXPECT_EQ(run.status, 0) << options << "\n" << run.err;
  }
  void same(const std::string& a, const std::string& b) const {
    EXPECT_EQ(files(a), files(b));
    for (const std::string& name : files(a)) {
      if (name == "timing.json") continue;
      EXPECT_NE(scratch_.read(a + "/" + name), "") << name;
      EXPECT_TRUE(scratch_.read(a + "/" + name) == scratch_.read(b + "/" + name)) << b << "/" << name;
    }
  }
};

/// What to set where running all nodes in each idle step of a scenario would take minutes.
std::string shorter(const std::string& scenario) {
  static const std::string first_steps = " --set 'limits={steps: 20000}' --set 'expect={outcome: step-limit}'";
  static const std::map<std::string, std::string> settings = {
      {"sleeper_hundred_million", " --set routing.delay=2000 --set 'expect={outcome: completed}'"},
      {"supernode_18x18_greedykill", first_steps},
      {"supernode_many_to_one", first_steps},
      {"supernode_sorted", " --set 'limits={steps: 2000}' --set 'expect={outcome: step-limit}'"},
      {"supernode_stress", first_steps}};
  const auto found = settings.find(scenario);
  return found == settings.end() ? "" : found->second;
}

TEST_P(EveryScenario, DoesNotDependOnOrderOrThreadsOrWaking) {
  const std::string less = shorter(GetParam());
  run("plain", " --threads 1");
  run("shuffled", " --shuffle 5");
  same("plain", "shuffled");
  run("shared", " --threads 2");
  same("plain", "shared");
  if (!less.empty()) run("short", less);
  run("awake", " --wake all" + less);
  run("both", " --wake all --shuffle 5 --threads 2" + less);
  same(less.empty() ? "plain" : "short", "awake");
  same(less.empty() ? "plain" : "short", "both");
}

// What was left undelivered is no violation; a violation is found again in the files.
TEST_P(EveryScenario, IsAcceptedByTheReferee) {
  run("out", "");
  const bool violates = scratch_.read("out/result.json").find("\"outcome\": \"violation\"") != std::string::npos;
  const ProgramRun verdict = starloom("verify out");
  EXPECT_EQ(verdict.status, violates ? 3 : 0) << verdict.out << verdict.err;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, EveryScenario, testing::ValuesIn(scenarios_with_hardware()),
                         [](const auto& scenario) { return scenario.param; });

}  // namespace
}  // namespace starloom
