#pragma once
/// \file `probe-quitter` proves the clause on `Declaration::program_end`: the run ends there, with packets left.
#include "controllers/algorithm.hpp"

namespace starloom {

AlgorithmEntry probe_quitter_entry();

}  // namespace starloom
