// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The odd-even turn model on meshes.
#include <starloom/routing/function_entry.hpp>

namespace starloom::routing {

/// No packet turns from east to north or south in an even column, nor from north or south to west in an odd one;
/// shortest paths (G.-M. Chiu, "The Odd-Even Turn Model for Adaptive Routing", IEEE Trans. Parallel and Distributed
/// Systems 11(7), 2000: ROUTE). ROUTE lets a packet turn in the column of its source, even or odd; this is equivalent
/// to not having come from the west.
FunctionEntry odd_even_entry();

}  // namespace starloom::routing
