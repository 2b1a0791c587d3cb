// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The pattern that attacks `randomized`. Patterns see a POPS network as a mesh with a row for each group.
#include <cstdint>

#include <starloom/control/algorithm_pattern.hpp>

namespace starloom::patterns {

/// Attacks `randomized` on POPS(g,g) with known random choices: those of `seed`. A permutation with a packet that
/// succeeds in none of the first cycles, by the construction for tables of two hops (Mei and Rizzi, theorem II.12;
/// starved_permutation.hpp), whose last group is the temporary group here.
/// \throws InputError: the network is not a square mesh of two dimensions, or it has more than 64 groups.
Destinations starve(const Processors& processors, std::uint64_t seed);

AlgorithmPattern starve_pattern();

}  // namespace starloom::patterns
