// SPDX-License-Identifier: Apache-2.0
// Figures as data: the table is sound, the writer holds to it, and paths are checked against it.
#include <starloom/experiment/metric_table.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include <starloom/results/metric_writer.hpp>
#include <starloom/run/standard_catalogue.hpp>

namespace starloom {
namespace {

const AlgorithmEntry& entry_named(const std::vector<AlgorithmEntry>& algorithms, const std::string& name) {
  for (const AlgorithmEntry& entry : algorithms)
    if (entry.name == name) return entry;
  throw std::out_of_range(name);
}

TEST(MetricTable, EveryFigureIsThereOnceBehindItsSection) {
  for (const AlgorithmEntry& entry : standard_catalogue().algorithms) {
    std::set<std::string> sections = {""}, paths;
    for (const MetricSpec& metric : metric_table(entry)) {
      EXPECT_TRUE(paths.insert(metric.path).second) << entry.name << ": " << metric.path;
      EXPECT_EQ(sections.count(section_of(metric.path)), 1u) << entry.name << ": " << metric.path;
      EXPECT_FALSE(metric.meaning.empty()) << entry.name << ": " << metric.path;
      EXPECT_FALSE(!metric.only_if.empty() && !metric.null_if.empty()) << entry.name << ": " << metric.path;
      if (metric.type == MetricType::section) sections.insert(metric.path);
    }
  }
}

const std::vector<MetricSpec>& small_table() {
  static const std::vector<MetricSpec> table = {
      integer_metric("steps", "steps", "all of them"),
      metric_section("queue", "the longest").null("nothing waits"),
      integer_metric("queue.max", "packets", "how long"),
      integer_metric("queue.node", "", "where").null("it is empty"),
      metric_section("optics", "light").only("there is light"),
      number_metric("optics.power", "mW", "all of it"),
      metric_section("algorithm", "its own"),
      metric_section("algorithm.failures", "by kind").only("any are counted"),
      integer_metric("algorithm.failures.lost", "", "for good"),
      integer_metric("algorithm.gap", "steps", "wasted").only("it is known"),
  };
  return table;
}

std::string written(const MetricValues& values) { return arranged(small_table(), values).dump(); }

std::string refusal(const MetricValues& values) {
  try {
    arranged(small_table(), values);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "none";
}

TEST(MetricWriter, WritesInTheOrderOfTheTable) {
  EXPECT_EQ(written({{"algorithm.gap", 2}, {"optics.power", 0.5}, {"queue.max", 4}, {"queue.node", 1}, {"steps", 3}}),
            R"({"steps":3,"queue":{"max":4,"node":1},"optics":{"power":0.5},"algorithm":{"gap":2}})");
}

TEST(MetricWriter, WhatHasNoValueIsNullOrAbsentOrEmpty) {
  EXPECT_EQ(written({{"steps", 0}}), R"({"steps":0,"queue":null,"algorithm":{}})");
  EXPECT_EQ(written({{"steps", 0}, {"queue.max", 0}}), R"({"steps":0,"queue":{"max":0,"node":null},"algorithm":{}})");
  EXPECT_EQ(written({{"steps", 0}, {"queue.max", 0}, {"queue.node", nullptr}}),
            written({{"steps", 0}, {"queue.max", 0}}));
}

TEST(MetricWriter, SectionsStandInSections) {
  EXPECT_EQ(written({{"steps", 0}, {"algorithm.failures.lost", 7}}),
            R"({"steps":0,"queue":null,"algorithm":{"failures":{"lost":7}}})");
}

TEST(MetricWriter, RefusesWhatTheTableDoesNotSay) {
  EXPECT_EQ(refusal({}), "the metric steps has no value");
  EXPECT_EQ(refusal({{"steps", 0}, {"queue.node", 1}}), "the metric queue.max has no value");
  EXPECT_EQ(refusal({{"steps", 0.5}}), "the metric steps is not of its type: 0.5");
  EXPECT_EQ(refusal({{"steps", nullptr}}), "the metric steps is not of its type: null");
  EXPECT_EQ(refusal({{"steps", 0}, {"algorithm.gip", 1}}),
            "the metric algorithm.gip is not declared; an algorithm's entry declares its bounds and metrics");
}

TEST(KnownMetrics, PathsOfOneOfTheAlgorithms) {
  const auto all = standard_catalogue().algorithms;
  const KnownMetrics greedy({&entry_named(all, "greedy")}, all);
  for (const char* path :
       {"steps", "queue.max", "queue", "bounds.steps", "experiment.network.shape.1", "storage.places.3"})
    EXPECT_FALSE(greedy.error(path)) << path;
  EXPECT_EQ(greedy.error("queue.mxa"), "queue.mxa: result.json has no such metric (did you mean queue.max?)");
  for (const char* path :
       {"", "queue.", "queue.max.0", "experiments", "storage.places.x", "algorithm.gap", "bounds.queue"})
    EXPECT_TRUE(greedy.error(path)) << path;
  EXPECT_EQ(greedy.error("algorithm.sort_steps"),
            "algorithm.sort_steps: no algorithm of this campaign has this metric; algorithms with it: kunde");

  const KnownMetrics both({&entry_named(all, "greedy"), &entry_named(all, "kunde")}, all);
  EXPECT_FALSE(both.error("bounds.queue"));
  EXPECT_FALSE(KnownMetrics(all).error("algorithm.collisions"));
}

}  // namespace
}  // namespace starloom
