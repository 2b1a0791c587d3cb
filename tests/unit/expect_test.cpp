// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <starloom/experiment/expectation.hpp>
#include <starloom/experiment/metric_table.hpp>
#include <starloom/experiment/verdict.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

const Json result = Json::parse(R"({
  "outcome": "completed", "steps": 12, "schedule": null, "latency": {"mean": 3.25, "max": 9},
  "queue": {"max": 4, "node": 0}, "experiment": {"network": {"shape": [8, 6]}},
  "storage": {"routes_own": false}})");

/// Reads `expect: {...}`; its faults are thrown.
std::vector<Expectation> read(const std::string& text) {
  const DocumentValue section = parse_document(text, "e");
  Diagnostics diagnostics;
  auto all = read_expectations(section, top_level_metrics(common_metrics()), diagnostics);
  diagnostics.raise();
  return all;
}

std::string miss(const std::string& text) {
  const auto all = read("{" + text + "}");
  EXPECT_EQ(all.size(), 1u);
  return missed(all.at(0), result).value_or("met");
}

std::string error(const std::string& text) {
  try {
    read("{" + text + "}");
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Expect, PlainValues) {
  EXPECT_EQ(miss("steps: 12"), "met");
  EXPECT_EQ(miss("steps: 12.0"), "met");
  EXPECT_EQ(miss("steps: 13"), "steps is 12, expected 13");
  EXPECT_EQ(miss("outcome: completed"), "met");
  EXPECT_EQ(miss("outcome: deadlock"), "outcome is \"completed\", expected \"deadlock\"");
  EXPECT_EQ(miss("storage.routes_own: false"), "met");
  EXPECT_EQ(miss("storage.routes_own: true"), "storage.routes_own is false, expected true");
  EXPECT_EQ(miss("experiment.network.shape: [8, 6]"), "met");
  EXPECT_EQ(miss("experiment.network.shape.1: 6"), "met");
  EXPECT_EQ(miss("queue.node: 0"), "met");
}

TEST(Expect, BoundsAreInclusive) {
  EXPECT_EQ(miss("steps: {max: 12}"), "met");
  EXPECT_EQ(miss("steps: {max: 11}"), "steps is 12, expected at most 11");
  EXPECT_EQ(miss("steps: {min: 12}"), "met");
  EXPECT_EQ(miss("steps: {min: 13}"), "steps is 12, expected at least 13");
  EXPECT_EQ(miss("latency.mean: {within: [3.25, 3.25]}"), "met");
  EXPECT_EQ(miss("latency.mean: {within: [3.26, 4]}"), "latency.mean is 3.25, expected at least 3.26");
  EXPECT_EQ(miss("latency.mean: {within: [3, 3.24]}"), "latency.mean is 3.25, expected at most 3.24");
  EXPECT_EQ(miss("steps: {equals: 12, max: 11}"), "steps is 12, expected at most 11");
  EXPECT_EQ(miss("outcome: {max: 3}"), "outcome is \"completed\", expected a number");
}

TEST(Expect, AbsentOrNullIsMissed) {
  EXPECT_EQ(miss("schedule: {min: 0}"), "schedule has no value in this result");
  EXPECT_EQ(miss("schedule.steps: 3"), "schedule.steps has no value in this result");
  EXPECT_EQ(miss("latency.p50: 3"), "this result has no latency.p50");
  EXPECT_EQ(miss("latency.men: 3"), "this result has no latency.men (did you mean latency.mean?)");
  EXPECT_EQ(miss("steps.x: 3"), "steps.x has no value in this result");
  EXPECT_EQ(miss("experiment.network.shape.2: 6"), "experiment.network.shape.2 has no value in this result");
}

TEST(Expect, FaultsAreFoundBeforeTheRun) {
  EXPECT_EQ(error("stepz: 3"), "e:1:2: expect.stepz: result.json has no key stepz (did you mean steps?)");
  EXPECT_EQ(error("steps: {max: x}"), "e:1:15: expect.steps: max: a number is expected, not \"x\"");
  EXPECT_EQ(error("steps: {maximum: 3}"), "e:1:10: unknown key expect.steps.maximum; known: equals, min, max, within");
  EXPECT_EQ(error("steps: {}"), "e:1:9: expect.steps: one of equals, min, max, within is expected");
  EXPECT_EQ(error("steps: {within: [1]}"), "e:1:18: expect.steps: within: two numbers [low, high] are expected");
  EXPECT_EQ(error("steps: {within: [2, 1]}"), "e:1:9: expect.steps: no value is between 2 and 1");
  EXPECT_EQ(error("steps: {within: [1, 2], max: 3}"),
            "e:1:18: expect.steps: within excludes min and max; keep one form");
  EXPECT_EQ(error("steps: null"), "e:1:2: expect.steps: a value is expected; null cannot be expected");
  EXPECT_EQ(error("steps: 1, steps: 2"), "e:1:12: expect.steps is given twice, first at line 1, column 2");
  EXPECT_THAT(error("outcome: complete"), testing::HasSubstr("(did you mean completed?)"));
}

/// The status of a run that ended as `outcome`, with one expectation of the outcome and one of the figures.
ExitStatus status(Outcome outcome, const std::string& expect) {
  Json end = result;
  end["outcome"] = outcome_names[static_cast<std::size_t>(outcome)];
  return judge(outcome, read("{" + expect + "}"), end).status;
}

TEST(Verdict, WithoutExpectations) {
  EXPECT_EQ(status(Outcome::completed, ""), ExitStatus::done);
  EXPECT_EQ(status(Outcome::saturated, ""), ExitStatus::done);
  EXPECT_EQ(status(Outcome::violation, ""), ExitStatus::contract);
  for (const Outcome outcome :
       {Outcome::incomplete, Outcome::deadlock, Outcome::livelock, Outcome::step_limit, Outcome::interrupted})
    EXPECT_EQ(status(outcome, ""), ExitStatus::undelivered);
}

TEST(Verdict, AnExpectedOutcomeIsNoFault) {
  EXPECT_EQ(status(Outcome::deadlock, "outcome: deadlock"), ExitStatus::done);
  EXPECT_EQ(status(Outcome::violation, "outcome: violation"), ExitStatus::done);
  EXPECT_EQ(status(Outcome::deadlock, "outcome: {equals: deadlock}"), ExitStatus::done);
}

TEST(Verdict, AMissIsSixUnlessThreeOrFourApplies) {
  EXPECT_EQ(status(Outcome::completed, "steps: 3"), ExitStatus::expectation);
  EXPECT_EQ(status(Outcome::saturated, "outcome: completed"), ExitStatus::expectation);
  EXPECT_EQ(status(Outcome::completed, "outcome: deadlock"), ExitStatus::expectation);
  EXPECT_EQ(status(Outcome::deadlock, "outcome: deadlock, steps: 3"), ExitStatus::expectation);
  EXPECT_EQ(status(Outcome::violation, "outcome: violation, steps: 3"), ExitStatus::expectation);
  EXPECT_EQ(status(Outcome::deadlock, "steps: 3"), ExitStatus::undelivered);
  EXPECT_EQ(status(Outcome::deadlock, "outcome: completed"), ExitStatus::undelivered);
  EXPECT_EQ(status(Outcome::deadlock, "outcome: violation"), ExitStatus::undelivered);
  EXPECT_EQ(status(Outcome::violation, "outcome: completed, steps: 3"), ExitStatus::contract);
}

TEST(Verdict, NamesEveryMissWithItsPlace) {
  EXPECT_THAT(
      judge(Outcome::completed, read("{steps: 3, queue.max: 4, latency.max: {max: 8}}"), result).misses,
      testing::ElementsAre(
          "e:1:2: expectation missed: steps is 12, expected 3; if the new value is correct, update the expectation",
          "e:1:26: expectation missed: latency.max is 9, expected at most 8; if the new value is correct, update the "
          "expectation"));
}

}  // namespace
}  // namespace starloom
