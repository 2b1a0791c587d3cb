// SPDX-License-Identifier: Apache-2.0
#include <starloom/results/latency_csv.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <map>

namespace starloom {

std::string latency_csv(const Histogram& latencies, const Histogram& network_latencies) {
  struct Counts {
    std::int64_t packets = 0, network_packets = 0;
  };
  std::map<std::int64_t, Counts> rows;
  latencies.for_each([&](std::int64_t latency, std::int64_t packets) { rows[latency].packets = packets; });
  network_latencies.for_each(
      [&](std::int64_t latency, std::int64_t packets) { rows[latency].network_packets = packets; });
  const bool network = !network_latencies.empty();
  std::string text = network ? "latency,packets,network_packets\n" : "latency,packets\n";
  for (const auto& [latency, counts] : rows)
    text += network ? fmt::format("{},{},{}\n", latency, counts.packets, counts.network_packets)
                    : fmt::format("{},{}\n", latency, counts.packets);
  return text;
}

}  // namespace starloom
