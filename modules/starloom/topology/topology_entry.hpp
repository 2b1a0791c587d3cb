// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A topology as a row of a table: its name, its keys, the size of its networks, and the function that makes
/// them.
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <starloom/schema/config_error.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/topology/capability.hpp>
#include <starloom/topology/network.hpp>

namespace starloom {

using MakeLinkNetwork = std::function<LinkNetwork(const KeyValues& keys)>;
using MakePops = std::function<Pops(const KeyValues& keys)>;

/// A row of the table. All functions receive keys that have passed its checks: each is present, of its type and in
/// its range.
struct TopologyEntry {
  std::string name;
  std::string meaning;        ///< one sentence
  std::vector<KeySpec> keys;  ///< below `network:`, besides `topology`
  std::string sized_by;       ///< the key that gives its size, if one key does
  /// The size that a network would have, before anything is allocated, for any numbers.
  /// \throws ConfigError for keys that make no network of any size.
  std::function<NetworkSize(const KeyValues& keys)> size;
  /// Networks of links are made by `make_link_network`, which calls this function.
  /// \throws ConfigError as above, and if `size` has a refusal.
  std::variant<MakeLinkNetwork, MakePops> make;
  /// Capabilities besides the name and `connected`: `mesh`.
  std::vector<std::string> offers{};
  /// The grid that the processors form, or the switches of a concentrated mesh, before anything is made. Null: there
  /// is none. Topologies that offer `mesh`, `torus`, `ring` or `concentrated-mesh` have it.
  std::function<std::optional<Grid>(const KeyValues& keys)> grid{};

  /// True if it makes POPS networks.
  bool has_couplers() const { return std::holds_alternative<MakePops>(make); }
  /// All capabilities of its networks.
  Capabilities capabilities() const;
};

/// The network of links that an entry makes from its keys, with the capabilities that the entry offers.
/// \throws ConfigError if `entry.make` does, and if the network is not what a capability promises.
LinkNetwork make_link_network(const TopologyEntry& entry, const KeyValues& keys);
/// \throws InputError if an entry lacks what its capabilities promise.
void check_entry(const TopologyEntry& entry);

}  // namespace starloom
