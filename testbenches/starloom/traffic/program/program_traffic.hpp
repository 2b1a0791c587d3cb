// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The traffic of a program of collectives.
#include <memory>
#include <vector>

#include <starloom/traffic/traffic.hpp>

namespace starloom {

std::vector<KeySpec> program_keys();

/// \throws DataFileError, ConfigError, InputError as those of a PatternEntry.
std::unique_ptr<Traffic> make_program(const TrafficContext& context, const KeyValues& keys);

}  // namespace starloom
