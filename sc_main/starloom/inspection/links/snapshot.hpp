// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The position of every flit of a run at the end of one step, reconstructed from its files.
#include <filesystem>
#include <string>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/inspection/links/deadlock_cycle.hpp>
#include <starloom/topology/topology_entry.hpp>

namespace starloom::links {

/// A flit, or a control object (packet and flit are -1), on a link.
struct FlitOnLink {
  NodeId node = no_node;
  Port port = no_port;
  NodeId to = no_node;
  TraceEvent event = TraceEvent::hop;  ///< hop, key or token
  PacketId packet = no_packet;
  std::int32_t flit = -1;
};

/// Packets in one node, each at most once per list, ascending.
struct NodeContent {
  std::vector<PacketId> in_buffers;  ///< with a flit in the node's buffers, including those of the local in-port
  /// With a flit in the node but none in its buffers. With virtual channels: sent by the processor and not yet
  /// readable, or between the switch and a link or the processor.
  std::vector<PacketId> passing;
  std::vector<PacketId> in_source;  ///< with a flit that its processor, the source, has not sent
  std::vector<PacketId> partly;     ///< those of `in_source` of which a flit has left
  std::vector<PacketId> stored;     ///< stored in the node's memory before their destination
};

struct Snapshot {
  LinkNetwork network;
  Step step = 0;
  std::vector<std::string> dead{};  ///< names of dead hardware (hardware_names)
  Step draining_since = no_step;    ///< processors begin no packet from this step on; no_step: they do
  Step last_row = no_step;          ///< the last step with a row, if `step` is later than all rows
  std::vector<FlitOnLink> links;    ///< by node and port
  std::vector<NodeContent> nodes;   ///< [node]
  /// For a deadlock, from the last step with movement on: each packet waits for a resource of the next one, the last
  /// for one of the first.
  std::vector<CyclePacket> cycle;
};

/// Reads result.json, packets.csv (if it exists) and trace.csv or trace.csv.gz of an output folder.
/// \throws InputError if a file is missing or cannot be read as its format.
Snapshot take_snapshot(const std::filesystem::path& folder, const std::vector<TopologyEntry>& topologies, Step step);

}  // namespace starloom::links
