// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The text of `check` about the couplers of a POPS network as optical parts.
#include <string>

#include <starloom/planning/pops/optics.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// Power budget, slots, the cost of each algorithm on this network, and the networks with the same number of
/// processors that the parts allow. Lines as `check` prints them.
std::string optics_text(const OpticalParts& parts, const Pops& pops);

}  // namespace starloom::pops
