// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Shortest paths of allowed turns, detours included.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// Packets take a shortest one of the paths on which all turns are allowed; of several ports that begin one, the
/// lowest. No packet turns back to the node that it came from. Pairs without such a path are `without_path`. The turns
/// are those of a turn model of meshes, whose minimal paths may all be cut (C. Glass and L. Ni, "The Turn Model for
/// Adaptive Routing", ISCA 1992; G. Chiu, "The Odd-Even Turn Model for Adaptive Routing", IEEE Trans. Parallel and
/// Distributed Systems 11(7), 2000), or those of `Segments`, which leave no pair of a part without a path. Either way
/// no cycle of links is possible.
FunctionEntry legal_ways_entry();

}  // namespace starloom::routing
