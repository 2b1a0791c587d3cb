// SPDX-License-Identifier: Apache-2.0
// The keys in words: all of them, as the reader knows them, and the page that is generated from them.
#include <starloom/commands/explain.hpp>
#include <starloom/commands/explain_pages.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/core/outcome.hpp>
#include <starloom/experiment/explained.hpp>
#include <starloom/experiment/sections.hpp>
#include <starloom/inspection/packet_history.hpp>
#include <starloom/run/standard_catalogue.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topologies/topology_table.hpp>
#include <starloom/traffic/traffic.hpp>

#include "support/places.hpp"

namespace starloom {
namespace {

/// Made when it is asked for: entries refer to names that are initialised before main.
const Catalogue& catalogue() {
  static const Catalogue all = standard_catalogue();
  return all;
}

using testing::HasSubstr;
using testing::Not;

TEST(ExplainedKeys, HasEveryKeyOfEveryTable) {
  std::set<std::string> paths;
  std::set<std::pair<std::string, std::string>> owned;  // owner and path
  for (const ExplainedSection& section : explained_keys(catalogue()))
    for (const ExplainedKey& key : section.keys) {
      EXPECT_FALSE(key.spec.meaning.empty()) << key.path;
      paths.insert(key.path);
      for (const std::string& owner : key.owners) owned.emplace(owner, key.path);
    }
  for (const KeySpec& key : plain_keys()) EXPECT_EQ(paths.count(key.name), 1u) << key.name;
  for (const SectionSpec& section : sections())
    for (const KeySpec& key : section.keys) EXPECT_EQ(paths.count(section.name + "." + key.name), 1u) << key.name;
  std::size_t of_entries = 0;
  for (const TopologyEntry& entry : topology_table())
    for (const KeySpec& key : entry.keys) of_entries += owned.count({entry.name, "network." + key.name});
  for (const AlgorithmEntry& entry : catalogue().algorithms)
    for (const KeySpec& key : entry.keys) of_entries += owned.count({entry.name, "routing." + key.name});
  for (const PatternEntry& entry : catalogue().patterns)
    for (const KeySpec& key : entry.keys) of_entries += owned.count({entry.name, "traffic." + key.name});
  EXPECT_EQ(of_entries, owned.size());
  for (const TopologyEntry& entry : topology_table()) of_entries -= entry.keys.size();
  for (const AlgorithmEntry& entry : catalogue().algorithms) of_entries -= entry.keys.size();
  for (const PatternEntry& entry : catalogue().patterns) of_entries -= entry.keys.size();
  EXPECT_EQ(of_entries, 0u);
}

TEST(Explain, AKeyByItsPath) {
  EXPECT_EQ(explain_text(catalogue(), "limits.quiet"),
            "limits.quiet\n"
            "  meaning  number of steps without a delivery until a run counts as livelock (flits move) or deadlock (no "
            "flit moves, sources active)\n"
            "  type     integer\n"
            "  unit     steps\n"
            "  range    1 to 10^18\n"
            "  default  100000\n");
}

TEST(Explain, AKeyOfAnAlgorithmByItsLastPart) {
  EXPECT_EQ(explain_text(catalogue(), "discipline"),
            "routing.discipline\n"
            "  meaning  the waiting packet that a link takes first: the one with the greatest remaining distance (Q'), "
            "with the greatest distance from its origin (Q), or the oldest in the queue (Rajasekaran and Overholt "
            "1990, section 2)\n"
            "  type     word\n"
            "  one of   furthest-destination, furthest-origin, fifo\n"
            "  default  furthest-destination\n"
            "  for      greedy\n");
}

TEST(Explain, ASectionAndTheNameOfAnAlgorithm) {
  const std::string limits = explain_text(catalogue(), "limits");
  EXPECT_THAT(limits, HasSubstr("limits.steps\n"));
  EXPECT_THAT(limits, HasSubstr("limits.quiet\n"));
  EXPECT_THAT(limits, Not(HasSubstr("seed\n")));
  EXPECT_EQ(explain_text(catalogue(), "advI"), explain_text(catalogue(), "queue-middle"));  // an old name
  const std::string greedy = explain_text(catalogue(), "greedy");
  EXPECT_THAT(greedy, testing::StartsWith(
                          "greedy: store-and-forward on a fixed route, one queue per out-port (routing.algorithm)\n"
                          "  on       any but pops\n  storage  store-and-forward\n"));
  EXPECT_THAT(greedy, HasSubstr("routing.bound\n"));
  EXPECT_THAT(greedy, Not(HasSubstr("routing.channels\n")));
  EXPECT_THAT(explain_text(catalogue(), "expect"), HasSubstr("expected results: paths of result.json"));
  EXPECT_THAT(explain_text(catalogue(), "traffic.offset"),
              HasSubstr("  range    any\n  default  required\n  for      shift\n"));
}

TEST(Explain, OneScreenWithoutAWord) {
  const std::string all = explain_text(catalogue(), std::nullopt);
  EXPECT_LE(std::count(all.begin(), all.end(), '\n'), 50);
  for (const SectionSpec& section : sections())
    EXPECT_THAT(all, HasSubstr("\n  " + section.name + " ")) << section.name;
  for (const char* word : {"schema, model, seed", "  reference ", "network_latency", "starloom list"})
    EXPECT_THAT(all, HasSubstr(word));
}

TEST(Explain, KeysThatMostEntriesHaveOnlyByName) {
  const std::string shift = explain_text(catalogue(), "shift");
  EXPECT_THAT(shift, HasSubstr("\ntraffic.offset\n"));
  EXPECT_THAT(shift, Not(HasSubstr("\ntraffic.warmup\n")));
  EXPECT_THAT(shift, HasSubstr("keys common to most entries: traffic.flits, "));
  EXPECT_THAT(explain_text(catalogue(), "warmup"), HasSubstr("traffic.warmup\n"));
}

TEST(Explain, EveryWordOfOutputs) {
  const auto explains = [](std::string_view word, const std::string& kind) {
    EXPECT_THAT(explain_text(catalogue(), std::string(word)), testing::ContainsRegex("(^|\n)[a-z_-]+: .* \\(" + kind))
        << word;
  };
  for (const std::string_view outcome : outcome_names) explains(outcome, "outcome of a run");
  for (const std::string_view cause : wait_cause_names) explains(cause, "cause of a wait");
  for (const std::string_view model : storage_model_names) explains(model, "storage model");
}

TEST(Explain, AFigureByItsPath) {
  EXPECT_EQ(explain_text(catalogue(), "queue.node"),
            "queue.node\n"
            "  in       result.json\n"
            "  meaning  node in which the longest queue first occurred\n"
            "  type     integer\n"
            "  null if  `queue.max` is 0\n");
}

TEST(Explain, FiguresOfASectionAndOfAnAlgorithm) {
  const std::string queue = explain_text(catalogue(), "queue");
  for (const char* metric : {"queue\n", "queue.max\n", "queue.step\n", "bounds.queue\n"})
    EXPECT_THAT(queue, HasSubstr(metric));
  EXPECT_THAT(queue, Not(HasSubstr("links.max_load\n")));
  EXPECT_THAT(explain_text(catalogue(), "kunde"), HasSubstr("algorithm.sort_steps\n"));
  EXPECT_THAT(explain_text(catalogue(), "gap"),
              HasSubstr("  for      multistage, multistage-plus, offline-worms, product\n"));
}

TEST(Explain, KeysOfCampaigns) {
  EXPECT_THAT(explain_text(catalogue(), "keep"), HasSubstr("keep in campaign files: paths of result.json"));
  EXPECT_THAT(explain_text(catalogue(), "tolerance"), HasSubstr("reference.tolerance\n  in       campaign files\n"));
  EXPECT_THAT(explain_text(catalogue(), "limits"), HasSubstr("limits.seconds\n"));
}

TEST(Explain, UnknownKeys) {
  try {
    explain_text(catalogue(), "limits.quite");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "starloom explain: limits.quite is not a key, metric, name or word of an output (did you mean "
                 "limits.quiet?); see starloom explain");
  }
}

TEST(Explain, TheFieldsWordForSteps) {
  EXPECT_THAT(explain_text(catalogue(), "makespan"),
              testing::StartsWith("makespan: the step of the last delivery: the metric steps (term)\n"));
}

TEST(Explain, ThePageInTheDocsIsCurrent) {
  std::ifstream page(docs() / "keys.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  EXPECT_TRUE(text == keys_markdown(catalogue())) << "to renew it: starloom explain --markdown >docs/keys.md";
}

TEST(Explain, TheTablesInTheDocsAreCurrent) {
  std::ifstream page(docs() / "output.md");
  EXPECT_THAT((std::string{std::istreambuf_iterator<char>(page), {}}), HasSubstr(metrics_markdown(catalogue())))
      << "to renew them: starloom explain --figures --markdown";
}

}  // namespace
}  // namespace starloom
