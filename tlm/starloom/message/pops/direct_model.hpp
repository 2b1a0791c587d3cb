// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `direct` on arrays.
#include <cstdint>
#include <vector>

#include <starloom/algorithms/direct/direct_algorithm.hpp>
#include <starloom/message/pops/message_run.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// Routes a permutation, or part of one, as the controllers of `direct` do. The model counts every driver, so it has
/// no separate check mode. `limits.threads` share the cycles. 9 bytes per processor and 8 per coupler.
/// \throws InputError as `require_permutation`, or for more than 2^29 couplers.
MessageRun route_direct(const Pops& pops, const std::vector<NodeId>& destination, std::uint64_t seed,
                        const MessageLimits& limits);

/// The model of the algorithm.
MessageRun run_model(const DirectAlgorithm& algorithm, const MessageLimits& limits);

/// The greatest number of threads that can share the model of the algorithm.
int most_threads(const DirectAlgorithm& algorithm);

}  // namespace starloom::pops
