#pragma once
/// \file One run on a POPS network.
#include "simulation.hpp"

namespace starloom {

/// Runs `setup.star` in a netlist of SystemC modules, or, if asked for messages, its model on arrays: without trace and
/// referee, and with the same result.
SimulationResult simulate_star(const SimulationSetup& setup);

}  // namespace starloom
