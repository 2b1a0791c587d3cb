// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file One run of a transaction-level model.
#include <starloom/simulation/links/simulation.hpp>

namespace starloom::links {

/// Runs the plan of `setup.algorithm`, without hardware, trace and referee. The algorithm has a plan.
SimulationResult simulate_messages(const SimulationSetup& setup);

}  // namespace starloom::links
