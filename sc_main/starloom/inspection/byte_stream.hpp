// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Compact encoding of numbers, for the data of a page.
#include <cstdint>
#include <string>

namespace starloom {

/// Seven bits per byte, the lowest first; the eighth bit means that more bytes follow (LEB128).
class ByteStream {
 public:
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(0x80 | (value & 0x7f)));
    bytes_.push_back(static_cast<char>(value));
  }
  /// Small numbers of both signs take few bytes: 0, -1, 1, -2, ... are encoded as 0, 1, 2, 3, ...
  void difference(std::int64_t value) {
    number(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace starloom
