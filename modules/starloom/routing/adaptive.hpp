// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Minimal adaptive routing with escape channels, on meshes and tori.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// Any channel except the escape channels on any shortest path; escape channels in dimension order: the first channel
/// of a mesh, the first two of a torus (J. Duato, "A New Theory of Deadlock-Free Adaptive Routing in Wormhole
/// Networks", IEEE Trans. Parallel and Distributed Systems 4(12), 1993).
FunctionEntry adaptive_entry();

}  // namespace starloom::routing
