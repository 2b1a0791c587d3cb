#pragma once
/// \file The packets of a message-level model: who sends to whom.
#include <vector>

#include "topology/pops.hpp"

namespace starloom {

/// \throws InputError unless `destination` has an entry for each node: another node, each at most once, or `no_node`.
void require_permutation(const Pops& pops, const std::vector<NodeId>& destination);

}  // namespace starloom
