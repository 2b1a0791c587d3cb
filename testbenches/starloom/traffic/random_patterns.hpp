// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Patterns drawn from the seed (docs/formats.md says which words). The same seed gives the same packets on every
/// machine, for every algorithm.
#include <starloom/topology/processors.hpp>

namespace starloom::patterns {

/// Uniform permutation: position j from n-1 down to 1 swaps with bounded(j+1) of purpose 1, node j, step 0.
Destinations random_permutation(const Processors& processors, std::uint64_t seed);

/// Of `random_permutation` half the packets: that of node v is missing if bounded(2) of purpose 3, node v, step 0 is 0.
Destinations half_permutation(const Processors& processors, std::uint64_t seed);

/// Node v sends to bounded(n) of purpose 3, node v, step 0: independent, itself included.
Destinations random_function(const Processors& processors, std::uint64_t seed);

/// A random permutation in which no packet travels further than `distance` (>= 0; 0 is the identity).
///
/// Starts as the identity and makes 32 sweeps of random exchanges. In sweep s every node v, in order, draws a node u
/// in the box of `distance` around it (purpose 1, node v, step s; one bounded number an axis, in the order of the
/// shape). The node that sends to u so far is w: v takes over u and w gets the former destination of v, if u is in
/// the grid and both stay within the distance. Exchanges keep it a permutation; proposals are symmetric (an exchange
/// is as likely as its reverse), so the distribution tends to the uniform one among the permutations that exchanges
/// can reach. Box on an axis of side k: offsets -m..m with m = min(distance, k-1), what leaves a mesh is rejected, a
/// torus wraps; all of a torus axis once 2*distance + 1 >= k.
Destinations bounded_permutation(const Processors& processors, std::uint64_t seed, std::int64_t distance);

}  // namespace starloom::patterns
