// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Counterexamples to an offline planner, found and written as scenarios.
#include <optional>
#include <starloom/experiment/experiment.hpp>
#include <starloom/run/prepared_run.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// Searches for a permutation on which the plans of the experiment's order, scheme and tie break are too long for its
/// mesh. The traffic of the experiment does not count.
/// \throws InputError unless the algorithm is `multistage` with paths of one bend.
FalsifiedPlan falsified_plan(const Grid& grid, const Experiment& experiment, std::optional<double> seconds);

}  // namespace starloom::links
