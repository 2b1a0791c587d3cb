// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The sets of numbers that arbiters and allocators work on.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace starloom {

/// Words of 64 bits for this many numbers.
inline int words_for(int numbers) { return (numbers + 63) / 64; }

/// A set of the numbers 0 to n - 1.
class NumberSet {
 public:
  explicit NumberSet(int n) : words_(static_cast<std::size_t>(words_for(n))) {}

  const std::uint64_t* data() const { return words_.data(); }
  int words() const { return static_cast<int>(words_.size()); }
  void clear() {
    if (words_.size() == 1) words_[0] = 0;  // without a call
    else std::fill(words_.begin(), words_.end(), 0);
  }
  bool has(int number) const { return (words_[static_cast<std::size_t>(number / 64)] >> number % 64 & 1) != 0; }
  /// \return true if it was not a member.
  bool add(int number) {
    std::uint64_t& word = words_[static_cast<std::size_t>(number / 64)];
    const std::uint64_t bit = std::uint64_t{1} << number % 64, before = word;
    word |= bit;
    return word != before;
  }
  /// Calls `visit` for every member, in ascending order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
        visit(static_cast<int>(64 * w) + __builtin_ctzll(left));
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace starloom
