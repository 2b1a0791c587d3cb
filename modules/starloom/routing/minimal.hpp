// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file All shortest paths, as the adaptive part of other functions. Alone they may close cycles.
#include <memory>
#include <string>

#include <starloom/routing/channel_classes.hpp>
#include <starloom/routing/routing_function.hpp>
#include <starloom/topology/grid/grid.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::routing {

/// The ports on shortest paths, one for each dimension in which the destination has another coordinate, in the order
/// of `Grid::route_axes`. Half way round a ring: the one in + direction.
/// \param grid outlives the function.
std::unique_ptr<RoutingFunction> minimal(const Grid& grid, ChannelRange channels);

/// The ports on paths of the fewest links, in ascending order.
/// \param name of the function that needs it, for the refusal of a table that is too large.
/// \param graph with a link back for each link, so that no shortest path leads through a terminal.
/// \throws InputError if the table takes more than a gigabyte.
std::unique_ptr<RoutingFunction> minimal(const std::string& name, const NetworkGraph& graph, ChannelRange channels);

}  // namespace starloom::routing
