// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file North-last on meshes.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// North only when no other direction remains; before that adaptively west, east and south, on shortest paths (C.
/// Glass and L. Ni, "The Turn Model for Adaptive Routing", ISCA 1992).
FunctionEntry north_last_entry();

}  // namespace starloom::routing
