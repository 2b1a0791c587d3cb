// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The mark of a node that is to run in a step.
#include <cstdint>

namespace starloom {

/// A byte, but not a character, which compilers take to lie anywhere.
enum class WakeFlag : std::uint8_t { no, yes };

}  // namespace starloom
