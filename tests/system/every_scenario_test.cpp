// SPDX-License-Identifier: Apache-2.0
// For every scenario with hardware: neither the order of construction and evaluation nor the number of threads nor
// running idle nodes changes a byte, the referee accepts the folder, and what `why` reports of each packet adds up to
// its latency.
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <starloom/results/result_exchange.hpp>

#include "cli/child_run.hpp"
#include "support/packet_stories.hpp"
#include "support/scenario_files.hpp"

namespace starloom {
namespace {

class EveryScenario : public ChildTest, public testing::WithParamInterface<std::string> {
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

/// Overrides for scenarios in which running all nodes in each idle step would take minutes.
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

/// Empty if the parts of a packet's latency add up.
std::string error_of(const PacketHistory& history) {
  Step sum = history.distance, end = history.created;
  for (const Wait& wait : history.waits) {
    if (wait.from >= wait.to) return "an empty wait";
    if (wait.from < end) return "waits overlap";
    end = wait.to;
    sum += wait.to - wait.from;
  }
  if (history.delivered == no_step) return "";
  if (end > history.delivered) return "a wait after the delivery";
  return sum == history.latency() ? "" : "the sum is " + std::to_string(sum);
}

// One test for all of it, because a run with its trace is what takes the time.
TEST_P(EveryScenario, IsSoundAndDoesNotDependOnOrderOrThreadsOrWaking) {
  run("plain", " --threads 1");
  // A later run with --force replaces all of its files.
  const std::filesystem::directory_iterator files(scratch_.file("plain"));
  EXPECT_EQ(static_cast<std::ptrdiff_t>(result_files(scratch_.file("plain")).size()),
            std::distance(begin(files), end(files)));
  // Packets may be left undelivered without a violation; a violation is found again in the files.
  const auto result = nlohmann::json::parse(scratch_.read("plain/result.json"));
  const ProgramRun verdict = starloom("verify plain");
  EXPECT_EQ(verdict.status, result.at("outcome") == "violation" ? 3 : 0) << verdict.out << verdict.err;

  std::int64_t delivered = 0;
  for (const PacketHistory& history : packet_histories(scratch_.file("plain"))) {
    ASSERT_EQ(error_of(history), "") << history_text(history, "step");
    delivered += history.delivered != no_step ? 1 : 0;
  }
  // In open loop the result counts packets of the measurement phase alone.
  EXPECT_GE(delivered, result.at("packets").at("delivered"));

  const std::string less = shorter(GetParam());
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

INSTANTIATE_TEST_SUITE_P(Scenarios, EveryScenario, testing::ValuesIn(scenarios_with_hardware()),
                         [](const auto& scenario) { return scenario.param; });

}  // namespace
}  // namespace starloom
