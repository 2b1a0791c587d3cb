// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The regions and clocks of a run, from its `result.json`.
#include <string>
#include <vector>

#include <starloom/control/links/regions.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::links {

/// `experiment.network.clocks`; empty if there are none. \throws InputError
std::vector<NetworkClock> read_clocks(const ResultDocument& result);
/// `experiment.network.regions` \throws InputError
std::vector<router::Region> read_regions(const ResultDocument& result);

/// Calls `of_regions` with the regions of a run.
/// \throws InputError with the place of a wrong region.
template <class OfRegions>
auto with_regions(const ResultDocument& result, const OfRegions& of_regions) {
  const std::vector<router::Region> regions = read_regions(result);
  try {
    return of_regions(regions);
  } catch (const ConfigError& error) {
    result.fail("experiment.network." + error.diagnostics().front().key, std::string("is wrong: ") + error.what());
  }
}

}  // namespace starloom::links
