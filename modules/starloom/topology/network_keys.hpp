// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A network as an experiment names it, before it is made.
#include <optional>

#include <starloom/topology/topology_entry.hpp>

namespace starloom {

struct NetworkKeys {
  const TopologyEntry* topology = nullptr;
  KeyValues keys;  ///< below `network:`, besides `topology`

  Capabilities offers() const { return topology->offers(); }
  /// The grid of the network, as `TopologyEntry::grid` says; nothing if it has none.
  std::optional<Grid> grid() const {
    if (!topology->grid) return std::nullopt;
    return topology->grid(keys);
  }
};

}  // namespace starloom
