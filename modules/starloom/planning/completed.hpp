// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file From a partial permutation to a full one.
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom {

/// `destination`: of every node, `no_node` where it has none; each at most once. Nodes without one get the
/// destinations that nobody has, both in ascending order.
std::vector<NodeId> completed(std::vector<NodeId> destination);

}  // namespace starloom
