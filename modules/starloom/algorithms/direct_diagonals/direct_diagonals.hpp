// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The baseline of sliding diagonals: the same diagonals, but no blocks, rounds and reservoirs. A worm circles
/// in its ring until the link that it requests is free.
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry direct_diagonals_entry();

}  // namespace starloom::links
