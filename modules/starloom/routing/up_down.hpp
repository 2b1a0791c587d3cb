// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Up*/down* routing on any network with a link back for each link.
#include <starloom/routing/function_entry.hpp>
#include <starloom/routing/next_hops.hpp>

namespace starloom::routing {

/// A link leads up if it ends nearer to a root than it begins, or equally near in a node of a lower number; all links
/// from hosts and terminals to other nodes lead up. Packets
/// go up first, then down, and never up again: on the shortest such path, and of several ports that begin one, the
/// lowest (M. Schroeder et al., "Autonet: A High-Speed, Self-Configuring Local Area Network Using Point-to-Point
/// Links", IEEE J. Selected Areas in Communications 9(8), 1991). With spread, on any of the shortest ones.
///
/// With faults, over the links that are alive in both directions; a part of the network without one of the roots gets
/// one of its own.
///
/// If no root is given, the roots are those of the network (`LinkNetwork::roots`). If it has none, the root is the node
/// with the least distance to the farthest node; of several the one with the most links, then the lowest. A host is not
/// a root, and each part of a network that only hosts join to others has its own.
FunctionEntry up_down_entry();
/// \param keys with one root or several, or without. \throws InputError for a root that is not a node, is a host or is
/// dead, and a link without one back.
std::unique_ptr<RoutingFunction> up_down(const FunctionContext& context, const KeyValues& keys, ChannelRange channels,
                                         NextHops::Kept kept = NextHops::Kept::lowest);
/// The key of the roots.
KeySpec root_key();
/// The network of the cables that are alive in both directions. \throws ConfigError: a link has none back; the text
/// names `function`.
NetworkGraph cables_alive(const FunctionContext& context, const std::string& function);
/// The roots of `keys`, or those of the network, or chosen ones; with faults, one in each part of `left`.
/// \throws ConfigError: one is not a node, is a host, or is dead.
std::vector<NodeId> roots_of(const FunctionContext& context, const KeyValues& keys, const NetworkGraph& left);

/// The roots of a network without roots of its own: one, or one for each part that only hosts join; none if all nodes
/// are hosts.
std::vector<NodeId> chosen_roots(const NetworkGraph& graph);

}  // namespace starloom::routing
