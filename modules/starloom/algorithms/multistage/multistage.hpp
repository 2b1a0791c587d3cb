// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Multistage offline routing, replayed (Symvonis and Tidswell, TR 477).
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

/// `multistage`: packets leave when and where a plan says, and never stand on the way (scheme `any` with `residents`:
/// they stay in at most that many places a node). docs/algorithms/multistage.md
AlgorithmEntry multistage_entry();

}  // namespace starloom::links
