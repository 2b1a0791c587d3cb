// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The way of a packet's head through the network, stay by stay.
#include <optional>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/inspection/links/run_files.hpp>
#include <starloom/inspection/packet_story.hpp>

namespace starloom::links {

/// How a stay of a head in a node ends.
enum class StayEnd : std::uint8_t { injected, crosses, consumed, stored, trace_ends };

/// The head is in `node`, readable or in the processor's memory, from `from` until it leaves in `to`.
struct Stay {
  NodeId node = no_node;
  Step from = 0;
  Step to = 0;
  StayEnd end = StayEnd::crosses;
  bool stored = false;  ///< in the memory of a processor on the way
  Port in = no_port;    ///< where it came in; ports(): from its processor
  std::int32_t in_channel = -1;
  Port out = no_port;  ///< through which it leaves; ports(): to its processor
  std::int32_t out_channel = -1;
};

struct HeadTrack {
  PacketId packet = no_packet;
  std::vector<TraceRow> head;  ///< rows of flit 0
  std::vector<Stay> stays{};   ///< made from them
};

/// What one reading of a trace gives.
struct TracksRead {
  std::vector<HeadTrack> tracks;    ///< in the order asked for
  std::vector<WaitingPlace> links;  ///< all, with what packets waited for them
  std::vector<WaitingPlace> nodes;  ///< all, with what packets waited in them
  Step end = 0;                     ///< the step behind the last row
};

/// Steps that a router takes from a head's being readable until it enters a link (`hop`), and until it is consumed,
/// when nothing is in the way; from injection until it is readable, or leaves a terminal. All 0 without routers.
struct PipelineTimes {
  Step to_link = 0;
  Step to_processor = 0;
  Step injection = 0;
  Step terminal = 0;
  /// Of them, those behind the switch.
  static constexpr Step link_tail = 2, processor_tail = 3;
};
PipelineTimes pipeline_times(const RefereeRules& rules);

/// Reads the trace once. Memory grows with packets and with the rows of those asked for.
/// \throws InputError for damage, and where rows are missing (the trace is a window).
TracksRead read_tracks(const RunFiles& run, const std::vector<PacketId>& packets);

}  // namespace starloom::links
