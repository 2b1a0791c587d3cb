// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file O1TURN on meshes.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// A packet chooses x first or y first at random, and stays in the half of the channels that belongs to that order
/// (D. Seo, A. Ali, W.-T. Lim, N. Rafique and M. Thottethodi, "Near-Optimal Worst-Case Throughput Routing for
/// Two-Dimensional Mesh Networks", ISCA 2005).
FunctionEntry o1turn_entry();

}  // namespace starloom::routing
