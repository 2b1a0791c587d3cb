// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Exact counts of integers, with memory for the different values only.
#include <cstdint>
#include <map>
#include <vector>

namespace starloom {

class Histogram {
  __extension__ using Sum = unsigned __int128;

 public:
  /// Counts one more occurrence of `value`, which is at least 0.
  void add(std::int64_t value) {
    ++count_;
    sum_ += static_cast<Sum>(value);
    if (value >= dense) {
      ++sparse_[value];
      return;
    }
    const auto at = static_cast<std::size_t>(value);
    if (at >= dense_.size()) dense_.resize(at + 1);
    ++dense_[at];
  }

  std::int64_t count() const { return count_; }
  bool empty() const { return count_ == 0; }
  /// The nearest double to the sum, which is exact and cannot overflow.
  double sum() const { return static_cast<double>(sum_); }
  double mean() const { return sum() / static_cast<double>(count_); }

  /// Calls `visit(value, times)` for all values that have occurred, ascending.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t value = 0; value < dense_.size(); ++value)
      if (dense_[value] > 0) visit(static_cast<std::int64_t>(value), dense_[value]);
    for (const auto& [value, times] : sparse_) visit(value, times);
  }

 private:
  /// Values below this one are counted in an array, the others in a map.
  static constexpr std::int64_t dense = 4096;

  std::vector<std::int64_t> dense_;  ///< [value]
  std::map<std::int64_t, std::int64_t> sparse_;
  std::int64_t count_ = 0;
  Sum sum_ = 0;
};

}  // namespace starloom
