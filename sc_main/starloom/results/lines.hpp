// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Tables for people: a name, and what there is to say.
#include <fmt/format.h>

#include <string>

namespace starloom {

inline std::string line_text(const std::string& name, const std::string& text) {
  return fmt::format("  {:<13} {}", name, text);
}

}  // namespace starloom
