// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The list `network.regions` of an experiment (docs/regions.md).
#include <nlohmann/json.hpp>
#include <starloom/config/document.hpp>
#include <starloom/control/links/regions.hpp>
#include <string>
#include <vector>

namespace starloom {

/// Errors are added to `diagnostics`.
std::vector<router::Region> read_regions(const DocumentValue& list, const std::vector<NetworkClock>& clocks,
                                         Diagnostics& diagnostics);

/// `node_r00_*, buffer 4`
std::string region_text(const router::Region& region, const std::vector<NetworkClock>& clocks);
/// As in an experiment.
nlohmann::ordered_json regions_json(const std::vector<router::Region>& regions,
                                    const std::vector<NetworkClock>& clocks);

}  // namespace starloom
