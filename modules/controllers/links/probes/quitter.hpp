#pragma once
/// \file `probe-quitter` proves the clause on `Declaration::program_end`: the run ends there, with packets left.
#include <starloom/controllers/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry probe_quitter_entry();

}  // namespace starloom::links
