// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `randomized` on arrays: whole networks of millions of processors.
#include <cstdint>
#include <vector>

#include <starloom/algorithms/randomized/randomized_algorithm.hpp>
#include <starloom/message/pops/message_run.hpp>

namespace starloom::pops {

/// Default of check mode: on up to this number of processors.
inline constexpr NodeId checked_nodes = 1 << 20;

/// Routes a permutation, or part of one: node i's packet goes to destination[i], `no_node` if it has none. The same
/// slots as the controllers of `randomized` in the netlist, for the same seed.
///
/// `limits.threads` share the cycles, unless the last slot is literal. `check`: the drivers of every coupler are
/// counted in every slot, from the copies that are sent and not from the tables of the model (RandomizedAudit).
/// Memory, besides `destination`: 4 bytes per processor, 3 per coupler, 12 for each copy that succeeds in slot 1
/// (about a third of n for d = g), and 4 more for each coupler of a group that drives one of them more than 255
/// times.
/// \throws InputError if destinations are out of range or occur twice, or the couplers are more than 2^29;
/// std::logic_error if check mode finds a coupler, a buffer or a count that differs from the model's.
MessageRun route_randomized(const Pops& pops, const RandomizedRules& rules, const std::vector<NodeId>& destination,
                            std::uint64_t seed, const MessageLimits& limits, bool check);

/// The model of the algorithm, in check mode up to `checked_nodes` processors.
MessageRun run_model(const RandomizedAlgorithm& algorithm, const MessageLimits& limits);

/// The greatest number of threads that can share the model of the algorithm.
int most_threads(const RandomizedAlgorithm& algorithm);

}  // namespace starloom::pops
