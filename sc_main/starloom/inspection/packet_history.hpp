// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Why a packet took as long as it did: its way, and its waits by cause. The same for both kinds of network.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom {

/// Why time passed that the distance does not explain (docs/replay.md has a sentence for each).
enum class WaitCause : std::uint8_t {
  source,
  stored,
  bound,
  contention,
  interval,
  channel,
  credit,
  worm,
  in_port,
  allocation,
  stall,
  timetable,
  pipeline,
  link,
  length,
  stretched,
  detour,
  deadlock,
  open,
  collision,
  not_heard,
  no_turn,
  buffer
};
/// Their names, in the order of the enumeration.
inline constexpr std::string_view wait_cause_names[] = {
    "source",  "stored",     "bound", "contention", "interval",  "channel", "credit", "worm",
    "in_port", "allocation", "stall", "timetable",  "pipeline",  "link",    "length", "stretched",
    "detour",  "deadlock",   "open",  "collision",  "not_heard", "no_turn", "buffer"};

inline std::string_view name_of(WaitCause cause) { return wait_cause_names[static_cast<std::size_t>(cause)]; }

/// Steps or slots [from, to) that are no part of the distance.
struct Wait {
  NodeId node = no_node;
  Step from = 0;
  Step to = 0;
  std::string what{};  ///< the link or coupler it waits for or crosses; empty: none
  WaitCause cause = WaitCause::timetable;
  std::vector<PacketId> behind{};  ///< who had it meanwhile, in the order in which they did, each once
  std::string reason{};            ///< why that one went first, where it is known
};

/// A link or coupler that carried it on.
struct Carried {
  Step step = 0;
  std::string what;
};

/// Of a delivered packet distance + the sum of `to` - `from` of its waits = delivered - created.
struct PacketHistory {
  PacketId packet = no_packet;
  std::string source;
  std::string destination;
  std::int32_t flits = 1;
  Step created = 0;
  Step delivered = no_step;   ///< no_step: never; the waits end with the trace, then
  std::int64_t distance = 0;  ///< links of a shortest way; POPS: drives that carried it on
  std::vector<Carried> path;  ///< of its head, detours included
  std::vector<Wait> waits;    ///< by `from`

  Step latency() const { return delivered == no_step ? no_step : delivered - created; }
};

/// What waited where, over all packets.
struct WaitLocation {
  std::string name;
  Step waited = 0;  ///< steps or slots, summed over packets
};

/// What `starloom why DIR` tells of a run as a whole.
struct WaitingOverview {
  std::vector<PacketHistory> latest;  ///< that took longest, at most ten; who never arrived, until the trace ends
  std::vector<WaitLocation> links;    ///< or couplers; at most ten, the most expensive first
  std::vector<WaitLocation> nodes;
};

/// How many packets and places an overview has.
inline constexpr std::size_t overview_size = 10;

/// The `overview_size` most expensive places, ties in the order given; those that cost nothing are left out.
std::vector<WaitLocation> most_expensive(std::vector<WaitLocation> locations);

/// Of the packets [created, delivered; `end` if never], the `overview_size` that took longest; ties: lower number.
std::vector<PacketId> slowest(const std::vector<Step>& created, const std::vector<Step>& delivered, Step end);

/// For people: `clock` is what the run counts, `step` or `slot`.
std::string history_text(const PacketHistory& history, const std::string& clock);
std::string overview_text(const WaitingOverview& overview, const std::string& clock);
/// For programs, with a newline at the end.
std::string history_json(const PacketHistory& history);
std::string overview_json(const WaitingOverview& overview);

}  // namespace starloom
