// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom check`: validates an experiment, and prints its properties that are known before a run.
#include <starloom/commands/ending.hpp>
#include <starloom/commands/run.hpp>

namespace starloom {

/// \param json prints the facts as JSON instead.
Ending check_experiment(const Catalogue& catalogue, const ExperimentOptions& options, bool json);

}  // namespace starloom
