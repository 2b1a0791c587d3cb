// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Index numbers in instance names, so that names sort.
#include <algorithm>
#include <cstdint>
#include <string>

namespace starloom {

/// `number` in decimal, padded with zeros to the width of the largest index below `count`, at least 2.
inline std::string padded(std::int64_t number, std::int64_t count) {
  const std::size_t width = std::max<std::size_t>(2, std::to_string(std::max<std::int64_t>(0, count - 1)).size());
  std::string digits = std::to_string(number);
  return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
}

/// The same for small sets, such as ports and levels: padded to the width of the largest index, even if that is one
/// digit.
inline std::string index_text(std::int64_t number, std::int64_t count) {
  return count <= 10 ? std::to_string(number) : padded(number, count);
}

}  // namespace starloom
