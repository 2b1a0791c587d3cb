// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file From a partial permutation to a full one.
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom {

/// `destination`: of every node, `no_node` if it has none; each node at most once. Nodes without a destination get
/// the nodes that are the destination of none, both in ascending order.
std::vector<NodeId> completed(std::vector<NodeId> destination);

}  // namespace starloom
