// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Routing permutations of a mesh in 2n - 2 steps with short queues (S. Rajasekaran, R. Overholt, "Constant Queue
/// Routing on a Mesh", 1990, sections 5 and 6, repaired: docs/algorithms/constant-queue.md).
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry constant_queue_entry();

}  // namespace starloom::links
