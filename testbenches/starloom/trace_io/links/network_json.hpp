// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `network.json`: the network of a run, for those who read its folder without knowing its topology.
#include <filesystem>
#include <string>

#include <starloom/topology/network.hpp>

namespace starloom::links {

/// The graph as it is, a line for each node and link (docs/output.md). The arithmetic of a family is left out.
std::string network_json(const LinkNetwork& network);

/// The network of such a file. It has no family, and searches its distances.
/// \throws InputError that names the file and the entry.
LinkNetwork read_network_json(const std::filesystem::path& file);

}  // namespace starloom::links
