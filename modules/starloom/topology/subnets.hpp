// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Several copies of a network of links side by side, which share its processors (docs/subnets.md).
#include <vector>

#include <starloom/core/packet.hpp>
#include <starloom/topology/network.hpp>

namespace starloom {

/// The hardware of a network with subnets: node i of subnet s is node s * `network.graph.nodes()` + i and has, for s >
/// 0, the name of node i with `_s` and the number of the subnet; the same for links. Processor i is joined to its node
/// in every subnet, but has the number of that in subnet 0. The result has no family, because the arithmetic of the
/// family is about one subnet only.
/// \param subnets 1: the network itself.
/// \throws InputError if two nodes or links would have the same name, or if a graph cannot number all ports.
LinkNetwork with_subnets(const LinkNetwork& network, int subnets);

/// All nodes in the order of their ports in files (`NetworkGraph::in_files`).
std::vector<NodeId> nodes_in_files(const NetworkGraph& graph);

/// A packet whose source and destination are the nodes of its subnet, as the rows of a run name them.
Packet in_own_subnet(const NetworkGraph& graph, Packet packet);

}  // namespace starloom
