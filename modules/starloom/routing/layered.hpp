// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Shortest paths in layers of virtual channels.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// The paths of `shortest`. The pairs are divided into layers whose paths leave no cycle of links (`Layering`), and a
/// packet stays in the channels of the layer of its pair: of L layers, channel c belongs to layer c mod L.
FunctionEntry layered_entry();

}  // namespace starloom::routing
