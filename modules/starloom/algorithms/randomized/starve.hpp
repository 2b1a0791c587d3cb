// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The pattern that attacks `randomized`. Patterns see a POPS network as a mesh with a row for each group.
#include <cstdint>

#include <starloom/control/algorithm_pattern.hpp>

namespace starloom::patterns {

/// Against `randomized` on POPS(g,g) whose draws are known: those of `seed`. A permutation with a packet that comes
/// through in none of the first cycles, by the construction for tables of two hops (Mei and Rizzi, theorem II.12;
/// starved_permutation.hpp), whose last group is here the temporary group.
/// \throws InputError: no square mesh of two dimensions, or more than 64 groups.
Destinations starve(const Processors& processors, std::uint64_t seed);

AlgorithmPattern starve_pattern();

}  // namespace starloom::patterns
