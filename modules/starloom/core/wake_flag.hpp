// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The flag of a node that runs in a step.
#include <cstdint>

namespace starloom {

/// One byte, but not a character type: compilers assume that a pointer to one may alias any object.
enum class WakeFlag : std::uint8_t { no, yes };

}  // namespace starloom
