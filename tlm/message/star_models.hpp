#pragma once
/// \file The message-level models of all algorithms of POPS networks.
#include "controllers/star_algorithm.hpp"
#include "message/message_run.hpp"

namespace starloom {

/// Runs an algorithm on arrays, with the same result as its controllers in the netlist. `delivered` is by packet.
MessageRun run_messages(const StarAlgorithm& algorithm, const MessageLimits& limits);

}  // namespace starloom
