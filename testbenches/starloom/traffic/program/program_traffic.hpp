// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The traffic of a program of collectives.
#include <memory>
#include <string>
#include <vector>

#include <starloom/traffic/program/program.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

std::vector<KeySpec> program_keys();
/// The keys `mapping` and `packet` of a pattern of ranks.
std::vector<KeySpec> rank_keys(const std::string& default_mapping);

/// [rank] its processor by the key `mapping`, which is given. There are at most as many ranks as processors.
/// \throws ConfigError if the processors do not suit it.
std::vector<NodeId> mapped_by_key(const TrafficContext& context, const KeyValues& keys, std::int32_t ranks);
/// \param processor [rank]. The key `packet` says into what its messages are cut.
std::unique_ptr<Traffic> traffic_of(ProgramParts parts, std::vector<NodeId> processor, const TrafficContext& context,
                                    const KeyValues& keys);

/// \throws DataFileError, ConfigError, InputError as those of a PatternEntry.
std::unique_ptr<Traffic> make_program(const TrafficContext& context, const KeyValues& keys);

}  // namespace starloom
