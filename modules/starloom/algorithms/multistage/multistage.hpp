// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Multistage offline routing, replayed (Symvonis and Tidswell, TR 477).
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

/// `multistage`: packets follow a plan, and never wait on their path (scheme `any` with `residents`: at most this
/// number may wait in a node). docs/algorithms/multistage.md
AlgorithmEntry multistage_entry();

}  // namespace starloom::links
