// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom plan`: what an offline planner makes of an experiment, without a run.
#include <filesystem>
#include <optional>

#include <starloom/commands/ending.hpp>
#include <starloom/commands/run.hpp>
#include <starloom/run/prepared_run.hpp>

namespace starloom {

struct PlanOptions {
  ExperimentOptions experiment;
  PlanRequest request;
  std::optional<std::filesystem::path> save;  ///< write the plan there, or the scenario of a hunt
  bool force = false;                         ///< replace existing files
  bool falsify = false;                       ///< hunt for a plan that is too long, in place of planning
};

/// Prints JSON: `length`, `distance`, `bounds`, `optimum`, `lower`, `upper`, `status`, `starts`, and `first` where all paths
/// have one bend at most. Of a hunt: `status`, `diameter`, and what was caught. \throws InputError if the algorithm makes no plan, or an incomplete one is to be saved.
Ending plan_experiment(const Catalogue& catalogue, const PlanOptions& options);

}  // namespace starloom
