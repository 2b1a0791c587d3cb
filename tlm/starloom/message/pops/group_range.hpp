// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Groups that one thread processes while other threads process others.
#include <algorithm>
#include <cstddef>
#include <vector>

namespace starloom::pops {

/// Groups [begin, end).
struct GroupRange {
  std::size_t begin = 0, end = 0;
};

/// All groups, in as many ranges as `threads`, or fewer: a range begins at one of `cuts`, of which the first is group
/// 0.
inline std::vector<GroupRange> group_ranges(std::size_t groups, const std::vector<std::size_t>& cuts, int threads) {
  std::vector<GroupRange> ranges(std::min(static_cast<std::size_t>(threads), cuts.size()));
  for (std::size_t i = 0; i < ranges.size(); ++i)
    ranges[i] = {cuts[i * cuts.size() / ranges.size()],
                 i + 1 == ranges.size() ? groups : cuts[(i + 1) * cuts.size() / ranges.size()]};
  return ranges;
}

}  // namespace starloom::pops
