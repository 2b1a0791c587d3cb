// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Minimal routing in dragonflies.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// To the router that has the global link to the destination's group, across it, and on to the destination. Local
/// links have two classes of channels, before the global link and in the group of the destination (J. Kim, W. Dally,
/// S. Scott and D. Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA 2008).
FunctionEntry dragonfly_minimal_entry();

}  // namespace starloom::routing
