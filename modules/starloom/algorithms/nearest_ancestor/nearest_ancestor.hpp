// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Routing on a fat tree over the nearest common ancestor (docs/algorithms/nearest-ancestor.md).
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry nearest_ancestor_entry();

}  // namespace starloom::links
