// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Campaigns in a folder of their own, and what their stores hold.
#include "cli/child_run.hpp"
#include "support/stored_rows.hpp"

namespace starloom {

/// A base experiment for campaigns, as an indented block.
inline const char* const campaign_base =
    "base:\n"
    "  schema: 1\n"
    "  network: {topology: mesh, shape: [4, 4]}\n"
    "  routing: {algorithm: greedy}\n"
    "  traffic: {pattern: random-permutation}\n";

class CampaignTest : public ChildTest {
 protected:
  /// Writes c.yaml: four points, two of them on a larger mesh.
  void write_campaign(int runs, const std::string& more = "", const std::string& keep = "[steps, queue.max]") const {
    scratch_.write("c.yaml", "schema: 1\nname: test\n" + std::string(campaign_base) +
                                 "axes: {network.shape: [[4, 4], [6, 6]], routing.discipline: [fifo, "
                                 "furthest-destination]}\nruns: " +
                                 std::to_string(runs) + "\nkeep: " + keep + "\n" + more);
  }
  std::vector<std::string> rows(const std::string& store) const { return stored_rows(scratch_.file(store)); }
  /// A fresh store, run without disturbance.
  std::vector<std::string> undisturbed() const {
    EXPECT_EQ(starloom("campaign c.yaml --jobs 1 --store undisturbed.sqlite").status, 0);
    return rows("undisturbed.sqlite");
  }
};

}  // namespace starloom
