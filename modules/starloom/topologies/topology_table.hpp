// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The topologies of Starloom: the table of their entries.
#include <vector>

#include <starloom/topology/topology_entry.hpp>

namespace starloom {

/// In the order in which they are listed.
std::vector<TopologyEntry> topology_table();

}  // namespace starloom
