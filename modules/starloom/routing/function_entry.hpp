// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A routing function as a row of a table: its name, the networks that it serves, and how it is made.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <starloom/routing/channel_classes.hpp>
#include <starloom/routing/routing_function.hpp>
#include <starloom/routing/ties.hpp>
#include <starloom/topology/network.hpp>

namespace starloom::routing {

/// What a routing function is made for.
struct FunctionContext {
  const LinkNetwork* network = nullptr;  ///< outlives the function
  int first_channel = 0;
  int channels = 1;     ///< of every port, from that one on: as many as it needs, or more
  std::string root{};   ///< a node, by name or number; empty: the function chooses
  std::string table{};  ///< file of ways, relative to `folder`; empty: none given
  std::filesystem::path folder{};
  Ties ties = Ties::positive;
  PathWeight weight = PathWeight::links;
  /// Terminals (NetworkGraph::is_terminal) pass packets on, as with store-and-forward; with virtual channels they have
  /// no router.
  bool through_terminals = false;

  const NetworkGraph& graph() const { return network->graph; }
  ChannelRange all_channels() const { return {first_channel, channels}; }
};

/// How a routing function serves the networks that offer a capability.
struct Service {
  std::string capability;
  int channels = 1;          ///< virtual channels that it needs there
  std::string purpose = "";  ///< of these channels, if there are several: `datelines`
  /// Channels that it needs where no side of the grid is above 3: a packet crosses at most one link of a ring there,
  /// and no ring closes. 0: as many.
  int channels_of_short_rings = 0;

  /// \param sides of the grid; empty where there is none.
  int channels_for(const std::vector<std::int64_t>& sides) const {
    const bool short_rings = channels_of_short_rings > 0 && !sides.empty() &&
                             std::all_of(sides.begin(), sides.end(), [](std::int64_t side) { return side <= 3; });
    return short_rings ? channels_of_short_rings : channels;
  }
};

/// A row of the table.
struct FunctionEntry {
  std::string name;
  std::string meaning;            ///< one sentence, with its source
  std::vector<Service> serves;    ///< the first that a network offers holds
  bool rows_and_columns = false;  ///< of meshes, it serves those of two dimensions
  /// The next port depends on node, in-port and destination alone: store-and-forward algorithms can follow it.
  bool fixed = false;
  bool by_in_port = false;  ///< if `fixed`: it does depend on the in-port
  bool has_ties = false;    ///< heeds `FunctionContext::ties`
  /// \throws InputError, for networks and files that it cannot serve.
  std::function<std::unique_ptr<RoutingFunction>(const FunctionContext& context)> make;

  /// How it serves the networks that offer these, or null.
  const Service* service(const Capabilities& offers) const;
};

}  // namespace starloom::routing
