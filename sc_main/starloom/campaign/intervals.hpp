// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Sets of run numbers, kept as intervals: a campaign has millions of runs and few gaps.
#include <cstdint>
#include <vector>

namespace starloom {

/// first, first + 1, .., end - 1.
struct Interval {
  std::int64_t first = 0;
  std::int64_t end = 0;
  std::int64_t size() const { return end - first; }
  bool operator==(const Interval& other) const { return first == other.first && end == other.end; }
};

/// Ascending, disjoint, not empty.
using Intervals = std::vector<Interval>;

/// Appends a number greater than all others.
void append(Intervals& intervals, std::int64_t number);
std::int64_t size(const Intervals& intervals);
/// The numbers of `wanted` that are not in `done`.
Intervals difference(const Intervals& wanted, const Intervals& done);
/// The numbers in both.
Intervals intersection(const Intervals& a, const Intervals& b);

}  // namespace starloom
