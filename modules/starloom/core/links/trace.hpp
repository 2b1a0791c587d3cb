// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The rows of `trace.csv`: what happened on the links of a grid, and the sinks that receive them.
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/core/packet.hpp>

namespace starloom::links {

/// Events, in the order in which they are written within a step.
enum class TraceEvent : std::uint8_t { inject, hop, eject, store, key, token, resend, discard, drop };
inline constexpr std::string_view trace_event_names[] = {"inject", "hop",    "eject",   "store", "key",
                                                         "token",  "resend", "discard", "drop"};

/// True for the rows of a flit that crosses a link again, or is not accepted at its end. Its path does not have them.
constexpr bool is_repetition(TraceEvent event) { return event == TraceEvent::resend || event == TraceEvent::discard; }

/// One row. A field that does not apply to the event is -1, and its cell is written empty.
struct TraceRow {
  Step step = 0;
  TraceEvent event = TraceEvent::inject;
  PacketId packet = no_packet;
  std::int32_t flit = -1;
  NodeId node = no_node;
  Port port = no_port;  ///< an out-port, but an in-port of a discard
  NodeId to = no_node;
  std::int32_t channel = -1;  ///< virtual channels: on the link of a hop or resend, at the local in-port of an inject

  /// The order of the file: step, event, node, port, packet, flit; empty sorts first.
  friend bool operator<(const TraceRow& a, const TraceRow& b) {
    return std::tie(a.step, a.event, a.node, a.port, a.packet, a.flit) <
           std::tie(b.step, b.event, b.node, b.port, b.packet, b.flit);
  }
  friend bool operator==(const TraceRow& a, const TraceRow& b) {
    return std::tie(a.step, a.event, a.packet, a.flit, a.node, a.port, a.to, a.channel) ==
           std::tie(b.step, b.event, b.packet, b.flit, b.node, b.port, b.to, b.channel);
  }
};

/// A row of `credits.csv`: a word on the side wire of an in-port, the local one included, which returns the credit of a
/// freed buffer slot of the channel.
struct CreditRow {
  Step step = 0;
  NodeId node = no_node;
  Port port = no_port;
  std::int32_t channel = 0;

  /// The order of the file.
  friend bool operator<(const CreditRow& a, const CreditRow& b) {
    return std::tie(a.step, a.node, a.port, a.channel) < std::tie(b.step, b.node, b.port, b.channel);
  }
  friend bool operator==(const CreditRow& a, const CreditRow& b) {
    return std::tie(a.step, a.node, a.port, a.channel) == std::tie(b.step, b.node, b.port, b.channel);
  }
};

/// Receives the sorted rows of a run, step by step, never an empty batch.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void rows(const std::vector<TraceRow>& of_one_step) = 0;
};

/// The same for the credits of a run with virtual channels; those of a step come before its rows.
class CreditSink {
 public:
  virtual ~CreditSink() = default;
  virtual void rows(const std::vector<CreditRow>& of_one_step) = 0;
};

/// Receives every step in which something happened, in order, at its end or while a later one runs, on any thread.
class StepSink {
 public:
  virtual ~StepSink() = default;
  /// The packets created in the step, and its sorted rows; each of the lists may be empty.
  virtual void step(const std::vector<Packet>& created, const std::vector<CreditRow>& credits,
                    const std::vector<TraceRow>& rows) = 0;
};

}  // namespace starloom::links
