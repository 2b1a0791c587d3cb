// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Valiant's two-phase routing on meshes, tori and flattened butterflies.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// A packet chooses a node at random, goes there in dimension order in the lower half of the channels, and from there
/// to its destination in the upper half (L. Valiant and G. Brebner, "Universal Schemes for Parallel Communication",
/// STOC 1981).
FunctionEntry valiant_entry();

}  // namespace starloom::routing
