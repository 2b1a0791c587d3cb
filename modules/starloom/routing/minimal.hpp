// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file All shortest paths on a grid, as the adaptive part of other functions. Alone they may close cycles.
#include <memory>

#include <starloom/routing/channel_classes.hpp>
#include <starloom/routing/routing_function.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::routing {

/// The ports on shortest paths, one for each dimension in which the destination has another coordinate, in the order
/// of `Grid::route_axes`. Half way round a ring: the one in + direction.
/// \param grid outlives the function.
std::unique_ptr<RoutingFunction> minimal(const Grid& grid, ChannelRange channels);

}  // namespace starloom::routing
