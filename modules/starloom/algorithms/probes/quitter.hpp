// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `probe-quitter` proves the clause on the end of a program: the run ends there, with packets left.
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry probe_quitter_entry();

}  // namespace starloom::links
