// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The traffic of Chakra execution traces.
#include <memory>
#include <vector>

#include <starloom/traffic/traffic.hpp>

namespace starloom {

std::vector<KeySpec> chakra_keys();

/// \throws DataFileError, ConfigError, InputError as those of a PatternEntry.
std::unique_ptr<Traffic> make_chakra(const TrafficContext& context, const KeyValues& keys);

}  // namespace starloom
