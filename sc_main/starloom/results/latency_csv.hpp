// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `latency.csv`: the exact histogram of latencies.
#include <string>

#include <starloom/core/histogram.hpp>

namespace starloom {

/// A row for every latency that occurs, ascending: `latency,packets`, and with network latencies, if there are any,
/// `latency,packets,network_packets`.
std::string latency_csv(const Histogram& latencies, const Histogram& network_latencies);

}  // namespace starloom
