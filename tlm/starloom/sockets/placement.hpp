// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Where initiators and targets sit. Without SystemC.
#include <vector>

#include <starloom/sockets/address_map.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom {

struct PlacedTarget {
  NodeId node = 0;
  AddressRange addresses;
};

/// The ranges of the targets. \throws std::invalid_argument if a node is no processor of the network, or as AddressMap.
AddressMap checked_map(const NetworkGraph& graph, const std::vector<NodeId>& initiators,
                       const std::vector<PlacedTarget>& targets);

}  // namespace starloom
