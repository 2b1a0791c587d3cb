// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file All permutations of a small mesh, in ranges of lexicographic ranks, and counts of the results of their
/// plans.
#include <cstdint>
#include <functional>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/planning/links/multistage/one_bend_planner.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// Ranks count from 0 (the identity); 20! is the largest factorial below 2^63.
inline constexpr NodeId max_ranked_nodes = 20;

/// nodes!, for at most `max_ranked_nodes`. \throws InputError above.
std::uint64_t permutations_of(NodeId nodes);

/// The permutation of a lexicographic rank: element i is the destination of node i.
/// \throws InputError if the rank is not below nodes!, or as `permutations_of`.
std::vector<NodeId> permutation_of_rank(NodeId nodes, std::uint64_t rank);

/// Counts of the plans of a range of ranks.
struct RankCounts {
  std::uint64_t planned = 0;
  std::uint64_t above_distance = 0;  ///< plans longer than the greatest distance of their packets
  std::int32_t worst_gap = 0;        ///< the greatest length - distance

  void add(const RankCounts& other);  ///< of another range
};

/// Plans the permutations of the ranks [from, from + count).
/// \param above  called, if set, with each permutation whose plan is longer than its greatest distance
/// \throws InputError if the range leaves [0, nodes!), or as OneBendPlanner does.
RankCounts count_ranks(const Grid& mesh, const OneBendOptions& options, std::uint64_t from, std::uint64_t count,
                       const std::function<void(const std::vector<NodeId>&)>& above = {});

}  // namespace starloom::links
