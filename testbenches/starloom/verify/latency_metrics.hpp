// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `latency` and `network_latency` of `result.json`, recomputed from the packets.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/verify/comparison.hpp>

namespace starloom {

/// The mean and nearest-rank percentiles; all empty without a latency.
struct LatencyDistribution {
  std::optional<double> mean{};
  std::optional<Step> p50{}, p95{}, p99{}, max{};
};
LatencyDistribution distribution_of(std::vector<Step> latencies);

/// Compares all metrics of `section` with the latencies of the packets that were delivered. `partial`: other packets
/// that count were not. `hops`: links that the delivered packets crossed, in sum; empty: not recorded.
/// \throws InputError if a metric is missing
void compare_latencies(Comparison& comparison, const std::string& section, std::vector<Step> latencies, bool partial,
                       std::optional<std::int64_t> hops);
/// The same without `partial` and the mean per hop.
void compare_distribution(Comparison& comparison, const std::string& section, std::vector<Step> latencies);

}  // namespace starloom
