// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The network that faults leave: its parts, unreachable pairs, loads and dependencies, without a run.
#include <cstdint>
#include <optional>

#include <starloom/analysis/links/link_demand.hpp>
#include <starloom/control/links/algorithm.hpp>
#include <starloom/control/links/unreachable.hpp>
#include <starloom/run/fault_search.hpp>

namespace starloom::links {

/// Ordered pairs of living processors between which packets are lost.
std::int64_t unreachable_pairs(const Unreachable& unreachable);

/// True if no traffic can end in a deadlock; empty if it is not known.
std::optional<bool> is_acyclic(const NetworkGraph& graph, const Algorithm& algorithm);

/// The load of one flit for each ordered pair of processors that has a path. Empty if paths are not known, or too many.
std::optional<LinkDemand> pair_load(const NetworkGraph& graph, const Algorithm& algorithm);

/// \param algorithm on the network with these faults.
FaultVerdict verdict_of(const Unreachable& unreachable, const Algorithm& algorithm);

}  // namespace starloom::links
