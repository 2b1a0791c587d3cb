// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Dimension order on meshes, tori, express meshes, hypercubes and flattened butterflies.
#include <memory>

#include <starloom/routing/channel_classes.hpp>
#include <starloom/routing/function_entry.hpp>
#include <starloom/routing/ring_tie_break.hpp>
#include <starloom/topology/flattened_butterfly.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::routing {

/// Protection of the rings of a torus against cyclic dependencies.
enum class Datelines {
  none,
  /// Two classes of channels: class 0 below ceil(V/2), class 1 from there on. Chosen when a packet enters a dimension
  /// in these channels, and kept while it stays there: class 1 if its coordinate is greater than that of its
  /// destination. Towards greater coordinates, those packets wrap; towards smaller ones, the others do. The paths of
  /// either class never use one link of the ring, so that neither closes a cycle. (W. Dally, C. Seitz, IEEE Trans.
  /// Computers C-36(5), 1987, introduce classes.)
  classes,
};

struct DimensionOrderOptions {
  bool last_first = false;                          ///< the last dimension first: y before x
  Datelines datelines = Datelines::classes;         ///< tori only
  ChannelRange channels{};                          ///< of every port; a single channel is not divided into classes
  RingTieBreak tie_break = RingTieBreak::positive;  ///< tori only
};

/// One dimension after the other, each in the shorter direction; at the destination, the local port. With random tie
/// breaks each packet makes a random choice for every dimension.
/// \param grid outlives the function.
std::unique_ptr<RoutingFunction> dimension_order(const Grid& grid, const DimensionOrderOptions& options);
/// The same between the switches of a flattened butterfly, whose numbers are the nodes of this function; its local port
/// has the number after the ports to other switches. `on_network` makes a function of the network of it.
/// \param butterfly outlives the function.
std::unique_ptr<RoutingFunction> dimension_order(const FlattenedButterfly& butterfly, ChannelRange channels);

/// Channels that dimension order needs: 2 on a torus, for datelines.
int dimension_order_channels(const Grid& grid);

FunctionEntry dimension_order_entry();
FunctionEntry dimension_order_plain_entry();
FunctionEntry yx_entry();

}  // namespace starloom::routing
