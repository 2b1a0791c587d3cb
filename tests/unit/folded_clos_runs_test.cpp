// SPDX-License-Identifier: Apache-2.0
/// \file Runs on leaf-spine and Clos networks: the roots of up-down, what spreading gains, and what `check` reports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include <starloom/run/standard_catalogue.hpp>
#include "unit/catalogue_runs.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;

const std::string two_tiers = "topology: leaf-spine, leaves: 3, spines: 2, hosts: 4";
const std::string doubled = "topology: leaf-spine, leaves: 3, spines: 2, hosts: 4, cables: 2";
const std::string pods = "topology: clos, pods: 4, leaves: 2, spines: 2, cores: 4, hosts: 2";

class FoldedClosRuns : public CatalogueRuns {
 protected:
  static std::string on(const std::string& network, const std::string& function,
                        const std::string& traffic = "uniform, rate: 0.3, flits: 2, warmup: 100, measure: 400") {
    return experiment(network, "vc-wormhole, channels: 2, buffer: 8, function: " + function, traffic);
  }
  std::string check(const std::string& text) const { return check_of(standard_catalogue(), text); }
};

TEST_F(FoldedClosRuns, GiveTheSameBytesInAnyOrder) {
  for (const std::string& network : {two_tiers, doubled, pods})
    for (const char* function : {"shortest, spread: adaptive", "up-down, spread: packet", "up-down-adaptive"})
      expect_same_bytes_in_any_order(standard_catalogue(), on(network, function));
}

TEST_F(FoldedClosRuns, CheckPrintsTheOversubscriptionOfALeaf) {
  EXPECT_THAT(
      check(on(two_tiers, "shortest")),
      HasSubstr("network       leaf-spine of 3 leaves and 2 spines, 4 hosts per leaf, 17 nodes, 36 links, diameter "
                "4; oversubscription of a leaf 2\n"));
  EXPECT_THAT(
      check(on(doubled, "shortest")),
      HasSubstr("leaf-spine of 3 leaves and 2 spines, 2 cables, 4 hosts per leaf, 17 nodes, 48 links, diameter 4; "
                "oversubscription of a leaf 1\n"));
  EXPECT_THAT(
      check(on(pods, "shortest")),
      HasSubstr("clos of 4 pods of 2 leaves and 2 spines, 4 cores, 2 hosts per leaf, 36 nodes, 96 links, diameter "
                "6; oversubscription of a leaf 1\n"));
}

// The 4 hosts of a leaf send 8/12 of their flits to other leaves, over one up link or over all of them.
TEST_F(FoldedClosRuns, SpreadingDividesTheLoadOfALeaf) {
  for (const char* function : {"shortest", "up-down"}) {
    const std::string plain = function, spread = plain + ", spread: packet";
    EXPECT_THAT(check(on(two_tiers, plain)), HasSubstr("max 0.8 flits per step"));
    EXPECT_THAT(check(on(two_tiers, spread)), HasSubstr("max 0.4 flits per step"));
    EXPECT_THAT(check(on(doubled, plain)), HasSubstr("max 0.8 flits per step"));
    EXPECT_THAT(check(on(doubled, spread)), HasSubstr("max 0.3 flits per step over link_host_l00_h00_up"));
    EXPECT_THAT(check(on(doubled, spread)), HasSubstr("full at rate 1\n"));
    EXPECT_THAT(check(on(pods, spread)), HasSubstr("full at rate 1\n"));
  }
}

// The roots are the top switches: with one of them only, the packets between leaves cross that spine.
TEST_F(FoldedClosRuns, RootsOfUpDownAreTheTopSwitches) {
  const auto first = run(standard_catalogue(), on(two_tiers, "up-down, spread: packet"), "out");
  const auto named =
      run(standard_catalogue(), on(two_tiers, "up-down, spread: packet, root: [spine_01, spine_00]"), "named");
  EXPECT_TRUE(same_rows(first, named));
  EXPECT_THAT(check(on(two_tiers, "up-down, spread: packet, root: spine_01")), HasSubstr("max 0.8 flits per step"));
  const auto cores = run(standard_catalogue(), on(pods, "up-down, spread: packet"), "cores");
  const auto all =
      run(standard_catalogue(), on(pods, "up-down, spread: packet, root: [core_00, core_01, core_02, core_03]"), "all");
  EXPECT_TRUE(same_rows(cores, all));
  EXPECT_THAT(check(on(pods, "up-down-adaptive")), HasSubstr("deadlock      acyclic"));
}

// The fat tree of switches with 4 ports at 0.6 of its capacity: the loads of the cores are within four standard
// deviations of their mean.
TEST_F(FoldedClosRuns, AllCoresCarryTheSame) {
  const std::string text =
      on(pods, "up-down, spread: packet", "uniform, rate: 0.6, flits: 1, warmup: 200, measure: 3000");
  run(standard_catalogue(), text, "out");
  std::istringstream nodes(column("links.csv", 0)), flits(column("links.csv", 3));
  std::map<std::string, double> of_core;
  double sum = 0;
  for (std::string node, number; nodes >> node && flits >> number;)
    if (std::stoi(node) >= 32) {
      of_core[node] += std::stod(number);
      sum += std::stod(number);
    }
  ASSERT_EQ(of_core.size(), 4);
  const double mean = sum / 4;
  EXPECT_NEAR(mean, 0.6 * 16 * 12 / 16 / 4 * 3000, 0.03 * mean);  // 12 of 16 destinations are in other pods
  for (const auto& [node, number] : of_core) EXPECT_NEAR(number, mean, 4 * std::sqrt(mean)) << node;
}

TEST_F(FoldedClosRuns, RefusesNumbersThatMakeNoNetwork) {
  const auto refused = [&](const std::string& network) {
    return refusal(standard_catalogue(), on(network, "shortest"));
  };
  EXPECT_THAT(refused("topology: clos, pods: 4, leaves: 2, spines: 2, cores: 3, hosts: 2"),
              HasSubstr("3 cores are not a multiple of the 2 spines of a pod: core c leads to spine c mod 2 of every "
                        "pod; choose 4"));
  EXPECT_THAT(
      refused("topology: leaf-spine, leaves: 4, spines: 8, hosts: 4, cables: 128"),
      HasSubstr("a leaf needs 1028 ports (4 hosts, 8 spines x 128 cables), more than 1024; choose fewer hosts, spines "
                "or cables"));
  EXPECT_THAT(refused("topology: leaf-spine, leaves: 0, spines: 8, hosts: 4"), HasSubstr("leaves: 0 is out of range"));
  EXPECT_THAT(refused("topology: leaf-spine, leaves: 4, spines: 8"), HasSubstr("network.hosts is missing"));
}

}  // namespace
}  // namespace starloom
