// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The table of the algorithms of POPS networks.
#include <vector>

#include <starloom/control/algorithm_entry.hpp>

namespace starloom::pops {

/// The entries of all algorithms, ordered by name.
const std::vector<AlgorithmEntry>& algorithm_table();

}  // namespace starloom::pops
