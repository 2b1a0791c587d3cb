// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Positions in pictures for the nodes to which a network gives none.
#include <vector>

#include <starloom/topology/network_tables.hpp>

namespace starloom {

/// Positions these nodes below all others, in rows of a square. If more than eight of them are leaves around one node,
/// which have links to that node only, all leaves are in rings around their nodes, and the rows leave room for the
/// rings.
/// \param unplaced in ascending order. \param tables with links, and the positions of all other nodes.
void position_nodes(const std::vector<NodeId>& unplaced, NetworkTables& tables);

}  // namespace starloom
