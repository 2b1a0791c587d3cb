// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Several simulations in one test binary.
#include <systemc>
#include <vector>

namespace starloom {

/// SystemC elaborates once a context, so each network of a test begins with a new one. Old ones are never deleted:
/// statics of the library live in the first, and networks that still exist in theirs.
inline void fresh_context() {
  // Not destroyed either, so that leak detection finds the contexts at the end.
  static auto& kept = *new std::vector<sc_core::sc_simcontext*>{sc_core::sc_get_curr_simcontext()};
  kept.push_back(new sc_core::sc_simcontext);
  sc_core::sc_curr_simcontext = kept.back();
  sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
}

}  // namespace starloom
