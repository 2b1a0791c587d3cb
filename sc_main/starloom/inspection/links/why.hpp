// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom why` on a network of links.
#include <filesystem>
#include <vector>

#include <starloom/inspection/packet_history.hpp>
#include <starloom/verify/known_entries.hpp>

namespace starloom::links {

/// The latencies of these packets and their causes, from result.json, packets.csv, the trace and credits.csv of an
/// output folder. Reads the trace twice; memory grows with packets, and with the events at their nodes while they
/// were in flight.
/// \throws InputError for a packet that does not exist, for files that cannot be read as their format, and for a
/// trace that is damaged or a window.
std::vector<PacketHistory> packet_histories(const std::filesystem::path& folder, const KnownEntries& known,
                                            const std::vector<PacketId>& packets);

/// The packets that took longest, and the locations where all packets waited. \throws InputError as above.
WaitingOverview waiting_overview(const std::filesystem::path& folder, const KnownEntries& known);

}  // namespace starloom::links
