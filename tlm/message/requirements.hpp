#pragma once
/// \file What message-level models ask of their input.
#include <vector>

#include "topology/pops.hpp"

namespace starloom {

/// \throws InputError unless `destination` has an entry for each node: another node, each at most once, or `no_node`.
void require_permutation(const Pops& pops, const std::vector<NodeId>& destination);

/// \throws InputError as `require_permutation`, or if a processor has no packet: `comparator-sort` needs all.
void require_full_permutation(const Pops& pops, const std::vector<NodeId>& destination);

/// \throws InputError for more couplers than a model has room for, 2^29.
void require_couplers(const Pops& pops);

}  // namespace starloom
