// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Multistage offline routing with a repair of late packets, replayed.
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

/// `multistage-plus`: the plan of `multistage` with scheme PS, shortened if it is longer than necessary.
/// docs/algorithms/multistage-plus.md
AlgorithmEntry multistage_plus_entry();

}  // namespace starloom::links
