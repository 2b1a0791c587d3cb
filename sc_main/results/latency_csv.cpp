#include <starloom/results/latency_csv.hpp>

#include <fmt/format.h>

#include <map>

namespace starloom {

std::string latency_csv(const std::vector<std::int64_t>& latencies,
                        const std::vector<std::int64_t>& network_latencies) {
  struct Counts {
    std::int64_t packets = 0, network_packets = 0;
  };
  std::map<std::int64_t, Counts> rows;
  for (const std::int64_t latency : latencies) ++rows[latency].packets;
  for (const std::int64_t latency : network_latencies) ++rows[latency].network_packets;
  const bool network = !network_latencies.empty();
  std::string text = network ? "latency,packets,network_packets\n" : "latency,packets\n";
  for (const auto& [latency, counts] : rows)
    text += network ? fmt::format("{},{},{}\n", latency, counts.packets, counts.network_packets)
                    : fmt::format("{},{}\n", latency, counts.packets);
  return text;
}

}  // namespace starloom
