// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Sorting packets on a mesh by their destinations (S. Rajasekaran, R. Overholt, "Constant Queue Routing on a
/// Mesh", 1990, section 3): the first part of their router, as an algorithm of its own.
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry mesh_sort_entry();

}  // namespace starloom::links
