// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Means and nearest-rank percentiles of integers.
#include <cstdint>
#include <optional>

#include <starloom/core/histogram.hpp>

namespace starloom {

/// Statistics of a sample.
struct Statistics {
  double mean = 0;  ///< of the exact sum
  std::int64_t p50 = 0;
  std::int64_t p95 = 0;
  std::int64_t p99 = 0;
  std::int64_t max = 0;
};

/// The nearest-rank percentile: the smallest value of the sample, which is not empty, that at least `percent`
/// (0..100) per cent of it, and at least one, do not exceed.
std::int64_t nearest_rank(const Histogram& sample, int percent);

/// Empty for an empty sample.
std::optional<Statistics> statistics_of(const Histogram& sample);
std::optional<Statistics> statistics_of(const SmallHistogram& sample);

}  // namespace starloom
