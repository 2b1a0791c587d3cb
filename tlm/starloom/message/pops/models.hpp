// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The message-level models of all algorithms of POPS networks.
#include <starloom/control/pops/algorithm.hpp>
#include <starloom/message/pops/message_run.hpp>

namespace starloom::pops {

/// Runs an algorithm on arrays, with the same result as its controllers in the netlist. `delivered` is by packet.
MessageRun run_messages(const Algorithm& algorithm, const MessageLimits& limits);

/// The greatest number of threads that can share a run on arrays.
int most_threads(const Algorithm& algorithm);

}  // namespace starloom::pops
