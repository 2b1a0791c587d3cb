#pragma once
/// \file One run on a POPS network.
#include <starloom/simulation/simulation.hpp>

namespace starloom::pops {

/// Runs `setup.star` in a netlist of SystemC modules, or, if asked for messages, its model on arrays: without trace and
/// referee, and with the same result.
SimulationResult simulate(const SimulationSetup& setup);

/// Builds the netlist and calls `inspect` with all its ports bound; no slot runs. True: as for networks of links.
bool elaborate(const SimulationSetup& setup, const std::function<void(Network&)>& inspect);

}  // namespace starloom::pops
