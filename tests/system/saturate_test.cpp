// SPDX-License-Identifier: Apache-2.0
// `starloom saturate`: its results, its continuation after a stop, and its errors.
#include <nlohmann/json.hpp>

#include "system/campaign_support.hpp"

namespace starloom {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using Json = nlohmann::json;

class Saturate : public CampaignTest {
 protected:
  void write(const std::string& traffic) const {
    scratch_.write("e.yaml",
                   "schema: 1\nnetwork: {topology: mesh, shape: [4, 4]}\n"
                   "routing: {algorithm: vc-wormhole, channels: 2, buffer: 4}\ntraffic: {" +
                       traffic + "}\n");
  }
  void SetUp() override { write("pattern: transpose, rate: 0.1, warmup: 100, measure: 500, drain: 2000"); }
};

// Rows turn into columns through the corner of the diagonal: the links at it carry three flows, so none can have more
// than a third.
TEST_F(Saturate, FindsTheLoadOfTranspose) {
  write("pattern: transpose, rate: 0.1, warmup: 500, measure: 3000, drain: 3000");
  const ProgramRun run = starloom("saturate e.yaml --within 0.01");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.err, MatchesRegex("e: traffic.rate saturates at 0.3333, the load at which a link is full by check; "
                                    "no run below it saturates .12 runs.\n"));
  const Json found = Json::parse(run.out);
  EXPECT_NEAR(found["load"].get<double>(), 1.0 / 3, 0.03);
  EXPECT_LE(found["within"], 0.01);
  EXPECT_EQ(found["lightest"], found["loads"][0]["load"]);
  EXPECT_LT(found["unseen_overload"], 0.02);
  EXPECT_EQ(found["runs"], 4 * found["loads"].size());
  EXPECT_EQ(found["figure"], "traffic.rate");
  EXPECT_EQ(found["definition"], "three-times-lightest");
  EXPECT_NEAR(found["lightest"].get<double>(), 1.0 / 3 / 50, 1e-9);
  double lightest = found["loads"][0]["latency"].get<double>();
  for (const Json& load : found["loads"]) {
    // Means of runs that did not complete cannot be compared with others.
    EXPECT_EQ(load["latency"].is_null(), load["lost"].get<int>() > 0);
    if (load["lost"].get<int>() == 1) continue;
    const bool above = load["lost"].get<int>() >= 2 || load["latency"].get<double>() > 3 * lightest;
    EXPECT_EQ(above, load["load"].get<double>() > found["load"].get<double>()) << load;
  }
  const Json other = Json::parse(starloom("saturate e.yaml --within 0.01 --definition accepted-below-offered").out);
  EXPECT_NEAR(other["load"].get<double>(), 1.0 / 3, 0.01);
  EXPECT_EQ(other["definition"], "accepted-below-offered");
}

TEST_F(Saturate, JobsDoNotMatterAndRunsAreKept) {
  write("pattern: uniform, rate: 0.1, flits: 5, warmup: 200, measure: 600, drain: 3000");
  const ProgramRun one = starloom("saturate e.yaml --within 0.03 --jobs 1 --store a");
  const ProgramRun many = starloom("saturate e.yaml --within 0.03 --jobs 8 --store b");
  EXPECT_EQ(one.out, many.out);
  EXPECT_EQ(one.err, many.err);
  const auto kept = rows("a");
  EXPECT_EQ(kept.size(), Json::parse(one.out)["runs"]);
  EXPECT_GT(rows("b").size(), kept.size());  // it has measured ahead
  // The same command again runs no simulation; a narrower search continues from there.
  EXPECT_EQ(starloom("saturate e.yaml --within 0.03 --store a").out, one.out);
  EXPECT_EQ(rows("a"), kept);
  const Json narrow = Json::parse(starloom("saturate e.yaml --within 0.01 --store a").out);
  EXPECT_EQ(rows("a").size(), narrow["runs"]);
  EXPECT_GT(narrow["runs"], kept.size());
}

TEST_F(Saturate, AnswersForWhatDoesNotSaturate) {
  const ProgramRun run = starloom(
      "saturate e.yaml --within 0.1 --set traffic.pattern=neighbour --set routing.buffer=16 "
      "--set traffic.flits=2 --set 'traffic.injection={on_off: {on: 8, off: 24}}'");
  EXPECT_EQ(run.status, 0);
  const Json found = Json::parse(run.out);
  EXPECT_TRUE(found["load"].is_null());
  EXPECT_THAT(run.err, HasSubstr("e: traffic.rate does not saturate up to 0.5; above it: --figure traffic.rate: "));
  EXPECT_THAT(run.err, HasSubstr("is more than the limit of 0.5 (flits per processor and step)"));
}

// All packets go to one node: 16 flits per step of 0.0625 each are all that its four links carry.
TEST_F(Saturate, FindsLoadsBelowAHundredth) {
  scratch_.write("hot.yaml",
                 "schema: 1\nnetwork: {topology: mesh, shape: [10, 10]}\n"
                 "routing: {algorithm: vc-wormhole, channels: 2, buffer: 8, pipeline: 3}\n"
                 "traffic: {pattern: hot-spot, targets: [55], rate: 0.1, warmup: 1000, measure: 2000, drain: 2000}\n");
  const ProgramRun run = starloom("saturate hot.yaml");
  EXPECT_EQ(run.status, 0) << run.err;
  const Json found = Json::parse(run.out);
  EXPECT_GT(found["load"], 0.008);
  EXPECT_LE(found["load"], 0.0101) << "one local port for 99 processors";
  EXPECT_LE(found["within"], 0.0004);
}

TEST_F(Saturate, SaysThatTheMeasurementIsTooShort) {
  const auto said = [&](const std::string& traffic) {
    write("pattern: transpose, rate: 0.1, drain: 2000, " + traffic);
    return starloom("saturate e.yaml --within 0.02");
  };
  const ProgramRun bound = said("warmup: 0, measure: 20");
  EXPECT_EQ(bound.status, 0);
  EXPECT_TRUE(Json::parse(bound.out)["load"].is_null());
  EXPECT_THAT(bound.err, HasSubstr("e: traffic.rate: no run saturates up to 0.3333, but the measurement phase is too "
                                   "short for an answer; overloads below "));
  write("pattern: uniform, rate: 0.1, flits: 5, warmup: 50, measure: 200, drain: 3000");
  EXPECT_THAT(starloom("saturate e.yaml --within 0.02").err,
              ContainsRegex("saturates at 0.[0-9]+ .*; overloads below [1-3][0-9] % are not visible in phases this "
                            "short: lengthen traffic.measure\n"));
  EXPECT_THAT(said("warmup: 500, measure: 1500").err, Not(HasSubstr("do not show")));
}

TEST_F(Saturate, Refuses) {
  refuses("saturate", 2, "starloom: FILE is required; see starloom saturate --help");
  refuses("saturate none.yaml", 2, "none.yaml: cannot be read: No such file or directory");
  refuses(
      "saturate e.yaml --within 0", 2,
      "starloom: --within: an uncertainty of a load is a number from 0.000001 to 0.25, not 0; see starloom saturate "
      "--help");
  refuses("saturate e.yaml --definition other", 2,
          "starloom: --definition other: one of three-times-lightest, accepted-below-offered is expected; see starloom "
          "saturate --help");
  refuses("saturate e.yaml --figure traffic.rat", 2, "--figure traffic.rat: unknown key (did you mean traffic.rate?)");
  refuses("saturate e.yaml --figure routing.buffer", 2, "--figure routing.buffer: an integer is expected, not 0.01");
  refuses(
      "saturate e.yaml --set traffic.measure=2 --set traffic.flits=50", 2,
      "--set traffic.measure: at load traffic.rate 0.006667 no measured packet is delivered; lengthen traffic.measure");
  refuses("saturate e.yaml --set traffic.drain=0", 2,
          "--set traffic.drain: even at load traffic.rate 0.006667, packets of 4 of 4 runs do not arrive in the drain "
          "phase, although the network can carry them; lengthen traffic.drain");
  write("pattern: transpose");
  refuses("saturate e.yaml", 2,
          "e.yaml:4:20: saturate needs open-loop traffic: set traffic.rate, warmup, measure and drain");
  write("pattern: uniform");
  refuses("saturate e.yaml", 2, "e.yaml:4:10: traffic.rate is missing (mean rate of each node)");
}

// A run that ends badly is reported, and ends the search.
TEST_F(Saturate, EndsWithADeadlock) {
  scratch_.write("e.yaml",
                 "schema: 1\nnetwork: {topology: torus, shape: [4, 4]}\n"
                 "routing: {algorithm: vc-wormhole, channels: 1, buffer: 1, function: dimension-order-plain}\n"
                 "traffic: {pattern: uniform, rate: 0.1, flits: 8, warmup: 100, measure: 2000, drain: 2000}\n"
                 "limits: {quiet: 500}\n");
  const ProgramRun run = starloom("saturate e.yaml");
  EXPECT_EQ(run.status, 4);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, ContainsRegex("^traffic.rate=[0-9.]+: run [0-3] .seed [1-4]. ended as deadlock\n"));
}

}  // namespace
}  // namespace starloom
