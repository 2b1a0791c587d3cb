// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `vc-wormhole`: the input-buffered router with virtual channels (docs/algorithms/vc-wormhole.md).
#include <starloom/control/links/algorithm.hpp>

namespace starloom::links {

/// \param parts null: those of Starloom.
AlgorithmEntry vc_wormhole_entry(std::shared_ptr<const RouterParts> parts = nullptr);

}  // namespace starloom::links
