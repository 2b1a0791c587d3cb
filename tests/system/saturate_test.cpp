// SPDX-License-Identifier: Apache-2.0
// `starloom saturate`: what it finds, that it goes on where it was stopped, and what it refuses.
#include <nlohmann/json.hpp>

#include "system/campaign_support.hpp"

namespace starloom {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;
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

// Rows turn into columns through the corner of the diagonal: the links at it carry three flows, so none can have more than a
// third.
TEST_F(Saturate, FindsTheLoadOfTranspose) {
  write("pattern: transpose, rate: 0.1, warmup: 500, measure: 3000, drain: 3000");
  const ProgramRun run = starloom("saturate e.yaml --within 0.01");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.err,
              MatchesRegex("e: traffic.rate saturates at 0.3[0-9][0-9] .- 0.008; there latency is three times the "
                           "lightest, 1[0-9].[0-9] steps at 0.01 .[0-9]+ runs.\n"));
  const Json found = Json::parse(run.out);
  EXPECT_NEAR(found["load"].get<double>(), 1.0 / 3, 0.03);
  EXPECT_EQ(found["within"], 1.0 / 128);
  EXPECT_EQ(found["runs"], 4 * found["loads"].size());
  EXPECT_EQ(found["figure"], "traffic.rate");
  EXPECT_EQ(found["definition"], "three-times-lightest");
  EXPECT_EQ(found["loads"][0]["load"], 0.01);
  double lightest = found["loads"][0]["latency"].get<double>();
  for (const Json& load : found["loads"]) {
    const bool above = load["lost"].get<int>() >= 2 || load["latency"].get<double>() > 3 * lightest;
    EXPECT_EQ(above, load["load"].get<double>() > found["load"].get<double>()) << load;
  }
  const Json other = Json::parse(starloom("saturate e.yaml --within 0.01 --definition accepted-below-offered").out);
  EXPECT_NEAR(other["load"].get<double>(), 1.0 / 3, 0.06);
  EXPECT_EQ(other["definition"], "accepted-below-offered");
}

TEST_F(Saturate, JobsDoNotMatterAndRunsAreKept) {
  const ProgramRun one = starloom("saturate e.yaml --within 0.03 --jobs 1 --store a");
  const ProgramRun many = starloom("saturate e.yaml --within 0.03 --jobs 8 --store b");
  EXPECT_EQ(one.out, many.out);
  EXPECT_EQ(one.err, many.err);
  const auto kept = rows("a");
  EXPECT_EQ(kept.size(), Json::parse(one.out)["runs"]);
  EXPECT_GT(rows("b").size(), kept.size());  // it has measured ahead
  // The same again runs nothing; a narrower search goes on from there.
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
  EXPECT_THAT(
      run.err,
      HasSubstr("e: traffic.rate does not saturate up to 0.5; above it: --figure traffic.rate: traffic.rate: "));
  EXPECT_THAT(run.err, HasSubstr("above 0.5 flits per node and step"));
}

TEST_F(Saturate, Refuses) {
  refuses("saturate", 2, "starloom: FILE is required; see starloom saturate --help");
  refuses("saturate none.yaml", 2, "none.yaml: cannot be read: No such file or directory");
  refuses("saturate e.yaml --within 0", 2,
          "starloom: --within: a distance of loads is a number from 0.000001 to 0.25, not 0; see starloom saturate "
          "--help");
  refuses("saturate e.yaml --definition other", 2,
          "starloom: --definition: other not in {three-times-lightest,accepted-below-offered}; see starloom saturate "
          "--help");
  refuses("saturate e.yaml --figure traffic.rat", 2,
          "--figure traffic.rat: unknown key traffic.rat (did you mean rate?)");
  refuses("saturate e.yaml --figure routing.buffer", 2,
          "--figure routing.buffer: routing.buffer: an integer is expected, not 0.01");
  refuses("saturate e.yaml --set traffic.measure=2 --set traffic.flits=50", 2,
          "--set traffic.measure: at traffic.rate 0.01 no packet is measured and delivered; lengthen traffic.measure");
  refuses("saturate e.yaml --set traffic.drain=0", 2,
          "--set traffic.drain: at traffic.rate 0.01 already, 4 of 4 runs saturate; lengthen traffic.drain, if packets "
          "only need longer");
  write("pattern: transpose");
  refuses("saturate e.yaml", 2,
          "e.yaml:4:20: only open loop saturates: give the traffic a rate, with warmup, measure and drain");
  write("pattern: uniform");
  refuses("saturate e.yaml", 2, "e.yaml:4:10: traffic.rate is missing (mean rate of every node)");
}

// A run that ends badly is told, and ends the search.
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
