// SPDX-License-Identifier: Apache-2.0
// Sorted subsquares keep queues short on large meshes, for as many steps as the sort takes.
#include <nlohmann/json.hpp>

#include "cli/program_run.hpp"

namespace starloom::links {
namespace {

class Kunde : public ProgramTest {
 protected:
  nlohmann::json result_of(const std::string& pattern, const std::string& keys = "") const {
    scratch_.write("e.yaml", "schema: 1\nnetwork: {topology: mesh, shape: [192, 192]}\nrouting: {algorithm: kunde" +
                                 keys + "}\ntraffic: {pattern: " + pattern + "}\n");
    EXPECT_EQ(starloom("run e.yaml --quiet --force").status, 0);
    return nlohmann::json::parse(scratch_.read("out/e/result.json"));
  }
};

// Packets in flight count in the queue, so it may exceed the bound on those that wait, by one per link.
constexpr int in_flight = 4;

TEST_F(Kunde, KeepsItsPromises) {
  for (const char* pattern : {"random-permutation", "transpose", "greedykill"}) {
    const nlohmann::json result = result_of(pattern);
    EXPECT_EQ(result["algorithm"]["s"], 8) << pattern;
    EXPECT_EQ(result["bounds"]["steps"], 2 * 192 - 2 + 53) << pattern;
    EXPECT_EQ(result["bounds"]["queue"], 48) << pattern;
    EXPECT_LE(result["steps"].get<int>(), 2 * 192 - 2 + 53) << pattern;
    EXPECT_LE(result["queue"]["max"].get<int>(), 48 + in_flight) << pattern;
  }
}

// The bound allows 48.
TEST_F(Kunde, QueuesBehindAStream) {
  const nlohmann::json result = result_of("queue-kunde");
  EXPECT_GE(result["queue"]["max"].get<int>(), 42);
  EXPECT_LE(result["queue"]["max"].get<int>(), 48 + in_flight);
}

// Dimension order queues 126 packets on it.
TEST_F(Kunde, SpreadsGreedykillAsFarAsItsSubsquaresReach) {
  const nlohmann::json narrow = result_of("greedykill"), wide = result_of("greedykill", ", s: 64");
  EXPECT_LE(narrow["queue"]["max"].get<int>(), 26);
  EXPECT_LE(wide["queue"]["max"].get<int>(), 6);
  EXPECT_EQ(wide["bounds"]["steps"], 2 * 192 - 2 + 494);
}

}  // namespace
}  // namespace starloom::links
