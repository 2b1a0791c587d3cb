// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The faults of an experiment on its network, and the routers and the traffic that cannot have them.
#include <optional>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/experiment/experiment.hpp>
#include <starloom/topology/fault_timeline.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom::links {

/// Empty without faults, or if they have errors, which are added to `diagnostics`. \param graph of one subnet.
std::optional<FaultTimeline> faults_of(const Experiment& experiment, const NetworkGraph& graph,
                                       Diagnostics& diagnostics);

/// Empty without errors of links, or if their keys have errors.
std::optional<LinkErrors> errors_of(const Experiment& experiment, const NetworkGraph& graph, Diagnostics& diagnostics);

/// Refuses dead places that leave a buffer without one, and hardware that dies or is repaired during the run in routers
/// that cannot lose packets, or under traffic whose packets wait for others, and routers whose links cannot repeat
/// flits. Errors are added to `diagnostics`.
/// \param traffic null: the experiment has none.
void refuse_faults(const Experiment& experiment, const FaultTimeline& faults, const Algorithm& algorithm,
                   const Traffic* traffic, Diagnostics& diagnostics);

}  // namespace starloom::links
