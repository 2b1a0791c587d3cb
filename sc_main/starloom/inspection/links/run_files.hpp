// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The files of a run on a network of links that `why` and `replay` read besides its trace.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <starloom/inspection/links/dead_hardware.hpp>
#include <starloom/inspection/links/deadlock_cycle.hpp>
#include <starloom/inspection/links/flit_priorities.hpp>
#include <starloom/referee/links/referee.hpp>
#include <starloom/router/router_shape.hpp>
#include <starloom/router/timeline.hpp>
#include <starloom/trace_io/links/message_table.hpp>
#include <starloom/trace_io/packets_csv.hpp>
#include <starloom/verify/known_entries.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom::links {

struct RunFiles {
  std::filesystem::path folder;
  LinkNetwork network;
  RefereeRules rules{};                        ///< the declared rules of its storage
  std::optional<router::Timeline> timeline{};  ///< for routers with virtual channels
  PacketTable packets{};
  std::map<PacketId, Packet> unsent{};     ///< packets that were never sent, because of faults
  RoutingChanges changes{};                ///< because of faults
  std::optional<MessageTable> messages{};  ///< of a workload
  bool has_operations = false;             ///< the workload is a program
  std::string title{};                     ///< algorithm, network, pattern, seed
  Outcome outcome = Outcome::completed;
  Step measured_from = 0;               ///< the first step whose events count
  std::string discipline{};             ///< of the queues; empty: none is named
  bool stalls = false;                  ///< links refuse flits at random
  bool holds_switch = false;            ///< packets keep their ports of a router from flit to flit
  PriorityFacts priorities{};           ///< of flits in routers
  router::RouterShape shape{};          ///< of routers
  bool counts_unsent = true;            ///< unsent packets in their sources count in `queue` of result.json
  std::vector<CyclePacket> deadlock{};  ///< its cycle, in order

  /// The step in which a packet is lost; no_step: it is not.
  Step lost_at(PacketId packet) const {
    if (!packets.lost) return no_step;
    const auto found = packets.lost->find(packet);
    return found == packets.lost->end() ? no_step : found->second.at;
  }
  /// The step in which its flits vanish from the network; no_step: they do not.
  Step vanishes_at(PacketId packet) const {
    const Step lost = lost_at(packet);
    return lost == no_step || packets.lost->at(packet).cause == LossCause::corrupt ? no_step : lost;
  }
  /// The paths of a packet to several destinations; null: it has one.
  const MulticastTree* tree_of(PacketId packet) const {
    const NodeId destination = packets.packets[static_cast<std::size_t>(packet)].destination;
    return is_group(destination) ? &(*rules.trees)[group_index(destination)] : nullptr;
  }
};

/// Reads result.json, network.json (if it exists), packets.csv and, of a workload, messages.csv.
/// \throws InputError if a file is missing or cannot be read as its format.
RunFiles read_run_files(const std::filesystem::path& folder, const KnownEntries& known);

/// \throws InputError for a row that names a node, port or packet that does not exist.
void check_row(const RunFiles& run, const TraceRow& row);

/// An error of the trace in the step of a row.
[[noreturn]] void reject_row(const RunFiles& run, const TraceRow& row, const std::string& text);

}  // namespace starloom::links
