// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The causes of a packet's latency: its path, and its waits by cause. The same for both kinds of network.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom {

/// The causes of time beyond the distance (docs/replay.md has a sentence for each).
enum class WaitCause : std::uint8_t {
  source,
  stopped,
  dead,
  stored,
  bound,
  contention,
  priority,
  interval,
  channel,
  credit,
  cut_through,
  places,
  worm,
  fifo,
  hold,
  in_port,
  allocation,
  stall,
  retry,
  timetable,
  pipeline,
  link,
  crossing,
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
    "source",     "stopped", "dead",        "stored",    "bound",     "contention", "priority", "interval",
    "channel",    "credit",  "cut-through", "places",    "worm",      "fifo",       "hold",     "in_port",
    "allocation", "stall",   "retry",       "timetable", "pipeline",  "link",       "crossing", "length",
    "stretched",  "detour",  "deadlock",    "open",      "collision", "not_heard",  "no_turn",  "buffer"};

inline std::string_view name_of(WaitCause cause) { return wait_cause_names[static_cast<std::size_t>(cause)]; }

/// Steps or slots [from, to) that are not part of the distance.
struct Wait {
  NodeId node = no_node;
  Step from = 0;
  Step to = 0;
  std::string what{};  ///< the link or coupler that it waits for or crosses; empty: none
  WaitCause cause = WaitCause::timetable;
  std::vector<PacketId> behind{};  ///< the packets that held it meanwhile, in their order, each once
  std::string reason{};            ///< the reason why that one went first, if known
};

/// A link or coupler that carried it forward.
struct Carried {
  Step step = 0;
  std::string what;
};

/// The message of a workload to which a packet belongs, and what released it (docs/workloads.md).
struct MessageOfPacket {
  std::int64_t number = 0;
  std::string flow;
  /// The message for which it waited, of several the one delivered last.
  struct Release {
    std::int64_t message = 0;
    std::string flow;
    PacketId packet = no_packet;  ///< its packet that was delivered last
    Step step = 0;                ///< of that delivery
  };
  std::optional<Release> released_by{};  ///< empty: it waited for none
};

/// A packet that was lost because of faults.
struct LossOfPacket {
  std::string cause;  ///< as in packets.csv
  Step step = 0;
  NodeId node = no_node;  ///< where it was
  std::string fault;      ///< the dead hardware that is the cause; empty: not one alone
  std::string place;      ///< the name of the node, if the packet was sent; empty: it never was
};

/// A packet that a processor may send again: one of the attempts to deliver the first one.
struct AttemptOfPacket {
  std::int64_t number = 1;      ///< 1 for the first one
  PacketId first = no_packet;   ///< the first one
  PacketId next = no_packet;    ///< the one behind it; no_packet: it is the last one
  Step next_created = no_step;  ///< of that
};

/// For a delivered packet: distance + the sum of `to` - `from` of its waits = delivered - created.
struct PacketHistory {
  PacketId packet = no_packet;
  std::string source;
  std::string destination;  ///< of several, the last one
  std::int64_t destinations = 1;
  std::int32_t flits = 1;
  Step created = 0;
  Step delivered = no_step;   ///< no_step: never; the waits then end with the trace
  std::int64_t distance = 0;  ///< links of a shortest path; POPS: drives that carried it forward
  std::vector<Carried> path;  ///< of its head, including detours
  std::vector<Wait> waits;    ///< by `from`
  std::optional<MessageOfPacket> message{};
  std::optional<LossOfPacket> lost{};  ///< if it was sent, it has path and waits until then
  std::optional<AttemptOfPacket> attempt{};

  Step latency() const { return delivered == no_step ? no_step : delivered - created; }
};

/// The total waiting time of all packets at a location.
struct WaitLocation {
  std::string name;
  Step waited = 0;  ///< steps or slots, summed over packets
};

/// The overview of a run for `starloom why DIR`.
struct WaitingOverview {
  /// those that took longest, at most ten; if they never arrived, until the trace ends
  std::vector<PacketHistory> latest;
  std::vector<WaitLocation> links;  ///< or couplers; at most ten, the most expensive first
  std::vector<WaitLocation> nodes;
};

/// The number of packets and locations in an overview.
inline constexpr std::size_t overview_size = 10;

/// The `overview_size` most expensive locations, ties in the order given; those without cost are omitted.
std::vector<WaitLocation> most_expensive(std::vector<WaitLocation> locations);

/// The `overview_size` packets that took longest [created, delivered; `end` if never]; ties: lower number.
std::vector<PacketId> slowest(const std::vector<Step>& created, const std::vector<Step>& delivered, Step end);

/// For people: `clock` is the unit of the run, `step` or `slot`.
std::string history_text(const PacketHistory& history, const std::string& clock);
std::string overview_text(const WaitingOverview& overview, const std::string& clock);
/// For programs, with a newline at the end.
std::string history_json(const PacketHistory& history);
std::string overview_json(const WaitingOverview& overview);

}  // namespace starloom
