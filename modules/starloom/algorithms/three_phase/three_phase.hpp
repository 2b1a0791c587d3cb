// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Routing through a random row (L. G. Valiant, G. J. Brebner, "Universal Schemes for Parallel Communication",
/// STOC 1981; reference 10 of Rajasekaran and Overholt 1990).
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry three_phase_entry();

}  // namespace starloom::links
