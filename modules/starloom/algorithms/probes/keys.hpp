// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `probe-keys` proves the clauses on control objects: keys cross links, carry header words, need not be stored
/// or passed on, wake their receiver, and leave packets untouched.
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry probe_keys_entry();

}  // namespace starloom::links
