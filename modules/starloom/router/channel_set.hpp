// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Sets of the channels of a node, as bit masks.
#include <array>
#include <cstddef>
#include <cstdint>

namespace starloom::router {

/// The first bit of a word in cyclic order after bit `i`; the word is not 0.
inline int bit_behind(std::uint64_t word, int i) {
  const std::uint64_t behind = word & ~std::uint64_t{1} << i;
  return __builtin_ctzll(behind != 0 ? behind : word);
}

/// A set of the numbers 0 .. 64*words-1. With one word it is as cheap as a machine word: `ChannelSet<1> s{}` is
/// empty, but `ChannelSet<1> s` is uninitialised, so that large arrays of sets need no initialisation.
template <int words>
class ChannelSet {
 public:
  static constexpr int capacity = 64 * words;

  /// The numbers first .. first + count - 1, count at least 1.
  static ChannelSet range(int first, int count) {
    ChannelSet set{};
    if constexpr (words == 1) {
      set.word_[0] = ~std::uint64_t{0} >> (64 - count) << first;
      return set;
    }
    for (int w = 0; w < words; ++w) {
      const int from = first - 64 * w, to = from + count;
      if (to <= 0 || from >= 64) continue;
      set.word_[w] = below(to) & ~below(from);
    }
    return set;
  }

  bool has(int i) const { return (word_[at(i)] >> (i & 63) & 1) != 0; }
  void add(int i) { word_[at(i)] |= bit(i); }
  /// Without a branch.
  void add_if(bool condition, int i) { word_[at(i)] |= std::uint64_t{condition} << (i & 63); }
  void remove(int i) { word_[at(i)] &= ~bit(i); }
  bool empty() const {
    std::uint64_t any = 0;
    for (const std::uint64_t word : word_) any |= word;
    return any == 0;
  }

  /// Number of members.
  int count() const {
    int sum = 0;
    for (const std::uint64_t word : word_) sum += __builtin_popcountll(word);
    return sum;
  }

  /// The lowest member of a set that is not empty.
  int first() const {
    int w = 0;
    while (w + 1 < words && word_[w] == 0) ++w;
    return 64 * w + __builtin_ctzll(word_[w]);
  }
  /// The first member in cyclic order after `i` (0 <= i < capacity) of a set that is not empty; `i` itself comes
  /// last.
  int first_behind(int i) const {
    if constexpr (words == 1) return bit_behind(word_[0], i);
    const ChannelSet behind = i + 1 < capacity ? *this & range(i + 1, capacity - i - 1) : ChannelSet{};
    return (behind.empty() ? *this : behind).first();
  }

  /// Calls `visit` for every member, in ascending order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (int w = 0; w < words; ++w)
      for (std::uint64_t left = word_[w]; left != 0; left &= left - 1) visit(64 * w + __builtin_ctzll(left));
  }

  ChannelSet& operator|=(const ChannelSet& other) {
    for (int w = 0; w < words; ++w) word_[w] |= other.word_[w];
    return *this;
  }
  ChannelSet& operator&=(const ChannelSet& other) {
    for (int w = 0; w < words; ++w) word_[w] &= other.word_[w];
    return *this;
  }
  /// Without the members of `other`.
  ChannelSet& operator-=(const ChannelSet& other) {
    for (int w = 0; w < words; ++w) word_[w] &= ~other.word_[w];
    return *this;
  }
  friend ChannelSet operator|(ChannelSet a, const ChannelSet& b) { return a |= b; }
  friend ChannelSet operator&(ChannelSet a, const ChannelSet& b) { return a &= b; }
  friend ChannelSet operator-(ChannelSet a, const ChannelSet& b) { return a -= b; }
  friend bool operator==(const ChannelSet& a, const ChannelSet& b) { return a.word_ == b.word_; }
  friend bool operator!=(const ChannelSet& a, const ChannelSet& b) { return !(a == b); }

 private:
  static std::size_t at(int i) { return words == 1 ? 0 : static_cast<std::size_t>(i) >> 6; }
  static std::uint64_t bit(int i) { return std::uint64_t{1} << (i & 63); }
  /// The numbers below `end`, limited to a word.
  static std::uint64_t below(int end) {
    if (end <= 0) return 0;
    return end >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << end) - 1;
  }

  std::array<std::uint64_t, words> word_;
};

}  // namespace starloom::router
