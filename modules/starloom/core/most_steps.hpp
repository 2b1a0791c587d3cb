// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The end of time (docs/model.md, "Limits").
#include <starloom/core/ids.hpp>

namespace starloom {

/// No file and no option names a later step or more of them, so that a few can be added up.
inline constexpr Step most_steps = 1'000'000'000'000'000'000;

}  // namespace starloom
