// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Shortest ways on any network.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// The fewest links; of several ports that begin such a way, the lowest. Nothing keeps circles from closing: what `check`
/// says of it depends on the network.
FunctionEntry shortest_entry();

}  // namespace starloom::routing
