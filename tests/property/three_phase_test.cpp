// SPDX-License-Identifier: Apache-2.0
// Routing through a random row takes about 2.8n steps, and no permutation fills a queue.
#include <nlohmann/json.hpp>

#include "cli/program_run.hpp"

namespace starloom::links {
namespace {

class ThreePhase : public ProgramTest {
 protected:
  nlohmann::json result_of(const std::string& pattern) const {
    scratch_.write("e.yaml",
                   "schema: 1\nnetwork: {topology: mesh, shape: [128, 128]}\nrouting: {algorithm: three-phase}\n"
                   "traffic: {pattern: " +
                       pattern + "}\n");
    EXPECT_EQ(starloom("run e.yaml --quiet --force").status, 0);
    return nlohmann::json::parse(scratch_.read("out/e/result.json"));
  }
};

TEST_F(ThreePhase, TakesAbout2Point8NSteps) {
  const nlohmann::json result = result_of("random-permutation");
  EXPECT_NEAR(result["steps"].get<double>(), 2.8 * 128, 0.1 * 2.8 * 128);
  EXPECT_LE(result["queue"]["max"].get<int>(), 8);
}

// Dimension order queues 84 packets on it.
TEST_F(ThreePhase, SpreadsGreedykill) { EXPECT_LE(result_of("greedykill")["queue"]["max"].get<int>(), 8); }

}  // namespace
}  // namespace starloom::links
