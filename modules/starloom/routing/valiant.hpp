// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Valiant's two-phase routing on meshes, tori and flattened butterflies.
#include <memory>

#include <starloom/routing/combinators.hpp>
#include <starloom/routing/function_entry.hpp>
#include <starloom/topology/flattened_butterfly.hpp>

namespace starloom::routing {

/// A packet chooses a node at random, goes there in dimension order in the lower half of the channels, and from there
/// to its destination in the upper half (L. Valiant and G. Brebner, "Universal Schemes for Parallel Communication",
/// STOC 1981).
FunctionEntry valiant_entry();

/// Its two phases between the switches of a flattened butterfly, with these intermediate switches: a function for
/// `on_network`. \param butterfly outlives the function.
std::unique_ptr<RoutingFunction> butterfly_phases(const FlattenedButterfly& butterfly, ChannelRange channels,
                                                  Intermediate intermediate);

}  // namespace starloom::routing
