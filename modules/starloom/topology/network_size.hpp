// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file How large a network would be.
#include <string>

namespace starloom {

/// The size that a network would have, computed before anything is allocated, for any number of nodes.
struct NetworkSize {
  double nodes = 0;
  double links = 0;       ///< or couplers
  std::string refusal{};  ///< the reason why a graph cannot number the nodes, a sentence; empty if it can
};

}  // namespace starloom
