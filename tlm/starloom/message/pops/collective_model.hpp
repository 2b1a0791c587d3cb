// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `broadcast` and `data-sum` on arrays.
#include <cstdint>
#include <vector>

#include <starloom/algorithms/broadcast/broadcast_algorithm.hpp>
#include <starloom/algorithms/data_sum/data_sum_algorithm.hpp>
#include <starloom/message/pops/message_run.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// One slot for each source, in order; `delivered` is by packet.
MessageRun broadcast(const Pops& pops, const std::vector<NodeId>& speakers, const MessageLimits& limits = {});

/// Adds up the values of all processors; `delivered` is the number of slots for every value.
/// \throws InputError for more than 2^29 couplers; std::logic_error if two partial sums meet.
MessageRun sum_values(const Pops& pops, std::vector<std::int64_t> values, const MessageLimits& limits = {});

/// The model of an algorithm.
MessageRun run_model(const BroadcastAlgorithm& algorithm, const MessageLimits& limits);
MessageRun run_model(const DataSumAlgorithm& algorithm, const MessageLimits& limits);

}  // namespace starloom::pops
