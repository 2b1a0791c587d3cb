// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/intervals.hpp>

#include <algorithm>

namespace starloom {

void append(Intervals& intervals, std::int64_t number) {
  if (!intervals.empty() && intervals.back().end == number) ++intervals.back().end;
  else intervals.push_back({number, number + 1});
}

std::int64_t size(const Intervals& intervals) {
  std::int64_t sum = 0;
  for (const Interval& interval : intervals) sum += interval.size();
  return sum;
}

Intervals difference(const Intervals& wanted, const Intervals& done) {
  Intervals rest;
  auto next = done.begin();
  for (Interval interval : wanted) {
    while (next != done.end() && next->end <= interval.first) ++next;
    for (auto it = next; it != done.end() && it->first < interval.end; ++it) {
      if (it->first > interval.first) rest.push_back({interval.first, it->first});
      interval.first = std::max(interval.first, std::min(it->end, interval.end));
    }
    if (interval.size() > 0) rest.push_back(interval);
  }
  return rest;
}

Intervals intersection(const Intervals& a, const Intervals& b) { return difference(a, difference(a, b)); }

}  // namespace starloom
