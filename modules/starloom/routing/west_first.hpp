// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file West-first on meshes.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// West first, if the destination is in the west; then adaptively east, north and south, on shortest paths (C. Glass
/// and L. Ni, "The Turn Model for Adaptive Routing", ISCA 1992).
FunctionEntry west_first_entry();

}  // namespace starloom::routing
