#include <starloom/results/statistics.hpp>

#include <algorithm>
#include <numeric>

namespace starloom {

std::int64_t nearest_rank(const std::vector<std::int64_t>& ascending, int percent) {
  const std::size_t rank = (ascending.size() * static_cast<std::size_t>(percent) + 99) / 100;
  return ascending[rank - 1];
}

std::optional<Statistics> statistics_of(std::vector<std::int64_t> sample) {
  if (sample.empty()) return std::nullopt;
  std::sort(sample.begin(), sample.end());
  const std::int64_t sum = std::accumulate(sample.begin(), sample.end(), std::int64_t{0});
  Statistics figures;
  figures.mean = static_cast<double>(sum) / static_cast<double>(sample.size());
  figures.p50 = nearest_rank(sample, 50);
  figures.p95 = nearest_rank(sample, 95);
  figures.p99 = nearest_rank(sample, 99);
  figures.max = sample.back();
  return figures;
}

}  // namespace starloom
