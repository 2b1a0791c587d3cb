// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Randomised minimal routing in two phases, on meshes.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// A packet chooses a node at random in the smallest submesh with its source and destination, goes there in dimension
/// order in the lower half of the channels, and from there to its destination in the upper half: on a shortest path (T.
/// Nesson and S. L. Johnsson, "ROMM Routing on Mesh and Torus Networks", SPAA 1995). The nodes of the submesh are
/// numbered from the one of the least coordinates on, those of a row first.
FunctionEntry romm_entry();

}  // namespace starloom::routing
