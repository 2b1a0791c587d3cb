// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom why` on a network of links.
#include <filesystem>
#include <vector>

#include <starloom/inspection/packet_history.hpp>
#include <starloom/topology/topology_entry.hpp>

namespace starloom::links {

/// Why these packets took as long as they did, from result.json, packets.csv, the trace and credits.csv of an output
/// folder. Reads the trace twice; memory grows with packets, and with what happened where and while these were under
/// way.
/// \throws InputError for a packet that is not there, for files that cannot be read as their format, and for a trace
/// that is damaged or a window.
std::vector<PacketHistory> packet_stories(const std::filesystem::path& folder,
                                          const std::vector<TopologyEntry>& topologies,
                                          const std::vector<PacketId>& packets);

/// The packets that took longest, and where all packets waited. \throws InputError as above.
WaitingOverview waiting_overview(const std::filesystem::path& folder, const std::vector<TopologyEntry>& topologies);

}  // namespace starloom::links
