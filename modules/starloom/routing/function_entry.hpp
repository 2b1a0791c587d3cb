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
#include <starloom/schema/keys.hpp>
#include <starloom/topology/network_keys.hpp>

namespace starloom::routing {

/// What a routing function is made for.
struct FunctionContext {
  const LinkNetwork* network = nullptr;  ///< outlives the function
  int first_channel = 0;
  int channels = 1;                ///< of every port, from that one on: as many as it needs, or more
  std::filesystem::path folder{};  ///< paths in keys are relative to it
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
  std::string advice{};  ///< behind the refusal of too few channels

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
  /// Below `routing:` of the algorithms that follow it. Functions may share a key that is the same in every respect.
  std::vector<KeySpec> keys{};
  /// Refuses networks and keys that it cannot serve, before anything is made; `make` refuses them as well. Null:
  /// `serves` and `keys` say it all. \throws InputError
  std::function<void(const NetworkKeys& network, const KeyValues& keys)> refuse{};
  /// \param keys its own and others; those that are not given may be missing.
  /// \throws InputError, for networks and files that it cannot serve.
  std::function<std::unique_ptr<RoutingFunction>(const FunctionContext& context, const KeyValues& keys)> make;

  /// How it serves the networks that offer these, or null.
  const Service* service(const Capabilities& offers) const;
};

/// The same entry; its functions throw a ContractError, with the name of the entry, as soon as they offer a head
/// something that routers cannot take: no choice, a port without a link, the local port before the destination,
/// channels outside their range, or a terminal that is not the destination. For functions of a user's own; those of
/// Starloom are tested.
FunctionEntry checked(FunctionEntry entry);

}  // namespace starloom::routing
