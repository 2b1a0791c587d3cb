// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The network of a run, from its output folder.
#include <filesystem>
#include <vector>

#include <starloom/topology/topology_entry.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::links {

/// The network of `network.json` if the folder has one; else made by the topology of `topologies` that `result.json`
/// names, from the keys there.
/// \throws InputError if the result names no network of links, or an impossible one.
LinkNetwork read_network(const std::filesystem::path& folder, const ResultDocument& result,
                         const std::vector<TopologyEntry>& topologies);

}  // namespace starloom::links
