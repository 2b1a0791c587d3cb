// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Random patterns from the seed (docs/formats.md lists the random words). The same seed gives the same packets
/// on every machine, for every algorithm.
#include <starloom/topology/processors.hpp>

namespace starloom::patterns {

/// Uniform permutation: position j from n-1 down to 1 swaps with bounded(j+1) of purpose 1, node j, step 0.
Destinations random_permutation(const Processors& processors, std::uint64_t seed);

/// Half the packets of `random_permutation`: that of node v is missing if bounded(2) of purpose 3, node v, step 0 is
/// 0.
Destinations half_permutation(const Processors& processors, std::uint64_t seed);

/// Node v sends to bounded(n) of purpose 3, node v, step 0: independent, itself included.
Destinations random_function(const Processors& processors, std::uint64_t seed);

/// A random permutation in which no packet travels farther than `distance` (>= 0; 0 is the identity).
///
/// Starts as the identity and makes 32 sweeps of random exchanges. In sweep s every node v, in order, chooses a
/// random node u in the box of `distance` around it (purpose 1, node v, step s; one bounded number per axis, in the
/// order of the shape). The node that sends to u so far is w: v takes over u and w gets the former destination of v,
/// if u is in the grid and both stay within the distance. Exchanges keep it a permutation; proposals are symmetric
/// (an exchange is as likely as its reverse), so the distribution tends to the uniform one among the permutations
/// that exchanges can reach. Box on an axis of side k: offsets -m..m with m = min(distance, k-1), offsets out of a
/// mesh are rejected, a torus wraps; each coordinate of a torus axis exactly once if 2*distance + 1 >= k.
Destinations bounded_permutation(const Processors& processors, std::uint64_t seed, std::int64_t distance);

}  // namespace starloom::patterns
