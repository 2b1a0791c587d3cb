// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Routing by a user's table.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// A CSV file with the header `node,destination,port,channels`: packets for the processor `destination` leave `node`
/// through `port` (all three are numbers), over `channels`: numbers with spaces between, or `*`, all. Several rows of
/// a node and a destination, with different ports, are choices. At the destination no row is needed.
FunctionEntry table_entry();

}  // namespace starloom::routing
