// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Exact division by a constant divisor: one multiplication instead of a division.
#include <cstdint>

namespace starloom {

/// Lemire, Kaser, Kurz, "Faster remainder by direct computation" (2019): exact for all 32-bit numbers.
class Reciprocal {
 public:
  explicit Reciprocal(std::uint32_t divisor = 1)
      : divisor_(divisor), inverse_(divisor == 1 ? 0 : ~std::uint64_t{0} / divisor + 1) {}

  std::uint32_t divisor() const { return divisor_; }
  std::uint32_t quotient(std::uint32_t number) const {
    if (inverse_ == 0) return number;
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint32_t>(static_cast<Wide>(inverse_) * number >> 64);
  }
  std::uint32_t remainder(std::uint32_t number) const { return number - quotient(number) * divisor_; }

 private:
  std::uint32_t divisor_;
  std::uint64_t inverse_;  ///< ceil(2^64 / divisor), 0 for 1
};

}  // namespace starloom
