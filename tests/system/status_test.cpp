// SPDX-License-Identifier: Apache-2.0
// Each outcome ends in its exit status, with its sentence; an expected outcome changes it to 0. (`interrupted` needs
// a signal and is tested in tests/cli.)
#include <map>
#include <sstream>

#include "cli/child_run.hpp"
#include "support/scenario_files.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;

const std::map<std::string, int> status_of = {{"completed", 0}, {"saturated", 0},  {"incomplete", 4}, {"deadlock", 4},
                                              {"livelock", 4},  {"step-limit", 4}, {"violation", 3}};

/// Without lines such as "e.yaml: warning: ...".
std::string without_warnings(const std::string& err) {
  std::istringstream lines(err);
  std::string line, others;
  while (std::getline(lines, line))
    if (line.find(": warning: ") == std::string::npos) others += line + "\n";
  return others;
}

class Status : public ChildTest {
 protected:
  Status() { copy_scenarios(scratch_.path()); }
  /// Runs a text beside the scenarios.
  ProgramRun run(const std::string& text) const {
    scratch_.write("scenarios/this.yaml", text);
    return starloom("run scenarios/this.yaml --quiet --force --out out");
  }
};

TEST_F(Status, FollowsTheOutcome) {
  std::map<std::string, int> seen;
  for (const std::string& name : all_scenario_names()) {
    const ProgramRun without = run(without_expectations(scenario_text(name)));
    const std::string result = scratch_.read("out/result.json");
    const std::string key = "\"outcome\": \"";
    const std::size_t at = result.find(key) + key.size();
    const std::string outcome = result.substr(at, result.find('"', at) - at);
    ++seen[outcome];
    ASSERT_EQ(status_of.count(outcome), 1u) << name;
    EXPECT_EQ(without.status, status_of.at(outcome)) << name;
    const std::string sentence = outcome == "completed" ? "" : "scenarios/this.yaml: " + outcome + ": ";
    const std::string err = without_warnings(without.err);
    EXPECT_THAT(err, testing::StartsWith(sentence)) << name;
    EXPECT_EQ(err.empty(), sentence.empty()) << name;
  }
  EXPECT_EQ(seen.size(), status_of.size());
}

TEST_F(Status, ExpectationsChangeIt) {
  const std::map<std::string, std::string> examples = {
      {"completed", "mesh_8x8_random"},      {"saturated", "open_loop_saturated"}, {"incomplete", "program_ends"},
      {"deadlock", "vc_torus_deadlock"},     {"livelock", "hot_potato_livelock"},  {"step-limit", "step_limit"},
      {"violation", "queue_bound_violation"}};
  for (const auto& [outcome, name] : examples) {
    const std::string text = without_expectations(scenario_text(name));
    const int status = status_of.at(outcome);
    EXPECT_EQ(run(text + "expect: {outcome: " + outcome + "}\n").status, 0) << outcome;
    // An outcome that was not expected keeps its status.
    const std::string other = outcome == "completed" ? "saturated" : "completed";
    const ProgramRun missed = run(text + "expect: {outcome: " + other + "}\n");
    EXPECT_EQ(missed.status, status == 0 ? 6 : status) << outcome;
    EXPECT_THAT(missed.err, HasSubstr(": expectation missed: outcome is ")) << outcome;
    // The same for a bad end that the experiment does not mention, whatever else is missed.
    EXPECT_EQ(run(text + "expect: {steps: 77777}\n").status, status == 0 ? 6 : status) << outcome;
    // The outcome is as expected, a figure is not.
    EXPECT_EQ(run(text + "expect: {outcome: " + outcome + ", steps: 77777}\n").status, 6) << outcome;
  }
}

}  // namespace
}  // namespace starloom
