#pragma once
/// \file Means and nearest-rank percentiles of whole numbers.
#include <cstdint>
#include <optional>
#include <vector>

namespace starloom {

/// Figures of a sample.
struct Statistics {
  double mean = 0;  ///< of the exact sum
  std::int64_t p50 = 0;
  std::int64_t p95 = 0;
  std::int64_t p99 = 0;
  std::int64_t max = 0;
};

/// The nearest-rank percentile: the smallest value of the ascending, non-empty sample that at least `percent` (1..100)
/// per cent of it do not exceed.
std::int64_t nearest_rank(const std::vector<std::int64_t>& ascending, int percent);

/// Nothing for an empty sample.
std::optional<Statistics> statistics_of(std::vector<std::int64_t> sample);

}  // namespace starloom
