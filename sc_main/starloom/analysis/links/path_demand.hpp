// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The load on every link of packets whose paths are not fixed by node and destination, because they choose at
/// random or adaptively.
#include <optional>
#include <vector>

#include <starloom/analysis/links/link_demand.hpp>
#include <starloom/routing/routing_function.hpp>

namespace starloom::links {

/// The load if every flow follows a routing function.
/// - If packets choose at random, the loads are expected ones: the mean over all choices.
/// - If heads may choose, the loads are those of heads that take every out-port of a choice with equal frequency, and
///   `LinkDemand::least` is a lower bound on the busiest link for any choices. Empty if packets may return to a node,
///   or if there are too many paths to search them quickly.
/// \param least false: `LinkDemand::least`, which takes most of the time, stays empty.
std::optional<LinkDemand> demand_by_paths(const NetworkGraph& graph, const routing::RoutingFunction& function,
                                          const std::vector<Flow>& flows, bool least = true);

/// The same if every processor sends `rate` flits per step uniformly to all processors, or to all others.
/// \param to_itself including itself; if not, there are two processors at least.
std::optional<LinkDemand> uniform_demand_by_paths(const NetworkGraph& graph, const routing::RoutingFunction& function,
                                                  double rate, bool to_itself = true);

/// The load if every flow follows the algorithm: on its fixed paths (`demand_of`), or else through its routing
/// function. Empty if neither is known.
std::optional<LinkDemand> demand_of_paths(const NetworkGraph& graph, const Algorithm& algorithm,
                                          const std::vector<Flow>& flows, bool least = true);

}  // namespace starloom::links
