// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Greedy dimension-order routing, store-and-forward (Rajasekaran and Overholt 1990, section 2: "greedy
/// algorithm"; the queue disciplines are its Q and Q').
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry greedy_entry(std::shared_ptr<const RouterParts> parts);

}  // namespace starloom::links
