// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Numbers in sentences.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

namespace starloom {

/// `1 packet`, `2 packets`, `2 classes`, `2 dependencies`, `2 leaves`.
inline std::string counted(std::int64_t count, const std::string& what) {
  if (count == 1) return "1 " + what;
  std::string plural = what + "s";
  if (what.back() == 'y') plural = what.substr(0, what.size() - 1) + "ies";
  if (what.back() == 'f') plural = what.substr(0, what.size() - 1) + "ves";
  if (what.back() == 's') plural = what + "es";
  return std::to_string(count) + " " + plural;
}

/// The least integer that is not below a product or quotient, which may be inexact in its last digits.
inline double rounded_up(double value) { return std::ceil(value - 1e-9 * std::max(1.0, value)); }

/// A finite number rounded to `digits` significant digits, without an exponent: `0.05`, `12.5`. Numbers with more
/// digits before the point keep all of them: `150000`.
inline std::string decimal(double value, int digits = 4) {
  if (value == 0) return "0";
  const int places = std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
  std::string text(static_cast<std::size_t>(std::snprintf(nullptr, 0, "%.*f", places, value)), ' ');
  std::snprintf(text.data(), text.size() + 1, "%.*f", places, value);
  if (places == 0) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace starloom
