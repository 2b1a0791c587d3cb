// SPDX-License-Identifier: Apache-2.0
#include <starloom/results/statistics.hpp>

#include <algorithm>

namespace starloom {
namespace {

template <class Sample>
std::int64_t rank_of(const Sample& sample, int percent) {
  // As many as `percent` per cent of the sample, rounded up; without a product of large numbers.
  const std::int64_t hundreds = sample.count() / 100, rest = sample.count() % 100;
  const std::int64_t rank = std::max<std::int64_t>(1, hundreds * percent + (rest * percent + 99) / 100);
  std::int64_t seen = 0, found = 0;
  sample.for_each([&](std::int64_t value, std::int64_t times) {
    if (seen < rank) found = value;
    seen += times;
  });
  return found;
}

template <class Sample>
std::optional<Statistics> compute(const Sample& sample) {
  if (sample.empty()) return std::nullopt;
  return Statistics{sample.mean(), rank_of(sample, 50), rank_of(sample, 95), rank_of(sample, 99), rank_of(sample, 100)};
}

}  // namespace

std::int64_t nearest_rank(const Histogram& sample, int percent) { return rank_of(sample, percent); }

std::optional<Statistics> statistics_of(const Histogram& sample) { return compute(sample); }
std::optional<Statistics> statistics_of(const SmallHistogram& sample) { return compute(sample); }

}  // namespace starloom
