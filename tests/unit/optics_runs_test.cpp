// SPDX-License-Identifier: Apache-2.0
/// \file Optical parts in whole runs on POPS networks: their times and energies, and what `verify` finds in damaged
/// results.
#include <gmock/gmock.h>

#include <starloom/commands/known_entries.hpp>
#include <starloom/run/standard_catalogue.hpp>

#include "catalogue_runs.hpp"

namespace starloom {
namespace {

class OpticsRuns : public CatalogueRuns {
 protected:
  /// Section `optics` of the result of a run that `verify` accepts.
  nlohmann::ordered_json optics_of(const std::string& text, const std::vector<std::string>& options = {}) const {
    run(catalogue_, text, "out", options);
    EXPECT_TRUE(open_run_folder(scratch_.file("out"), known_entries(catalogue_))->verify().ok());
    return result().at("optics");
  }

  const Catalogue catalogue_ = standard_catalogue();
};

// d / g - 1 slots follow the last cycle of `randomized`, which carry packets; here no cycle comes before them.
TEST_F(OpticsRuns, TheSlotsOfADrainCarryPackets) {
  scratch_.write("none.csv", "cycle,source,destination,flits\n");
  const auto optics =
      optics_of(experiment("topology: pops, groups: 4, group_size: 64", "randomized", "packets, file: none.csv") +
                "optics: {}\n");
  EXPECT_EQ(optics.at("time_ns"), 15 * 205);
}

}  // namespace
}  // namespace starloom
