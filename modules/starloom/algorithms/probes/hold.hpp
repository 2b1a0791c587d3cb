// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `probe-hold` proves the clauses on worms that hold: a held worm stands with all its flits, and is released as
/// a whole in one step; its registers may be used again only when they are empty. Dimension order. It completes on
/// every mesh; on a torus its rings can deadlock, and then nothing is pending.
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry probe_hold_entry();

}  // namespace starloom::links
