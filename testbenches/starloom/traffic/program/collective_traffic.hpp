// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The traffic of one collective: a program without a file.
#include <memory>
#include <vector>

#include <starloom/traffic/traffic.hpp>

namespace starloom {

std::vector<KeySpec> collective_keys();

/// \throws ConfigError for an algorithm that the collective does not have, or that does not suit its ranks; for a key
/// that the collective or its algorithm does not have or lacks; for more ranks than processors
std::unique_ptr<Traffic> make_collective(const TrafficContext& context, const KeyValues& keys);

}  // namespace starloom
