// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A user's algorithm, for spidergons.
#include <starloom/control/links/algorithm.hpp>

namespace own {

/// A packet with a long path along the ring crosses it first; then it moves along the ring, in the shorter direction
/// (as in Bononi and Concer 2006, "Simulation and analysis of network on chip architectures: ring, spidergon and 2D
/// mesh"). Store-and-forward with an unlimited queue for every link, so no deadlock is possible.
starloom::AlgorithmEntry across_first_entry();

}  // namespace own
