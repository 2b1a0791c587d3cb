// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `randomized` with a single coupler, on arrays.
#include <vector>

#include <starloom/message/pops/message_run.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// Processor i sends in slot i, and all sample. `destination`: [node], as `require_permutation`.
MessageRun route_round_robin(const Pops& pops, const std::vector<NodeId>& destination, const MessageLimits& limits);

}  // namespace starloom::pops
