// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The nodes of initiators and targets. Without SystemC.
#include <optional>
#include <vector>

#include <starloom/sockets/address_map.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom {

struct PlacedTarget {
  NodeId node = 0;
  AddressRange addresses;
  /// The interface that a TransactionNetwork calls: `b_transport` (true) or `nb_transport_fw` (false). Without a
  /// value the loosely timed view calls `b_transport` for initiators that call it, and `nb_transport_fw` in all other
  /// cases. A target whose first answer to that is an error report is taken as one that has only `b_transport`, with
  /// a warning.
  std::optional<bool> blocking{};
};

/// The ranges of the targets. \throws std::invalid_argument if a node is not a processor of the network, or as
/// AddressMap.
AddressMap checked_map(const NetworkGraph& graph, const std::vector<NodeId>& initiators,
                       const std::vector<PlacedTarget>& targets);

}  // namespace starloom
