// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Functions of grids on networks that contain a grid.
#include <memory>

#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// The grid of a mesh, torus or ring, or that of the switches of a concentrated mesh; null if the network has none.
const Grid* grid_in(const LinkNetwork& network);

/// A function of `grid_in(*context.network)`, or of the switches of a flattened butterfly, as a function of the
/// network. On networks with several processors at each switch it routes between the switches, and sees the ports to
/// processors as the local port.
std::unique_ptr<RoutingFunction> on_network(const FunctionContext& context, std::unique_ptr<RoutingFunction> of_nodes);

}  // namespace starloom::routing
