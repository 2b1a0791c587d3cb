// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Where initiators and targets sit. Without SystemC.
#include <optional>
#include <vector>

#include <starloom/sockets/address_map.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom {

struct PlacedTarget {
  NodeId node = 0;
  AddressRange addresses;
  /// Which of its interfaces a TransactionNetwork calls: `b_transport` (true) or `nb_transport_fw` (false). Without a
  /// value the loosely timed view calls `b_transport` for initiators that call it, and everything else is
  /// `nb_transport_fw`. A target whose first answer to that is an error report is taken as one that has `b_transport`
  /// alone, with a warning.
  std::optional<bool> blocking{};
};

/// The ranges of the targets. \throws std::invalid_argument if a node is no processor of the network, or as AddressMap.
AddressMap checked_map(const NetworkGraph& graph, const std::vector<NodeId>& initiators,
                       const std::vector<PlacedTarget>& targets);

}  // namespace starloom
