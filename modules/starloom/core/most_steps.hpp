// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The greatest step number (docs/model.md, "Limits").
#include <starloom/core/ids.hpp>

namespace starloom {

/// Upper limit of steps and numbers of steps in files and options; sums of several of them do not overflow.
inline constexpr Step most_steps = 1'000'000'000'000'000'000;

}  // namespace starloom
