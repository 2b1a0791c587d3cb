// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Rows of tables for people: a name and a text.
#include <fmt/format.h>

#include <string>

namespace starloom {

inline std::string line_text(const std::string& name, const std::string& text) {
  return fmt::format("  {:<13} {}", name, text);
}

/// A metric of `bounds`: a theoretical bound, or a minimum. `queue at most 12`, `steps at least 23`.
inline std::string bound_text(const std::string& name, double value) {
  const std::string least = "least_";
  return name.rfind(least, 0) == 0 ? fmt::format("{} at least {:.15g}", name.substr(least.size()), value)
                                   : fmt::format("{} at most {:.15g} by theory", name, value);
}

}  // namespace starloom
