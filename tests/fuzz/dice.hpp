// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Random numbers of the fuzz tests: the same on every machine, unlike the distributions of the library.
#include <cstdint>
#include <random>
#include <vector>

namespace starloom {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : words_(seed) {}

  /// 0 .. below-1.
  std::size_t below(std::size_t below) { return static_cast<std::size_t>(words_() % below); }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(words_() % (static_cast<std::uint64_t>(high - low) + 1));
  }
  /// True once in `sides` throws.
  bool one_in(std::size_t sides) { return below(sides) == 0; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[below(all.size())];
  }

 private:
  std::mt19937_64 words_;
};

}  // namespace starloom
