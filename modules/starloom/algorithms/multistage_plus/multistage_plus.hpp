// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Multistage offline routing with a second look at late packets, replayed.
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

/// `multistage-plus`: the plan of `multistage` with scheme PS, made shorter where it is longer than it need be.
/// docs/algorithms/multistage-plus.md
AlgorithmEntry multistage_plus_entry();

}  // namespace starloom::links
