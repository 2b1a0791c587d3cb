// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Routing by sorted subsquares (M. Kunde, "Routing and Sorting on Mesh-Connected Arrays", 1988), as
/// S. Rajasekaran and R. Overholt, "Constant Queue Routing on a Mesh", 1990, sections 5.1 and 7, describe it.
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry kunde_entry();

}  // namespace starloom::links
