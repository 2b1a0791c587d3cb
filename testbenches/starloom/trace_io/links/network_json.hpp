// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `network.json`: the network of a run, for readers of its folder that do not have its topology.
#include <filesystem>
#include <string>

#include <starloom/topology/network.hpp>

namespace starloom::links {

/// The graph, with a line for each node and link (docs/output.md), without the arithmetic of its family.
std::string network_json(const LinkNetwork& network);

/// The network of such a file. It has no family, and searches its distances.
/// \throws InputError that names the file and the entry.
LinkNetwork read_network_json(const std::filesystem::path& file);

}  // namespace starloom::links
