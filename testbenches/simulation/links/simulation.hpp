#pragma once
/// \file One run on a network of links.
#include <starloom/simulation/simulation.hpp>

namespace starloom::links {

/// Runs `setup.algorithm` in a netlist of SystemC modules, or, if asked for messages, its plan on arrays.
SimulationResult simulate(const SimulationSetup& setup);

/// Builds the netlist and calls `inspect` with all its ports bound; no step runs. Of `setup` only what describes
/// hardware counts. True: the net is too large to destroy, end the process by std::_Exit.
bool elaborate(const SimulationSetup& setup, const std::function<void(Network&)>& inspect);

}  // namespace starloom::links
