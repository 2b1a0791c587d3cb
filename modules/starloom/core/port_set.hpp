// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Sets of the ports of a node.
#include <cstddef>

#include <starloom/core/ids.hpp>

namespace starloom {

/// A set of in-ports or of out-ports, as a view of words of `PortMask`: bit b of word w is port
/// w * ports_per_word + b. A range-based loop visits the ports in ascending order.
class PortSet {
 public:
  class Iterator {
   public:
    Iterator(const PortMask* word, const PortMask* end) : word_(word), end_(end) {
      if (word_ != end_) left_ = *word_;
      skip_empty();
    }
    Port operator*() const { return first_ + lowest_port(left_); }
    Iterator& operator++() {
      left_ &= left_ - 1;
      skip_empty();
      return *this;
    }
    /// Compares with the end of the set only.
    bool operator!=(const Iterator& /*end*/) const { return left_ != 0; }

   private:
    void skip_empty() {
      while (left_ == 0 && word_ != end_) {
        if (++word_ == end_) return;
        first_ += ports_per_word;
        left_ = *word_;
      }
    }

    const PortMask* word_;
    const PortMask* end_;
    PortMask left_ = 0;
    Port first_ = 0;  ///< port of bit 0
  };

  /// \param words outlive the view.
  PortSet(const PortMask* words, std::size_t count) : words_(words), count_(count) {}

  Iterator begin() const { return {words_, words_ + count_}; }
  Iterator end() const { return {words_ + count_, words_ + count_}; }
  bool empty() const { return !(begin() != end()); }
  int size() const {
    int sum = 0;
    for (std::size_t w = 0; w < count_; ++w) sum += __builtin_popcount(words_[w]);
    return sum;
  }
  /// Members with lower numbers than this port, which need not be a member.
  int size_below(Port port) const {
    const std::size_t w = word_of(port);
    if (w >= count_) return size();
    return PortSet(words_, w).size() + __builtin_popcount(words_[w] & (bit_of(port) - 1));
  }
  /// False also for a number that no port has.
  bool has(Port port) const {
    const std::size_t w = word_of(port);
    return port >= 0 && w < count_ && (words_[w] >> (port % ports_per_word) & 1) != 0;
  }
  /// The lowest port of a set that is not empty.
  Port lowest() const { return *begin(); }

  static std::size_t word_of(Port port) { return static_cast<std::size_t>(port) / ports_per_word; }
  static PortMask bit_of(Port port) { return PortMask{1} << (port % ports_per_word); }
  /// Words of the ports 0 .. ports - 1, at least one.
  static std::size_t words_for(int ports) { return ports == 0 ? 1 : word_of(ports - 1) + 1; }

 private:
  const PortMask* words_;
  std::size_t count_;
};

}  // namespace starloom
