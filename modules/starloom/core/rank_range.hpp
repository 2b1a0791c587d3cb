// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A range of permutations.
#include <cstdint>

namespace starloom {

/// The permutations of the lexicographic ranks [from, from + count).
struct RankRange {
  std::uint64_t from = 0;
  std::uint64_t count = 0;
};

}  // namespace starloom
