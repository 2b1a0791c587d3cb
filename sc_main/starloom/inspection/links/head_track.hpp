// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The path of a packet's head through the network, stay by stay.
#include <optional>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/inspection/links/run_files.hpp>
#include <starloom/inspection/packet_history.hpp>

namespace starloom::links {

/// How a stay of a head in a node ends.
enum class StayEnd : std::uint8_t { injected, crosses, consumed, stored, trace_ends };

/// The head is in `node`, readable or in the processor's memory, from `from` until it leaves in `to`.
struct Stay {
  NodeId node = no_node;
  Step from = 0;
  Step to = 0;
  StayEnd end = StayEnd::crosses;
  bool stored = false;  ///< in the memory of an intermediate processor
  Port in = no_port;    ///< its in-port; ports(): from its processor
  std::int32_t in_channel = -1;
  Port out = no_port;  ///< its out-port; ports(): to its processor
  std::int32_t out_channel = -1;
  Step granted = no_step;  ///< in which it wins the switch of a router; no_step: never
};

struct HeadTrack {
  PacketId packet = no_packet;
  std::vector<TraceRow> head;         ///< rows of flit 0, without `drop`
  std::vector<Stay> stays{};          ///< made from them
  std::vector<TraceRow> drops{};      ///< rows `drop` of all its flits
  std::optional<TraceRow> corrupt{};  ///< the first row of its flits that is corrupt behind its link, and not repeated
  NodeId destination = no_node;       ///< of several, the one that got its tail last, and to which the head is followed
};

/// The results of one reading of a trace.
struct TracksRead {
  std::vector<HeadTrack> tracks;    ///< in the order of the request
  std::vector<WaitLocation> links;  ///< all, with the waits of packets for them
  std::vector<WaitLocation> nodes;  ///< all, with the waits of packets in them
  Step end = 0;                     ///< the step after the last row
};

/// The destination of the flit of an `inject` or `hop`, and the step from which on it is readable: in a buffer of a
/// router, or in a node without a router.
router::BufferEntry arrival(const RunFiles& run, const TraceRow& row);

/// Reads the trace once. Memory grows with packets and with the rows of the requested ones.
/// \throws InputError for damage, and for missing rows (if the trace is a window).
TracksRead read_tracks(const RunFiles& run, const std::vector<PacketId>& packets);

}  // namespace starloom::links
