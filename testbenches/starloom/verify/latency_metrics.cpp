// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/latency_metrics.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace starloom {

namespace {

double sum_of(const std::vector<Step>& latencies) {
  __extension__ using Wide = __int128;
  return static_cast<double>(std::accumulate(latencies.begin(), latencies.end(), Wide{0}));
}

}  // namespace

LatencyDistribution distribution_of(std::vector<Step> latencies) {
  if (latencies.empty()) return {};
  std::sort(latencies.begin(), latencies.end());
  const std::size_t count = latencies.size();
  const auto percentile = [&](std::size_t percent) {
    // The smallest latency that at least `percent` per cent of the packets do not exceed.
    std::size_t i = 0;
    while (100 * (i + 1) < percent * count) ++i;
    return latencies[i];
  };
  return {sum_of(latencies) / static_cast<double>(count), percentile(50), percentile(95), percentile(99),
          latencies.back()};
}

void compare_latencies(Comparison& comparison, const std::string& section, std::vector<Step> latencies, bool partial,
                       std::optional<std::int64_t> hops) {
  const double sum = sum_of(latencies);
  compare_distribution(comparison, section, std::move(latencies));
  comparison.expect_boolean(section + ".partial", partial);
  comparison.expect_number(section + ".per_hop",
                           hops.value_or(0) > 0 ? std::optional(sum / static_cast<double>(*hops)) : std::nullopt);
}

void compare_distribution(Comparison& comparison, const std::string& section, std::vector<Step> latencies) {
  const LatencyDistribution found = distribution_of(std::move(latencies));
  comparison.expect_number(section + ".mean", found.mean);
  comparison.expect(section + ".p50", found.p50);
  comparison.expect(section + ".p95", found.p95);
  comparison.expect(section + ".p99", found.p99);
  comparison.expect(section + ".max", found.max);
}

}  // namespace starloom
