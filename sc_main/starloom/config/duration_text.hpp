// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Times in words.
#include <string>

namespace starloom {

/// `3 s`, `4 min 10 s`, `2 h 5 min`.
std::string duration_text(double seconds);

}  // namespace starloom
