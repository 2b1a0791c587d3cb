// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Offline routing of permutations as a product of two lines, replayed (Annexstein and Baumslag, SPAA'90).
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

/// `product`: three phases, each a permutation of every row or column; packets stay only between phases.
/// docs/algorithms/multistage.md
AlgorithmEntry product_entry();

}  // namespace starloom::links
