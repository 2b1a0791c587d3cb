// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A network as named by an experiment, before it is made.
#include <optional>
#include <string>

#include <starloom/support/names.hpp>
#include <starloom/topology/topology_entry.hpp>

namespace starloom {

struct NetworkKeys {
  const TopologyEntry* entry = nullptr;
  KeyValues keys;  ///< below `network:`, besides `topology`

  Capabilities capabilities() const { return entry->capabilities(); }
  bool offers(const std::string& capability) const { return contains(capabilities(), capability); }
  /// The grid of the network, as `TopologyEntry::grid` returns it; empty if it has none.
  std::optional<Grid> grid() const { return entry->grid ? entry->grid(keys) : std::nullopt; }
};

}  // namespace starloom
