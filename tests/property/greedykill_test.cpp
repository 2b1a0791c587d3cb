// SPDX-License-Identifier: Apache-2.0
// The permutation `greedykill` makes the greedy algorithm queue about 2n/3 packets in node (1, n/2), yet keeps within
// 2n-2 steps (Rajasekaran and Overholt 1990, section 2).
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/program_run.hpp"

namespace starloom::links {
namespace {

class Greedykill : public ProgramTest, public testing::WithParamInterface<int> {};

TEST_P(Greedykill, FillsOneQueue) {
  const int n = GetParam();
  const std::string side = std::to_string(n);
  scratch_.write("e.yaml", "schema: 1\nnetwork: {topology: mesh, shape: [" + side + ", " + side +
                               "]}\nrouting: {algorithm: greedy}\ntraffic: {pattern: greedykill}\n");
  ASSERT_EQ(starloom("run e.yaml --quiet").status, 0);
  const auto result = nlohmann::json::parse(scratch_.read("out/e/result.json"));
  EXPECT_LE(std::abs(result["queue"]["max"].get<int>() - 2.0 * n / 3), 4);
  EXPECT_EQ(result["queue"]["node"], n + n / 2);
  EXPECT_LE(result["steps"].get<int>(), 2 * n - 2);
  EXPECT_EQ(result["bounds"]["steps"], 2 * n - 2);
}

INSTANTIATE_TEST_SUITE_P(Sides, Greedykill, testing::Values(48, 96, 256), testing::PrintToStringParamName());

}  // namespace
}  // namespace starloom::links
