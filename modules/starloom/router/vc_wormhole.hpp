// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `vc-wormhole`: the input-buffered router with virtual channels (docs/algorithms/vc-wormhole.md).
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

AlgorithmEntry vc_wormhole_entry(std::shared_ptr<const RouterParts> parts);

}  // namespace starloom::links
