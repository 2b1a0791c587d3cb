#pragma once
/// \file How long a run may take, from rates that were measured once.
#include "controllers/algorithm.hpp"
#include "planners/star_optics.hpp"
#include "topology/pops.hpp"
#include "topology/topology.hpp"

namespace starloom {

/// Processor seconds of a run with the referee: building the modules, and a rate for each storage model and hop. Right
/// within a factor of two on the machine where the rates were measured (docs/check.md).
double estimated_seconds(const Topology& topology, const Declaration& declaration, double flit_hops);

/// The same on a POPS network, as hardware with the referee, or on arrays. `cost`: of the run, for a packet in each
/// processor.
double estimated_seconds(const Pops& pops, const StarCost& cost, bool hardware);

}  // namespace starloom
