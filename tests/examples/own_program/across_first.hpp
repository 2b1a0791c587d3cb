// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file An algorithm of one's own, for spidergons.
#include <starloom/control/links/algorithm.hpp>

namespace own {

/// A packet that has far to go along the ring crosses it first; then it goes along the ring, the shorter way round
/// (as in Bononi and Concer 2006, "Simulation and analysis of network on chip architectures: ring, spidergon and 2D
/// mesh"). Store-and-forward with a queue for every link, so nobody waits for room and no deadlock can be.
starloom::AlgorithmEntry across_first_entry();

}  // namespace own
