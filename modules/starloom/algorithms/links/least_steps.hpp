// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A lower bound for all algorithms on a torus and given worms.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <starloom/core/packet.hpp>
#include <starloom/schema/metrics.hpp>
#include <starloom/topology/grid/grid.hpp>

namespace starloom::links {

/// The greater of two bounds: all flits have to cross all links of a shortest path, and a link carries one flit per
/// step; the worm with the longest path takes its distance, and one step for each further flit.
inline double least_steps(const Grid& torus, const std::vector<Packet>& packets) {
  std::int64_t work = 0, latency = 0;
  for (const Packet& packet : packets) {
    const std::int64_t distance = torus.distance(packet.source, packet.destination);
    if (distance == 0) continue;
    work += distance * packet.flits;
    latency = std::max(latency, distance + packet.flits - 1);
  }
  return std::max(static_cast<double>(work) / static_cast<double>(torus.links()), static_cast<double>(latency));
}

inline MetricSpec least_steps_bound() {
  return number_metric("least_steps", "steps",
                       "lower bound for any algorithm: the longest path, or all flits over all links");
}

}  // namespace starloom::links
