// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file North-last on meshes.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// North only when nothing else is left; before, west, east and south as they come, on shortest ways (C. Glass and L.
/// Ni, "The Turn Model for Adaptive Routing", ISCA 1992).
FunctionEntry north_last_entry();

}  // namespace starloom::routing
