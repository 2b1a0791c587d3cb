// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A topology as a row of a table: its name, its keys, how large a network becomes, and how it is made.
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <starloom/schema/key_fault.hpp>
#include <starloom/schema/keys.hpp>
#include <starloom/topology/network.hpp>

namespace starloom {

using MakeLinkNetwork = std::function<LinkNetwork(const KeyValues& keys)>;
using MakePops = std::function<Pops(const KeyValues& keys)>;

/// A row of the table. All functions get keys that have passed its checks: each is there, of its type and in its range.
struct TopologyEntry {
  std::string name;
  std::string meaning;        ///< one sentence
  std::vector<KeySpec> keys;  ///< below `network:`, besides `topology`
  std::string sized_by;       ///< the key that says how large it is, where one alone does
  /// What a network would be, before anything is allocated; no number is too great for it.
  /// \throws KeyFault for keys that make no network of any size.
  std::function<NetworkSize(const KeyValues& keys)> size;
  /// \throws KeyFault as above, and where `size` has a refusal.
  std::variant<MakeLinkNetwork, MakePops> make;

  /// True if it makes networks of couplers.
  bool has_couplers() const { return std::holds_alternative<MakePops>(make); }
};

/// The topologies of Starloom, in the order in which they are listed.
std::vector<TopologyEntry> topology_table();

}  // namespace starloom
