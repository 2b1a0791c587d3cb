// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Shortest paths on any network.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// The fewest links, or the least sum of their latencies, depending on its key `weight`; of several ports that begin
/// such a path, the lowest. It does not prevent cyclic dependencies: the verdict of `check` depends on the network.
FunctionEntry shortest_entry();

}  // namespace starloom::routing
