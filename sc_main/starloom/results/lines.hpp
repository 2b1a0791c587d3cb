// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Tables for people: a name, and what there is to say.
#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace starloom {

inline std::string line_text(const std::string& name, const std::string& text) {
  return fmt::format("  {:<13} {}", name, text);
}

/// `1 packet`, `2 packets`.
inline std::string counted(std::int64_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace starloom
