// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Batcher's merge exchange: a sorting network for any number of items.
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::pops {

/// A stage of comparators: items k apart, within blocks of 2p (Knuth, "The Art of Computer Programming" 3, 5.2.2 M).
struct ComparatorStage {
  NodeId p = 1;
  NodeId k = 1;

  /// The item that this one is compared with among `items`; itself if none. The lower one keeps the smaller key.
  NodeId partner(NodeId item, NodeId items) const {
    const NodeId place = item - k % p;
    if (place < 0) return item;
    const NodeId other = place % (2 * k) < k ? item + k : item - k;
    return other < items && item / (2 * p) == other / (2 * p) ? other : item;
  }
};

/// K(K+1)/2 stages for K = ceil(log2 items).
inline std::vector<ComparatorStage> merge_exchange(NodeId items) {
  std::vector<ComparatorStage> stages;
  for (std::int64_t p = 1; p < items; p *= 2)
    for (std::int64_t k = p; k >= 1; k /= 2) stages.push_back({static_cast<NodeId>(p), static_cast<NodeId>(k)});
  return stages;
}

}  // namespace starloom::pops
