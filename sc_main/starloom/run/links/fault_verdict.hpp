// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The network that faults leave: its parts, unreachable pairs, loads and dependencies, without a run.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

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

/// The routing functions after a step in which hardware dies or is repaired.
struct EventVerdict {
  Step step = 0;
  std::string_view transition{};  ///< as transition_names; `never`: routing functions do not change; `postponed`: not
                                  ///< before the next such step
  std::optional<bool>
      acyclic{};               ///< no traffic can end in a deadlock; with `keep`, also while packets of the functions
                               ///< before and after the change meet. Empty: not known
  std::int64_t on_cycles = 0;  ///< links, or classes of their channels, on cycles of dependencies
  std::size_t shortest_cycle = 0;
};

/// One for each step with events. \param algorithm of step 0.
std::vector<EventVerdict> verdicts_of_events(const Unreachable& unreachable, const Algorithm& algorithm);

/// \param algorithm on the network with these faults.
FaultVerdict verdict_of(const Unreachable& unreachable, const Algorithm& algorithm);

}  // namespace starloom::links
