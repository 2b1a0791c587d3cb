// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Checks of packets for readers of folders.
#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/support/error.hpp>
#include <starloom/trace_io/packets_csv.hpp>

namespace starloom {

/// \throws InputError for a packet that a run does not have.
inline void check_packets(const std::filesystem::path& folder, const std::vector<PacketId>& packets,
                          const PacketTable& table) {
  const std::size_t count = table.packets.size();
  for (const PacketId packet : packets)
    if (!table.has(packet))
      throw InputError(fmt::format("--packet {}: {} has no such packet; {}", packet, folder.string(),
                                   count == 0 ? "it has no packets" : fmt::format("packets are 0 to {}", count - 1)));
}

/// \throws InputError for a packet that is delivered before it is created.
inline void check_times(const std::filesystem::path& folder, const PacketTable& table) {
  for (std::size_t p = 0; p < table.packets.size(); ++p)
    if (table.delivered[p] != no_step && table.delivered[p] < table.packets[p].created)
      throw InputError(fmt::format("{}: packet {} is delivered in step {}, but created in step {}",
                                   (folder / "packets.csv").string(), p, table.delivered[p], table.packets[p].created));
}

}  // namespace starloom
