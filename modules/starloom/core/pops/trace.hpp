// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The rows of `trace.csv` of a POPS network: drives and samples of couplers, and the sinks that receive them.
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include <starloom/core/pops/message.hpp>
#include <starloom/core/violation.hpp>

namespace starloom::pops {

/// Events, in the order in which they are written within a slot.
enum class TraceEvent : std::uint8_t { drive, listen };
inline constexpr std::string_view trace_event_names[] = {"drive", "listen"};
inline constexpr std::string_view message_kind_names[] = {"data", "ack"};

/// One row: a coupler driven with a message, or a coupler sampled and the message that was heard.
struct TraceRow {
  Step slot = 0;
  TraceEvent event = TraceEvent::drive;
  MessageKind kind = MessageKind::data;
  NodeId processor = no_node;
  std::int32_t source_group = no_group;
  std::int32_t destination_group = no_group;
  PacketId packet = no_packet;  ///< no_packet: no message was heard, and `kind` has no meaning

  bool silent() const { return packet == no_packet; }

  /// The order of the file: slot, event, processor, destination group.
  friend bool operator<(const TraceRow& a, const TraceRow& b) {
    return std::tie(a.slot, a.event, a.processor, a.destination_group) <
           std::tie(b.slot, b.event, b.processor, b.destination_group);
  }
  friend bool operator==(const TraceRow& a, const TraceRow& b) {
    return std::tie(a.slot, a.event, a.kind, a.processor, a.source_group, a.destination_group, a.packet) ==
           std::tie(b.slot, b.event, b.kind, b.processor, b.source_group, b.destination_group, b.packet);
  }
};

/// Receives the sorted rows of a run, slot by slot, never an empty batch.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void rows(const std::vector<TraceRow>& of_one_slot) = 0;
};

/// Checks the rows that it receives, of a slot at its end or while the next one runs, on any thread.
class CheckingSink : public TraceSink {
 public:
  /// The first broken rule; its text is empty if no rule was broken.
  virtual const Violation& violation() const = 0;
};

}  // namespace starloom::pops
