// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Cables of a network: each link with the one that leads back.
#include <vector>

#include <starloom/topology/network_graph.hpp>

namespace starloom {

/// A link and its partner, by their out-ports.
struct Cable {
  LinkEnd lower;    ///< the link of the lower node, or of the lower port
  LinkEnd upper{};  ///< its partner; not `connected()` if it has none
};

/// The link that leads back beside the link of an out-port: it leaves the far node by the port with the number of the
/// in-port that the link reaches. Of links without such a partner, the first, second, ... between two nodes belong to
/// the first, second, ... that lead back. Not `connected()` if there is none.
LinkEnd partner_of(const NetworkGraph& graph, LinkEnd link);

/// All cables, by node and port of their lower links. Each link is in one of them.
std::vector<Cable> cables_of(const NetworkGraph& graph);

/// The network without links that have no partner.
NetworkGraph whole_cables(const NetworkGraph& graph);

}  // namespace starloom
