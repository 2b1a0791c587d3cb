// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Minimal adaptive routing whose escape channel is not left again, on meshes.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// Any channel except the first on any shortest path; the first channel of every port in dimension order. A packet that
/// has come over a first channel from another router stays in first channels up to its destination. This is `min_adapt`
/// of BookSim2 if heads request all choices (BuiltInSelection::all).
FunctionEntry min_adaptive_entry();

}  // namespace starloom::routing
