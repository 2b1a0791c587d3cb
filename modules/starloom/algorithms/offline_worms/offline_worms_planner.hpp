// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Offline plans for worms of k flits on a mesh (Roberts and Symvonis, TR 490, section 2): horizontal first,
/// each worm at the first stage from which the path is free for all its flits. Stages count from 0 here, from 1
/// there.
#include <cstdint>

#include <starloom/core/ids.hpp>
#include <starloom/planning/links/multistage/one_bend_planner.hpp>

namespace starloom::links {

/// Plans worms of `flits` flits: the one-bend planner, horizontal first, without a stage limit.
inline OneBendPlanner offline_worms_planner(const Grid& mesh, const Ordering& ordering, std::int32_t flits) {
  return OneBendPlanner(mesh, {ordering, PathScheme::horizontal_first, flits, false});
}

/// Theorem 1 for permutations of a mesh, in any order; on n x n nodes (2n-2)(2k-1) + 1 + (2n-2 + k-1). The last start
/// comes before stage (rows-1 + columns-1)(2k-1) + 1: each worm of the row and of the column delays by at most 2k-1.
inline std::int64_t offline_worms_bound(const Grid& mesh, std::int32_t flits) {
  const std::int64_t others = std::int64_t{mesh.side(0)} - 1 + mesh.side(1) - 1;
  const std::int64_t k = flits;
  return others * (2 * k - 1) + 1 + (others + k - 1);
}

}  // namespace starloom::links
