// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Randomized wormhole routing on the d-dimensional torus without buffers and virtual channels: worms enter
/// diagonals that slide through the network, so that they meet only as the timetable allows.
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry sliding_diagonals_entry();

}  // namespace starloom::links
