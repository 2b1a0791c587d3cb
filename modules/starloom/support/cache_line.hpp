// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The alignment that keeps the data of two threads in different cache lines.
#include <cstddef>

namespace starloom {

inline constexpr std::size_t cache_line = 64;  ///< bytes

}  // namespace starloom
