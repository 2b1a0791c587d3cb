// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Permuted orders of construction and evaluation, to test that results do not depend on them.
#include <utility>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/core/random.hpp>

namespace starloom {

/// All nodes in a random order that depends on `number` and `use`; in ascending order if `number` is 0.
/// \param use evaluation_order or construction_order
inline std::vector<NodeId> permuted_order(NodeId nodes, std::uint64_t number, Step use) {
  std::vector<NodeId> order(static_cast<std::size_t>(nodes));
  for (NodeId i = 0; i < nodes; ++i) order[static_cast<std::size_t>(i)] = i;
  if (number == 0) return order;
  for (NodeId i = nodes - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)],
              order[RandomStream(number, Purpose::permutation, i, use).bounded(static_cast<std::uint32_t>(i) + 1)]);
  return order;
}

inline constexpr Step evaluation_order = 0;
inline constexpr Step construction_order = 1;

}  // namespace starloom
