// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The processors of a network, as patterns see them.
#include <optional>
#include <string>
#include <vector>

#include <starloom/topology/network.hpp>

namespace starloom {

/// [processor] where its packets go, or `no_node` if it sends none.
using Destinations = std::vector<NodeId>;

/// Processors are numbered from 0. Which node of the network each of them is, only make_traffic looks at.
struct Processors {
  NodeId count = 0;
  std::optional<Grid> arrangement{};  ///< where they stand: node i of it is processor i
  DistanceFormula distance{};         ///< links between two of them
  std::vector<NodeId> node{};         ///< [processor]; empty: processor i is node i
  std::string network{};              ///< its name in messages: "the mesh [4, 8]"
  std::string remark{};               ///< said behind messages with this name, where it is not the user's

  /// The grid in which they stand. \throws InputError if they stand in none. `pattern`: who needs it.
  const Grid& coordinates(const std::string& pattern) const;
  /// \throws InputError with a text that has the name of the network.
  [[noreturn]] void refuse(const std::string& text) const;
};

Processors processors_of(const LinkNetwork& network);
/// A mesh with a row for each group.
Processors processors_of(const Pops& pops);

}  // namespace starloom
