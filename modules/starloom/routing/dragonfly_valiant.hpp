// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Valiant's routing in dragonflies.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// A packet chooses a group at random and goes there first, unless it is in the destination's group. Local links have
/// three classes of channels, for the group of the source, the intermediate group and that of the destination; global
/// links have two, for the first and the second (J. Kim, W. Dally, S. Scott and D. Abts, "Technology-Driven,
/// Highly-Scalable Dragonfly Topology", ISCA 2008).
FunctionEntry dragonfly_valiant_entry();

}  // namespace starloom::routing
