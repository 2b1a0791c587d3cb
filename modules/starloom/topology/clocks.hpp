// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Networks whose nodes have clocks of different periods (docs/clocks.md).
#include <cstdint>
#include <vector>

#include <starloom/topology/network.hpp>

namespace starloom {

/// The greatest steps of a clock cycle, cycles of a synchroniser, and flits as the limit of the FIFO of a link.
inline constexpr int most_clock_period = 64, most_synchroniser_cycles = 16, most_crossing_flits = 65536;

/// The number of links between nodes whose clocks differ in their periods.
std::int64_t links_between_clocks(const NetworkGraph& graph);

/// The same network with other clocks. Latencies and intervals of links, which were cycles of their senders, become
/// steps.
/// \param network with one clock. \param periods [node] steps of a cycle, 1 to `most_clock_period`.
/// \param clocks the clocks with their names, for waves.
LinkNetwork with_clocks(LinkNetwork network, const std::vector<std::int32_t>& periods,
                        const std::vector<NetworkClock>& clocks = {});

}  // namespace starloom
