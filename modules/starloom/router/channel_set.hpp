// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Sets of the channels of a node, as bit masks.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace starloom::router {

/// Instead of a number of words: a set of any numbers from 0 up.
inline constexpr int any_words = 0;
/// The words of the sets of a router with this capacity of channels, at most 64; 0: any.
inline constexpr int words_of(int capacity) { return capacity == 0 ? any_words : 1; }

/// The number of bits that are 1, without a call, which __builtin_popcountll is where the processor may lack such an
/// instruction. After H. Warren, "Hacker's Delight", section 5-1.
inline int count_bits(std::uint64_t word) {
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<int>(word * 0x0101010101010101 >> 56);
}

/// A set of the numbers of channels. \tparam words of 64 numbers each: 1, or `any_words`.
template <int words>
class ChannelSet;

/// A set of the numbers 0 .. 63, as cheap as a machine word: `ChannelSet<1> s{}` is empty, but `ChannelSet<1> s` is
/// uninitialised, so that large arrays of sets need no initialisation.
template <>
class ChannelSet<1> {
 public:
  static constexpr int capacity = 64;

  /// The numbers first .. first + count - 1, count at least 1.
  static ChannelSet range(int first, int count) {
    ChannelSet set{};
    set.word_ = ~std::uint64_t{0} >> (64 - count) << first;
    return set;
  }

  bool has(int i) const { return (word_ >> i & 1) != 0; }
  void add(int i) { word_ |= bit(i); }
  /// The same. \return true if it was not a member.
  bool insert(int i) {
    const std::uint64_t before = word_;
    word_ |= bit(i);
    return word_ != before;
  }
  /// Without a branch.
  void add_if(bool condition, int i) { word_ |= std::uint64_t{condition} << i; }
  /// Adds the members of `others` that are not in `but`.
  void add_all(ChannelSet others, ChannelSet but) { word_ |= others.word_ & ~but.word_; }
  void remove(int i) { word_ &= ~bit(i); }
  bool empty() const { return word_ == 0; }

  /// Number of members.
  int count() const { return count_bits(word_); }
  /// The lowest member of a set that is not empty.
  int first() const { return __builtin_ctzll(word_); }
  /// The first member in cyclic order after `i` of a set that is not empty; `i` itself comes last.
  int first_behind(int i) const {
    const std::uint64_t behind = word_ & ~std::uint64_t{1} << i;
    return __builtin_ctzll(behind != 0 ? behind : word_);
  }

  /// Calls `visit` for every member, in ascending order.
  template <class Visit>
  [[gnu::always_inline]] void for_each(Visit&& visit) const {
    for (std::uint64_t left = word_; left != 0; left &= left - 1) visit(__builtin_ctzll(left));
  }

  ChannelSet& operator|=(ChannelSet other) {
    word_ |= other.word_;
    return *this;
  }
  ChannelSet& operator&=(ChannelSet other) {
    word_ &= other.word_;
    return *this;
  }
  /// Without the members of `other`.
  ChannelSet& operator-=(ChannelSet other) {
    word_ &= ~other.word_;
    return *this;
  }
  friend ChannelSet operator|(ChannelSet a, ChannelSet b) { return a |= b; }
  friend ChannelSet operator&(ChannelSet a, ChannelSet b) { return a &= b; }
  friend ChannelSet operator-(ChannelSet a, ChannelSet b) { return a -= b; }
  friend bool operator==(ChannelSet a, ChannelSet b) { return a.word_ == b.word_; }
  friend bool operator!=(ChannelSet a, ChannelSet b) { return !(a == b); }

 private:
  static std::uint64_t bit(int i) { return std::uint64_t{1} << i; }

  std::uint64_t word_;
};

/// A set of any numbers from 0 up; an uninitialised one is empty. Numbers below 256 need no memory besides the set.
template <>
class ChannelSet<any_words> {
 public:
  /// The numbers first .. first + count - 1, count at least 1.
  static ChannelSet range(int first, int count) {
    const int end = first + count;
    ChannelSet set;
    set.make_room(end - 1);
    for (int w = first / 64; w <= (end - 1) / 64; ++w)
      set.word(w) = bits_below(end - 64 * w) & ~bits_below(first - 64 * w);
    return set;
  }

  bool has(int i) const { return i / 64 < words() && (word(i / 64) >> (i & 63) & 1) != 0; }
  void add(int i) {
    make_room(i);
    word(i / 64) |= std::uint64_t{1} << (i & 63);
  }
  bool insert(int i) {
    const bool is_new = !has(i);
    add(i);
    return is_new;
  }
  void add_if(bool condition, int i) {
    if (condition) add(i);
  }
  void add_all(const ChannelSet& others, const ChannelSet& but) {
    for (std::size_t w = 0; w < near_.size(); ++w) near_[w] |= others.near_[w] & ~but.near_[w];
    if (far_.size() < others.far_.size()) far_.resize(others.far_.size());
    const std::size_t common = std::min(others.far_.size(), but.far_.size());
    for (std::size_t w = 0; w < common; ++w) far_[w] |= others.far_[w] & ~but.far_[w];
    for (std::size_t w = common; w < others.far_.size(); ++w) far_[w] |= others.far_[w];
  }
  void remove(int i) {
    if (i / 64 < words()) word(i / 64) &= ~(std::uint64_t{1} << (i & 63));
  }
  bool empty() const {
    std::uint64_t any = 0;
    for (const std::uint64_t word : near_) any |= word;
    for (const std::uint64_t word : far_) any |= word;
    return any == 0;
  }
  int count() const {
    int sum = 0;
    for (const std::uint64_t word : near_) sum += count_bits(word);
    for (const std::uint64_t word : far_) sum += count_bits(word);
    return sum;
  }
  int first() const { return first_from(0); }
  int first_behind(int i) const {
    const int behind = first_from(i + 1);
    return behind >= 0 ? behind : first();
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    const auto visit_word = [&visit](std::uint64_t word, int first) {
      for (std::uint64_t left = word; left != 0; left &= left - 1) visit(first + __builtin_ctzll(left));
    };
    for (int w = 0; w < near_words; ++w) visit_word(near_[static_cast<std::size_t>(w)], 64 * w);
    for (std::size_t w = 0; w < far_.size(); ++w) visit_word(far_[w], 64 * (near_words + static_cast<int>(w)));
  }

  ChannelSet& operator|=(const ChannelSet& other) {
    for (std::size_t w = 0; w < near_.size(); ++w) near_[w] |= other.near_[w];
    if (far_.size() < other.far_.size()) far_.resize(other.far_.size());
    for (std::size_t w = 0; w < other.far_.size(); ++w) far_[w] |= other.far_[w];
    return *this;
  }
  ChannelSet& operator&=(const ChannelSet& other) {
    for (std::size_t w = 0; w < near_.size(); ++w) near_[w] &= other.near_[w];
    if (far_.size() > other.far_.size()) far_.resize(other.far_.size());
    for (std::size_t w = 0; w < far_.size(); ++w) far_[w] &= other.far_[w];
    return *this;
  }
  ChannelSet& operator-=(const ChannelSet& other) {
    for (std::size_t w = 0; w < near_.size(); ++w) near_[w] &= ~other.near_[w];
    const std::size_t common = std::min(far_.size(), other.far_.size());
    for (std::size_t w = 0; w < common; ++w) far_[w] &= ~other.far_[w];
    return *this;
  }
  friend ChannelSet operator|(ChannelSet a, const ChannelSet& b) { return a |= b; }
  friend ChannelSet operator&(ChannelSet a, const ChannelSet& b) { return a &= b; }
  friend ChannelSet operator-(ChannelSet a, const ChannelSet& b) { return a -= b; }
  friend bool operator==(const ChannelSet& a, const ChannelSet& b) { return (a - b).empty() && (b - a).empty(); }
  friend bool operator!=(const ChannelSet& a, const ChannelSet& b) { return !(a == b); }

 private:
  static constexpr int near_words = 4;

  int words() const { return near_words + static_cast<int>(far_.size()); }
  std::uint64_t& word(int w) {
    return w < near_words ? near_[static_cast<std::size_t>(w)] : far_[static_cast<std::size_t>(w - near_words)];
  }
  std::uint64_t word(int w) const { return const_cast<ChannelSet&>(*this).word(w); }
  void make_room(int i) {
    if (i / 64 >= words()) far_.resize(static_cast<std::size_t>(i / 64 + 1 - near_words));
  }
  /// The bits of the numbers 0 .. end-1 in a word.
  static std::uint64_t bits_below(int end) {
    if (end <= 0) return 0;
    return end >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << end) - 1;
  }
  /// The lowest member from `i` on; -1: none.
  int first_from(int i) const {
    int w = i / 64;
    if (w >= words()) return -1;
    if (const std::uint64_t left = word(w) & ~bits_below(i - 64 * w); left != 0) return 64 * w + __builtin_ctzll(left);
    for (++w; w < near_words; ++w)
      if (const std::uint64_t word = near_[static_cast<std::size_t>(w)]; word != 0)
        return 64 * w + __builtin_ctzll(word);
    for (; w < words(); ++w)
      if (const std::uint64_t word = far_[static_cast<std::size_t>(w - near_words)]; word != 0)
        return 64 * w + __builtin_ctzll(word);
    return -1;
  }

  std::array<std::uint64_t, static_cast<std::size_t>(near_words)> near_{};
  std::vector<std::uint64_t> far_;  ///< the words behind those, as far as needed
};

/// A set of port indices of a router whose sets of channels have this number of words.
template <int words>
using PortIndices = ChannelSet<words == any_words ? any_words : 1>;
/// The most ports of such a router; 0: any.
template <int words>
inline constexpr int most_ports = words == any_words ? 0
                                  : words == 1       ? 33
                                                     : 64;

}  // namespace starloom::router
