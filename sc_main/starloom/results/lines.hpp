// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Tables for people: a name, and what there is to say.
#include <fmt/format.h>

#include <string>

namespace starloom {

inline std::string line_text(const std::string& name, const std::string& text) {
  return fmt::format("  {:<13} {}", name, text);
}

/// A figure of `bounds`: what theory promises, or asks for at least. `queue at most 12`, `steps at least 23`.
inline std::string bound_text(const std::string& name, double value) {
  const std::string least = "least_";
  return name.rfind(least, 0) == 0 ? fmt::format("{} at least {:.15g}", name.substr(least.size()), value)
                                   : fmt::format("{} at most {:.15g} by theory", name, value);
}

}  // namespace starloom
