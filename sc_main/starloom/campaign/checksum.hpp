// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Checksums of the rows of a store, against damage, not against forgery.
#include <cstdint>
#include <string_view>

namespace starloom {

/// FNV-1a of 64 bits over values, each with its length, so that a byte cannot move to its neighbour. A single changed
/// byte always changes the sum, because every step is invertible.
class Checksum {
 public:
  Checksum& add(std::int64_t number) {
    for (int shift = 0; shift < 64; shift += 8) byte(static_cast<unsigned char>(number >> shift));
    return *this;
  }
  Checksum& add(std::string_view text) {
    add(static_cast<std::int64_t>(text.size()));
    for (const char c : text) byte(static_cast<unsigned char>(c));
    return *this;
  }
  /// As SQLite stores it.
  std::int64_t value() const { return static_cast<std::int64_t>(sum_); }

 private:
  void byte(unsigned char value) { sum_ = (sum_ ^ value) * 0x100000001b3ULL; }

  std::uint64_t sum_ = 0xcbf29ce484222325ULL;
};

}  // namespace starloom
