// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The processors of a network, as traffic patterns see them.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <starloom/topology/network.hpp>

namespace starloom {

/// [processor] the destination of its packets, or `no_node` if it sends none.
using Destinations = std::vector<NodeId>;

/// Processors are numbered from 0. Only make_traffic uses the nodes of the network that they are.
struct Processors {
  NodeId count = 0;
  std::optional<Grid> arrangement{};  ///< the grid that they form: its node i is processor i
  DistanceFormula distance{};         ///< links between two of them; without a path, more than any path has
  std::vector<NodeId> node{};         ///< [processor]; empty: processor i is node i
  std::function<std::string(NodeId processor)> name{};  ///< null: processors have no names
  std::string network{};                                ///< its name in messages: "the mesh [4, 8]"
  std::string remark{};  ///< appended to messages with this name if the name is not the user's

  /// The grid that they form. `pattern` is the pattern that requires it.
  /// \throws InputError if they form none.
  const Grid& coordinates(const std::string& pattern) const;
  /// \throws InputError with a text that contains the name of the network.
  [[noreturn]] void refuse(const std::string& text) const;
};

Processors processors_of(const LinkNetwork& network);
/// A mesh with a row for each group.
Processors processors_of(const Pops& pops);

}  // namespace starloom
