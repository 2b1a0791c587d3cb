// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The planner itself as a formula: is there a permutation with a plan that is longer than a bound?
#include <cstdint>
#include <vector>

#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include <starloom/search/solver.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

struct GreedyQuestion {
  std::int32_t farthest = 0;  ///< greatest distance of a packet
  Step bound = 0;             ///< lower limit of the plan, exclusive; at least `farthest`
};

struct LongPlan {
  Answer found = Answer::unknown;
  std::vector<NodeId> destinations{};  ///< by node, if found
};

/// Larger formulas are not attempted: candidates for a packet's path and start, times their links.
inline constexpr std::int64_t largest_greedy_formula = 100'000;

/// The planner serves pairs of source and destination in a fixed order, so the formula follows it: for each pair in
/// turn, if it is chosen, the first free path and start; then the links that it takes.
/// \param options  of packets of one flit, without the stage limit; no random order or tie break, because these
/// depend on the number of packets. Otherwise the answer is `unknown`.
LongPlan find_long_plan(const Grid& mesh, const OneBendOptions& options, const GreedyQuestion& question,
                        const SolverLimits& limits = {});

}  // namespace starloom::links
