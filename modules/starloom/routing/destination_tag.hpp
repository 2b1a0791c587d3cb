// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Destination tags in butterflies.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// In every stage, the digit of the destination that belongs to the stage is the out-port: there is no other path (D.
/// Lawrie, "Access and Alignment of Data in an Array Processor", IEEE Trans. Computers C-24(12), 1975).
FunctionEntry destination_tag_entry();

}  // namespace starloom::routing
