// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A broken rule of the contract.
#include <string>

#include <starloom/core/ids.hpp>

namespace starloom {

/// A broken rule of the contract (docs/model.md): the run stops at it.
struct Violation {
  Step step = no_step;
  NodeId node = no_node;
  std::string text;      ///< the rule and what broke it
  bool located = false;  ///< the text names step and node itself, as sentences of the referee do
};

/// Keeps the earlier of two violations; in one step that of the lower node, so that the result does not depend on the
/// evaluation order.
inline void keep_first(Violation& kept, const Violation& found) {
  if (kept.step == no_step || found.step < kept.step || (found.step == kept.step && found.node < kept.node))
    kept = found;
}

}  // namespace starloom
