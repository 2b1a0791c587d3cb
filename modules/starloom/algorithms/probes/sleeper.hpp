// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `probe-sleeper` proves the clause on wake-ups: a node that asked for a step is run in it, at any distance, and
/// the time between costs nothing.
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry probe_sleeper_entry();

}  // namespace starloom::links
