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

void compare_latencies(Comparison& comparison, const std::string& section, std::vector<Step> latencies, bool partial,
                       std::optional<std::int64_t> hops) {
  const double sum = sum_of(latencies);
  compare_distribution(comparison, section, std::move(latencies), partial);
  comparison.expect_number(section + ".per_hop",
                           hops.value_or(0) > 0 ? std::optional(sum / static_cast<double>(*hops)) : std::nullopt);
}

void compare_distribution(Comparison& comparison, const std::string& section, std::vector<Step> latencies,
                          bool partial) {
  const double sum = sum_of(latencies);
  std::sort(latencies.begin(), latencies.end());
  const std::size_t count = latencies.size();
  const auto percentile = [&](std::size_t percent) -> std::optional<Step> {
    // The smallest latency that at least `percent` per cent of the packets do not exceed.
    for (std::size_t i = 0; i < count; ++i)
      if (100 * (i + 1) >= percent * count) return latencies[i];
    return std::nullopt;
  };
  comparison.expect_number(section + ".mean",
                           count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt);
  for (const std::size_t percent : {50, 95, 99})
    comparison.expect(section + ".p" + std::to_string(percent), percentile(percent));
  comparison.expect(section + ".max", percentile(100));
  comparison.expect_boolean(section + ".partial", partial);
}

}  // namespace starloom
