// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A destination for every node: what permutation patterns are made of.
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom {

/// [node] its destination, or `no_node` if it sends nothing.
using Destinations = std::vector<NodeId>;

}  // namespace starloom
