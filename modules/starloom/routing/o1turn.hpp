// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file X first or y first, as each packet chooses, on meshes of rows and columns.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// A packet chooses x first or y first at random, and stays in the half of the channels that belongs to that order
/// (D. Seo, A. Ali, W.-T. Lim, N. Rafique and M. Thottethodi, "Near-Optimal Worst-Case Throughput Routing for
/// Two-Dimensional Mesh Networks", ISCA 2005).
FunctionEntry o1turn_entry();
/// The router of the source chooses the order when it routes the head: towards the out-port with fewer used places,
/// and if they have the same number, at random (`adaptive_xy_yx` of BookSim2).
FunctionEntry xy_yx_adaptive_entry();

}  // namespace starloom::routing
