// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Exact counts of integers, with memory for the different values only.
#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
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

/// The same in the least memory, for thousands of samples with few different values each.
class SmallHistogram {
  __extension__ using Sum = unsigned __int128;

 public:
  /// Counts `times` more occurrences of `value`, which is at least 0.
  void add(std::int64_t value, std::int64_t times = 1) {
    const auto at = std::lower_bound(values_.begin(), values_.end(), std::pair(value, std::int64_t{0}));
    if (at != values_.end() && at->first == value) at->second += times;
    else values_.insert(at, {value, times});
    count_ += times;
    sum_ += static_cast<Sum>(value) * static_cast<Sum>(times);
  }
  void add(const SmallHistogram& other) {
    other.for_each([this](std::int64_t value, std::int64_t times) { add(value, times); });
  }

  std::int64_t count() const { return count_; }
  bool empty() const { return count_ == 0; }
  double mean() const { return static_cast<double>(sum_) / static_cast<double>(count_); }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const auto& [value, times] : values_) visit(value, times);
  }

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> values_;  ///< ascending, with their occurrences
  std::int64_t count_ = 0;
  Sum sum_ = 0;
};

}  // namespace starloom
