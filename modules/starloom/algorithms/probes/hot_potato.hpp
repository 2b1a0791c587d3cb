// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `probe-hot-potato` proves the clauses on worms that never stand: each flit crosses a link in every step, flit
/// j follows the head j steps behind, a worm may cross its own source and destination, and need never arrive
/// (livelock). Worms circle a ring in + direction.
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry probe_hot_potato_entry();

}  // namespace starloom::links
