// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Negative-first on meshes.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// Towards smaller coordinates first, adaptively in all dimensions; then towards greater ones, on shortest paths (C.
/// Glass and L. Ni, "The Turn Model for Adaptive Routing", ISCA 1992).
FunctionEntry negative_first_entry();

}  // namespace starloom::routing
