// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `starloom why` on a POPS network.
#include <filesystem>
#include <vector>

#include <starloom/inspection/packet_history.hpp>
#include <starloom/verify/known_entries.hpp>

namespace starloom::pops {

/// The latencies of these packets and their causes, from result.json, packets.csv and the trace of an output folder.
/// A slot in which a packet was driven and carried forward counts as distance, every other one as a wait.
/// \throws InputError for a packet that does not exist, for files that cannot be read as their format, and for a
/// trace that is damaged or a window.
std::vector<PacketHistory> packet_histories(const std::filesystem::path& folder, const DeclaredRules& rules,
                                            const std::vector<PacketId>& packets);

/// The packets that took longest; slots lost by collisions, by coupler, and waits of all packets, by processor.
/// \throws InputError as above.
WaitingOverview waiting_overview(const std::filesystem::path& folder, const DeclaredRules& rules);

}  // namespace starloom::pops
