#pragma once
/// \file `latency.csv`: the exact histogram behind the figures of latency.
#include <cstdint>
#include <string>
#include <vector>

namespace starloom {

/// A row for every latency that occurs, ascending: `latency,packets`, and with network latencies, if there are any,
/// `latency,packets,network_packets`.
std::string latency_csv(const std::vector<std::int64_t>& latencies, const std::vector<std::int64_t>& network_latencies);

}  // namespace starloom
