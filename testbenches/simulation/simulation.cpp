#include <starloom/simulation/simulation.hpp>

#include <starloom/simulation/links/simulation.hpp>
#include <starloom/simulation/pops/simulation.hpp>

namespace starloom {

SimulationResult simulate(const SimulationSetup& setup) {
  return setup.star != nullptr ? pops::simulate(setup) : links::simulate(setup);
}

}  // namespace starloom
