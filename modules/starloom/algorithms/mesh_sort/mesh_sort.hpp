// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Sorting packets on a mesh by their destinations (S. Rajasekaran, R. Overholt, "Constant Queue Routing on a
/// Mesh", 1990, section 3): what their router does first, by itself.
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry mesh_sort_entry();

}  // namespace starloom::links
