// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What packets put on every link whose ways are not fixed by node and destination: they draw, or may choose.
#include <optional>
#include <vector>

#include <starloom/analysis/links/link_demand.hpp>
#include <starloom/routing/routing_function.hpp>

namespace starloom::links {

/// Every flow goes as a routing function leads it.
/// - Where packets draw, the loads are expected ones: the mean over all that they can draw.
/// - Where heads may choose, the loads are those of heads that take every out-port of a choice equally often, and
///   `LinkDemand::least` is what the busiest link has however they choose.
/// Nothing if packets may go round, or so many ways that it would take long.
std::optional<LinkDemand> demand_by_paths(const NetworkGraph& graph, const routing::RoutingFunction& function,
                                          const std::vector<Flow>& flows);

/// The same where every processor sends `rate` flits a step to all processors alike, itself included.
std::optional<LinkDemand> uniform_demand_by_paths(const NetworkGraph& graph, const routing::RoutingFunction& function,
                                                  double rate);

/// Every flow follows the algorithm: on its fixed ways (`demand_of`), or else as its routing function leads it.
/// Nothing where neither is known.
std::optional<LinkDemand> demand_of_paths(const NetworkGraph& graph, const Algorithm& algorithm,
                                          const std::vector<Flow>& flows);

}  // namespace starloom::links
