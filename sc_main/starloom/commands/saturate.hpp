// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom saturate`.
#include <filesystem>
#include <optional>
#include <string>

#include <starloom/campaign/saturation.hpp>
#include <starloom/commands/ending.hpp>
#include <starloom/commands/run.hpp>

namespace starloom {

struct SaturateOptions {
  ExperimentOptions experiment;
  std::string metric;  ///< the key that is the load; empty: that of the pattern, such as `traffic.rate`
  /// In its unit; nullopt: 0.005, or 2 % of the load that fills a link or local port.
  std::optional<double> within;
  SaturationDefinition definition = SaturationDefinition::three_times_lightest;
  std::optional<std::filesystem::path> store;  ///< empty: `out/<file stem>.saturate.sqlite`
  int jobs = 1;
};

/// Finds the load at which an open-loop experiment saturates, by bisection from 0 to the load that fills a link or a
/// local port. Its runs are kept in a store, and a second call continues with them. Prints JSON: `load` (null: no run
/// saturates), `lightest`, `within`, `runs`, `metric`, `definition`, `loads`. Status 3 or 4 if a run ends badly, as
/// with campaigns. \throws InputError if the experiment has no load.
Ending saturate_experiment(const Catalogue& catalogue, const SaturateOptions& options);

}  // namespace starloom
