#pragma once
/// \file One run of a transaction-level model.
#include "simulation.hpp"

namespace starloom {

/// Runs the algorithm of a POPS network, or what `setup.algorithm` planned, without hardware, trace and referee. An
/// algorithm of grids has a plan.
SimulationResult simulate_messages(const SimulationSetup& setup);

}  // namespace starloom
