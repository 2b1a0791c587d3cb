// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Permutation files: whitespace-separated destinations, entry i that of node i, `-` for none, `#` comments.
#include <starloom/topology/processors.hpp>
#include <starloom/traffic/traffic.hpp>

namespace starloom {

/// \throws InputError if the file cannot be read; DataFileError with all its errors: not a number or `-`, not a node,
/// a destination given twice, fewer or more entries than nodes.
Destinations read_permutation_file(const TrafficContext& context, const std::string& name);

}  // namespace starloom
