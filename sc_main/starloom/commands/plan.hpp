// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom plan`: the plan of an offline planner for an experiment, without a run.
#include <filesystem>
#include <optional>

#include <starloom/commands/ending.hpp>
#include <starloom/commands/run.hpp>
#include <starloom/run/prepared_run.hpp>

namespace starloom {

struct PlanOptions {
  ExperimentOptions experiment;
  PlanRequest request;
  std::optional<std::filesystem::path> save;  ///< write the plan to this file, or with --falsify the scenario
  bool force = false;                         ///< replace existing files
  bool falsify = false;                       ///< search for a plan that is too long, instead of planning
};

/// Prints JSON: `length`, `distance`, `bounds`, `optimum`, `lower`, `upper`, `status`, `starts`, and `first` if all
/// paths have at most one bend. With --falsify: `status`, `diameter`, and the counterexample. \throws InputError if
/// the algorithm makes no plan, or an incomplete one is to be saved.
Ending plan_experiment(const Catalogue& catalogue, const PlanOptions& options);

}  // namespace starloom
