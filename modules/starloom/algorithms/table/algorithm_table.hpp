// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The algorithms of Starloom: each of them is a line here. This file includes their folders; none of them
/// includes it.
#include <string>
#include <vector>

#include <starloom/control/algorithm_entry.hpp>

namespace starloom {

namespace links {
/// The entries of all algorithms of networks of links, in the order of `starloom list`.
const std::vector<AlgorithmEntry>& algorithm_table();
/// The entry of this name, or null.
const AlgorithmEntry* find_algorithm(const std::string& name);
}  // namespace links

namespace pops {
/// The entries of all algorithms of POPS networks, in the order of `starloom list`.
const std::vector<AlgorithmEntry>& algorithm_table();
}  // namespace pops

}  // namespace starloom
