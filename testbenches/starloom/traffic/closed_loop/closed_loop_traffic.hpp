// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The pattern `closed-loop` (docs/closed-loop.md).
#include <memory>
#include <vector>

#include <starloom/schema/keys.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// The keys of the pattern, without those of phases.
std::vector<KeySpec> closed_loop_keys();

/// \param phases of a run whose clients never end.
/// \throws ConfigError if a server or client is not a processor, a client has no server, or the run has no end.
std::unique_ptr<Traffic> make_closed_loop(const TrafficContext& context, const KeyValues& keys, const Phases& phases);

}  // namespace starloom
