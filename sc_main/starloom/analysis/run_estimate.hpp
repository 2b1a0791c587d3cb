// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Estimates of run times, from rates that were measured once.
#include <starloom/control/links/algorithm.hpp>
#include <starloom/planning/pops/optics.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom {

/// The flits that cross the links of a run.
struct FlitHops {
  double all = 0;
  /// Over overloaded links: out of queues that grow during the whole run.
  double from_full = 0;
};

/// Processor seconds of a run with the referee: building the modules, and a rate for each storage model and hop.
/// Accurate within a factor of two on the machine where the rates were measured (docs/estimates.md).
double estimated_seconds(const NetworkGraph& graph, const links::Declaration& declaration, const FlitHops& hops);

/// The same on a POPS network, as hardware with the referee, or on arrays. `cost`: of the run, for a packet in each
/// processor.
double estimated_seconds(const Pops& pops, const pops::Cost& cost, bool hardware);

}  // namespace starloom
