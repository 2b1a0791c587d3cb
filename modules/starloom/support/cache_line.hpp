// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What two threads that write at the same time had better not share.
#include <cstddef>

namespace starloom {

inline constexpr std::size_t cache_line = 64;  ///< bytes

}  // namespace starloom
