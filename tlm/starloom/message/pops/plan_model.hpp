// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `offline` and `comparator-sort` on arrays: packets that follow plans.
#include <vector>

#include <starloom/algorithms/comparator_sort/comparator_sort_algorithm.hpp>
#include <starloom/algorithms/offline/offline_algorithm.hpp>
#include <starloom/message/pops/message_run.hpp>
#include <starloom/planning/pops/plan.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// Sends every packet according to the plan, and counts every driver, sampler and relay.
/// \throws InputError as `require_permutation`; std::logic_error if two packets collide, because the plan is wrong.
MessageRun follow_plan(const Pops& pops, const std::vector<NodeId>& destination, const Plan& plan,
                       const MessageLimits& limits = {});

/// Sorts the packets of a full permutation by Batcher's merge exchange, with a plan for each stage.
/// \throws InputError as `require_permutation`, or if a processor has no packet.
MessageRun sort_packets(const Pops& pops, const std::vector<NodeId>& destination, const MessageLimits& limits = {});

/// The model of an algorithm.
MessageRun run_model(const OfflineAlgorithm& algorithm, const MessageLimits& limits);
MessageRun run_model(const ComparatorSortAlgorithm& algorithm, const MessageLimits& limits);

}  // namespace starloom::pops
