// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Dimension order on meshes, tori and hypercubes.
#include <memory>

#include <starloom/routing/channel_classes.hpp>
#include <starloom/routing/function_entry.hpp>
#include <starloom/routing/ring_tie_break.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::routing {

/// What keeps the rings of a torus from closing.
enum class Datelines {
  none,
  /// Two classes of channels: class 0 below ceil(V/2), class 1 above. Chosen when a packet enters a dimension in
  /// these channels, and kept while it stays there: class 1 if its coordinate is greater than that of its
  /// destination. Towards greater coordinates, those packets wrap; towards smaller ones, the others do. The ways of
  /// either class leave a link of the ring out, so that none closes it. (W. Dally, C. Seitz, IEEE Trans. Computers
  /// C-36(5), 1987, give the idea of classes.)
  classes,
};

struct DimensionOrderOptions {
  bool last_first = false;                          ///< the last dimension first: y before x
  Datelines datelines = Datelines::classes;         ///< tori only
  ChannelRange channels{};                          ///< of every port; one alone is divided into no classes
  RingTieBreak tie_break = RingTieBreak::positive;  ///< tori only
};

/// One dimension after the other, each the shorter way round; at the destination, the local port. With random ties
/// each packet draws a bit for every dimension.
/// \param grid outlives the function.
std::unique_ptr<RoutingFunction> dimension_order(const Grid& grid, const DimensionOrderOptions& options);

/// Channels that dimension order needs: 2 on a torus, for datelines.
int dimension_order_channels(const Grid& grid);

FunctionEntry dimension_order_entry();
FunctionEntry dimension_order_plain_entry();
FunctionEntry yx_entry();

}  // namespace starloom::routing
