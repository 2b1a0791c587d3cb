// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Sums over the packets of a run on a network of links.
#include <starloom/control/links/paths.hpp>
#include <starloom/core/links/run_record.hpp>
#include <starloom/simulation/packet_sums.hpp>
#include <starloom/topology/network_graph.hpp>

namespace starloom::links {

/// Adds the packets that a record lists, except those from `end` on.
inline void add_packets(PacketSums& sums, const RunRecord& record, const NetworkGraph& graph,
                        const Declaration& declaration, std::size_t end) {
  for (std::size_t p = 0; p < end; ++p) {
    const Packet& packet = record.packets[p];
    if (!packet.exists()) continue;
    std::optional<Step> injected;
    if (!record.injected.empty()) injected = record.injected[p];
    std::optional<std::int32_t> hops;
    if (!record.hops.empty()) hops = record.hops[p];
    sums.add(packet, record.delivered[p], injected, least_links(declaration, graph, packet.source, packet.destination),
             hops);
  }
}

/// For a run that lists all its packets.
inline PacketSums sums_of(const RunRecord& record, const NetworkGraph& graph, const Declaration& declaration,
                          const std::optional<Phases>& phases) {
  PacketSums sums(phases);
  add_packets(sums, record, graph, declaration, record.packets.size());
  return sums;
}

}  // namespace starloom::links
