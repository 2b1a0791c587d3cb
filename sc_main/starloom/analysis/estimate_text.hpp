// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Estimates in words.
#include <fmt/format.h>

#include <starloom/config/duration_text.hpp>
#include <string>

namespace starloom {

inline std::string memory_text(double bytes) { return fmt::format("about {:.0f} MB", bytes / 1e6); }
inline std::string seconds_text(double seconds) {
  return seconds < 1 ? "below a second" : "about " + duration_text(seconds);
}

}  // namespace starloom
