// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The waves of a run as data of a page, for nodes and links, step by step.
#include <filesystem>
#include <string>
#include <vector>

#include <starloom/inspection/byte_stream.hpp>
#include <starloom/inspection/replay_page.hpp>

namespace starloom {

/// The greatest number of value changes of a page.
inline constexpr std::int64_t most_wave_changes = 1'000'000;

/// Adds to a page, from the `waves.vcd` of a folder, the state fields of the nodes called `nodes`, with the names of
/// their values from the files beside it: the fact `state` {`fields` [{`node`, `name`}], `values` {field: {value:
/// name}}} and the section `state`; and the tags of the flits that enter the links called `links`, if any is not 0:
/// the fact `tagged` [index in `links`] and the section `tags`. Without waves, or with too many changes, the fact
/// `no_state` gives the reason.
/// \throws InputError for waves that cannot be read.
void add_wave_values(const std::filesystem::path& folder, const std::vector<std::string>& nodes,
                     const std::vector<std::string>& links, ReplayContent& content);

}  // namespace starloom
