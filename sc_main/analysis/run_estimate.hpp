#pragma once
/// \file How long a run may take, from rates that were measured once.
#include "controllers/algorithm.hpp"
#include "topology/topology.hpp"

namespace starloom {

/// Processor seconds of a run with the referee: building the modules, and a rate for each storage model and hop. Right
/// within a factor of two on the machine where the rates were measured (docs/check.md).
double estimated_seconds(const Topology& topology, const Declaration& declaration, double flit_hops);

}  // namespace starloom
