// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A routing function as a row of a table: its name, the networks that it supports, and the function that makes
/// it.
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
#include <starloom/topology/faults.hpp>
#include <starloom/topology/network_keys.hpp>

namespace starloom::routing {

/// The network, channels and files for which a routing function is made.
struct FunctionContext {
  const LinkNetwork* network = nullptr;  ///< outlives the function
  int first_channel = 0;
  int channels = 1;                ///< of every port, from the first on: as many as it needs, or more
  std::filesystem::path folder{};  ///< paths in keys are relative to it
  /// True if packets are stored and forwarded: terminals (NetworkGraph::is_terminal) forward them, and all packets come
  /// in through channel 0. With virtual channels, terminals have no router.
  bool through_terminals = false;
  std::uint64_t seed = 1;  ///< of the run
  /// Dead hardware of the network; it outlives the function. Null: all of it is alive.
  const Faults* faults = nullptr;

  const NetworkGraph& graph() const { return network->graph; }
  ChannelRange all_channels() const { return {first_channel, channels}; }
};

/// The requirements of a routing function on networks that offer a capability.
struct Service {
  std::string capability;
  int channels = 1;          ///< virtual channels that it needs on these networks
  std::string purpose = "";  ///< of these channels, if it needs several: `datelines`
  /// Channels that it needs if no side of the grid is above 3: a packet crosses at most one link of a ring there, so
  /// that a ring closes no cycle. 0: the same number.
  int channels_of_short_rings = 0;
  std::string advice{};  ///< appended to the refusal of too few channels

  /// \param sides of the grid; empty if there is none.
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
  std::vector<Service> serves;    ///< the first one that a network offers applies
  bool rows_and_columns = false;  ///< of the meshes, it supports only those of two dimensions
  /// The next port depends only on node, in-port and destination: store-and-forward algorithms can follow it. Unless
  /// packets are spread over equal paths (`spread`).
  bool fixed = false;
  bool by_in_port = false;  ///< if `fixed`: the next port depends on the in-port
  /// `make` makes the function for what the faults leave. Else it makes that of the whole network, of which `made`
  /// leaves out what leads to no destination.
  bool knows_faults = false;
  /// Keys below `routing:` of the algorithms that follow it. Functions may share a key that is the same in every
  /// respect.
  std::vector<KeySpec> keys{};
  /// Refuses networks and keys that the function does not support, before anything is made; `make` refuses them as
  /// well. Null: `serves` and `keys` are sufficient. \throws InputError
  std::function<void(const NetworkKeys& network, const KeyValues& keys)> refuse{};
  /// \param keys its own and others; keys that are not given may be missing.
  /// \throws InputError for networks and files that it does not support.
  std::function<std::unique_ptr<RoutingFunction>(const FunctionContext& context, const KeyValues& keys)> make;

  /// The function for what the faults of the context leave, if it has any. \throws InputError as `make`
  std::unique_ptr<RoutingFunction> made(const FunctionContext& context, const KeyValues& keys) const;

  /// Its requirements on networks that offer these capabilities; null if it does not support them.
  const Service* service(const Capabilities& offers) const;
};

/// The same entry with checks: its functions throw a ContractError, with the name of the entry, as soon as they offer
/// a head something that routers cannot accept: no choice, a port without a link, the local port before the
/// destination, channels outside their range, or a terminal that is not the destination. For user-defined functions;
/// those of Starloom are tested.
FunctionEntry checked(FunctionEntry entry);

}  // namespace starloom::routing
