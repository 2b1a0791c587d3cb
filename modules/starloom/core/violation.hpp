// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A broken rule of the contract.
#include <string>

#include <starloom/core/ids.hpp>

namespace starloom {

/// A broken rule of the contract (docs/model.md): the run stops there.
struct Violation {
  Step step = no_step;
  NodeId node = no_node;
  std::string text;      ///< what happened there
  bool located = false;  ///< the text itself says when and where, as the referee's sentences do
};

/// The earlier of two is kept; within one step that of the lowest node, so that the evaluation order does not show.
inline void keep_first(Violation& kept, const Violation& found) {
  if (kept.step == no_step || found.step < kept.step || (found.step == kept.step && found.node < kept.node))
    kept = found;
}

}  // namespace starloom
