// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The table of the algorithms of networks of links.
#include <string>
#include <vector>

#include <starloom/control/algorithm_entry.hpp>

namespace starloom::links {

/// The entries of all algorithms, ordered by name.
const std::vector<AlgorithmEntry>& algorithm_table();
/// The entry of this name, or null.
const AlgorithmEntry* find_algorithm(const std::string& name);

}  // namespace starloom::links
