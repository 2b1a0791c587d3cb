#pragma once
/// \file `probe-sleeper` proves the clause on wake-ups: a node that asked for a step is run in it, at any distance, and
/// the time between costs nothing.
#include "controllers/algorithm.hpp"

namespace starloom {

AlgorithmEntry probe_sleeper_entry();

}  // namespace starloom
