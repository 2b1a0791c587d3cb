// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The tree of the paths from a source to several destinations.
#include <starloom/core/multicast.hpp>
#include <starloom/routing/routing_function.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::routing {

/// The links that a routing function takes from the source of a group to its destinations, each of them once.
/// \param function with one choice, which depends on node and destination only, such as dimension order on a mesh: then
/// the paths are a tree.
MulticastTree multicast_tree(const NetworkGraph& graph, const RoutingFunction& function, MulticastGroup group);

}  // namespace starloom::routing
