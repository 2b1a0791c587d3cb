// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file How large a network would be.
#include <string>

namespace starloom {

/// What a network would take, said before anything is allocated; no number of nodes is too great for it.
struct NetworkSize {
  double nodes = 0;
  double links = 0;       ///< or couplers
  std::string refusal{};  ///< why nobody could number so many, a sentence; empty: they can be numbered
};

}  // namespace starloom
