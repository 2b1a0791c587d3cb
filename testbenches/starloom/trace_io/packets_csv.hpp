// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `packets.csv`: the packets of a run and the steps of their arrival (docs/output.md).
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include <starloom/core/links/losses.hpp>
#include <starloom/core/packets.hpp>
#include <starloom/trace_io/csv_reader.hpp>
#include <starloom/trace_io/destinations.hpp>

namespace starloom {

struct PacketTable {
  std::vector<Packet> packets;                ///< by number; `missing_packet` where no packet has it
  std::vector<Step> delivered;                ///< [packet], no_step if it never arrived
  std::optional<std::vector<Step>> injected;  ///< [packet] as in RunRecord; virtual channels only
  std::optional<links::Losses> lost;          ///< by number; only with faults
  /// [attempt after the first one] that packet; only if packets are sent again
  std::optional<std::map<PacketId, PacketId>> attempts;
  DestinationCells destinations;  ///< the groups of those with several

  bool has(std::int64_t packet) const {
    return packet >= 0 && packet < static_cast<std::int64_t>(packets.size()) &&
           packets[static_cast<std::size_t>(packet)].exists();
  }
};

/// Columns that a file has besides, and the groups of packets to several destinations.
struct PacketColumns {
  bool classes = false;  ///< with `injected`
  bool subnets = false;  ///< with `injected`
  std::vector<MulticastGroup> groups{};
  const links::Losses* lost = nullptr;  ///< with faults, those of packets that are lost; null: no column
  /// with `injected` and `lost`: as in PacketTable; null: no column
  const std::map<PacketId, PacketId>* attempts = nullptr;
};

/// Turns packets that were lost when they were created into packets that do not exist, because no node has them.
void leave_out_lost_when_created(PacketTable& table);

/// Packets in the order of their numbers, without those that do not exist; `delivered` and `injected` are as long as
/// `packets`. A packet to all nodes of a POPS network (no_node) has an empty destination. \throws OutputError
void write_packets(const std::filesystem::path& file, const Packets& packets, const std::vector<Step>& delivered,
                   const std::optional<std::vector<Step>>& injected = std::nullopt, const PacketColumns& columns = {});

/// Strict: every line is complete, and packets are numbered as `numbering` says.
/// \throws InputError `file:line:column: text`
PacketTable read_packets(const std::filesystem::path& file, Numbering numbering = Numbering());

}  // namespace starloom
