// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file How long a run may take, from rates that were measured once.
#include <starloom/control/links/algorithm.hpp>
#include <starloom/planning/pops/optics.hpp>
#include <starloom/topology/network_graph.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom {

/// What crosses the links of a run, in flits.
struct FlitHops {
  double all = 0;
  /// Over links that more wants to cross than can: out of queues that grow as long as the run goes.
  double from_full = 0;
};

/// Processor seconds of a run with the referee: building the modules, and a rate for each storage model and hop. Right
/// within a factor of two on the machine where the rates were measured (docs/estimates.md).
double estimated_seconds(const NetworkGraph& graph, const links::Declaration& declaration, const FlitHops& hops);

/// The same on a POPS network, as hardware with the referee, or on arrays. `cost`: of the run, for a packet in each
/// processor.
double estimated_seconds(const Pops& pops, const pops::Cost& cost, bool hardware);

}  // namespace starloom
