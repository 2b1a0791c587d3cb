// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Shortest paths on any network.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// The fewest links, or the least sum of their latencies, as its key `weight` says; of several ports that begin such a
/// path, the lowest. Nothing keeps circles from closing: the verdict of `check` depends on the network.
FunctionEntry shortest_entry();

}  // namespace starloom::routing
