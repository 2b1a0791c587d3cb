// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Other events at the nodes where some packets waited, during their waits.
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include <starloom/inspection/links/buffer_log.hpp>
#include <starloom/inspection/links/flit_priorities.hpp>
#include <starloom/inspection/links/head_track.hpp>
#include <starloom/inspection/links/open_requests.hpp>
#include <starloom/inspection/links/run_files.hpp>

namespace starloom::links {

/// A flit, or a control object, leaves a node through a port, or to its processor.
struct Departure {
  Step step = 0;                ///< of its row
  Step granted = 0;             ///< in which it left its buffer; for nodes without a router, `step`
  Step readable = 0;            ///< step in which its head was readable there; if buffers are followed, the flit itself
  PacketId packet = no_packet;  ///< no_packet: a control object
  std::int32_t flit = -1;
  std::int16_t channel = -1;  ///< on the link
  std::int16_t in_channel = -1;
  std::int16_t open = 0;  ///< to the processor: packets that have begun to leave and have not ended, including this one
  std::int16_t in = -1;   ///< in-port of its head; ports(): from its processor
  bool next_is_there = false;  ///< the next flit of its packet was in the buffer that it left
};

/// Reads the trace, and credits.csv if there is one, once more, and keeps the events at the nodes of the tracks
/// while the head is there: memory grows with those times, not with the trace.
class Evidence {
 public:
  /// \throws InputError
  Evidence(const RunFiles& run, const std::vector<HeadTrack>& tracks);

  /// By step, and by `granted`; `port` ports() means to the processor, and `behind_switches()` those that have left
  /// their buffers when the trace ends, but have no row. At least those during every stay there, and a few steps more.
  const std::vector<Departure>& departures(NodeId node, Port port) const;
  Port behind_switches() const { return graph_.ports() + 1; }
  /// Flits that left the memory of the node's processor, by step; `channel` is that of the local in-port.
  const std::vector<Departure>& injections(NodeId node) const;
  /// The step in which the head of a packet left its buffer, at the end of a stay that ends with a row.
  Step granted(const Stay& stay, PacketId packet) const;
  /// The last departure granted before a step that is kept, of another packet, over a channel or (-1) any; null if
  /// there is none.
  const Departure* last_before(NodeId node, Port port, std::int32_t channel, Step step, PacketId other_than) const;
  /// True if a channel of an out-port has a credit in a step, or if credits are not recorded.
  bool has_credit(NodeId node, Port port, std::int32_t channel, Step step) const;
  /// The free slots in the buffer behind a channel of its own, at the beginning of a step; all, if credits are not
  /// recorded.
  std::int64_t room(NodeId node, Port port, std::int32_t channel, Step step) const;
  /// The priority of a channel of an in-port at the beginning of a step. \param front the step in which its first flit
  /// became readable.
  std::int64_t priority(NodeId node, Port in, std::int32_t channel, Step front, Step step) const;
  const FlitPriorities& priorities() const { return *priorities_; }
  /// The requests of all nodes.
  const OpenRequests& requests() const { return requests_; }
  /// The step in which the packet of a departure vanishes; no_step: it does not.
  Step vanishes_at(const Departure& departure) const {
    return departure.packet == no_packet ? no_step : run_.vanishes_at(departure.packet);
  }
  /// The next step after this one in which the switch has other winners, or the channel other credits.
  Step next_change(NodeId node, Port port, std::int32_t channel, Step step) const;

 private:
  /// A packet is in a node. A long one may come back before its tail has left.
  struct Visit {
    router::BufferEntry entry;
    std::int32_t next = 0;           ///< flit that leaves next; of a packet to several destinations, copies that left
    std::unique_ptr<Visit> later{};  ///< null: it has not come back
  };
  struct Log {
    Step from = 0;
    Step to = -1;
    std::int16_t open = 0;                      ///< as in Departure, from the beginning of the trace
    std::vector<std::vector<Departure>> out{};  ///< [port] as for `departures`
    std::vector<Departure> injected{};
    std::unordered_map<PacketId, Visit> present{};  ///< looked up by packet, never iterated
    std::vector<router::CreditHistory> credits{};   ///< [port * channels + channel] of out-ports
    std::vector<BufferLog> buffers{};               ///< the same of in-ports; empty: not needed
  };

  void extend(NodeId node, Step from, Step to);
  Log* log_of(NodeId node) {
    return log_at_[static_cast<std::size_t>(node)] < 0
               ? nullptr
               : &logs_[static_cast<std::size_t>(log_at_[static_cast<std::size_t>(node)])];
  }
  const Log& log(NodeId node) const {
    return logs_.at(static_cast<std::size_t>(log_at_[static_cast<std::size_t>(node)]));
  }
  void read();
  void row(const TraceRow& row);
  void row(const CreditRow& row);
  void arrive(Log& log, const TraceRow& row);
  void enter(const TraceRow& row);
  void leave(Log& log, const TraceRow& row, Port port);
  void drop(const TraceRow& row);
  void repair(const FaultEvent& event);
  void leave_as_copy(Log& log, const TraceRow& row, Port port, Departure& departure) const;
  void keep_behind_switch();
  void give_back(const router::CreditReturn& credit);
  bool has_channel(Port port, std::int32_t channel) const {
    return port >= 0 && port < graph_.ports() && channel >= 0 && channel < run_.rules.channels;
  }
  /// Slots of a channel of the buffers behind an out-port, or behind the local one.
  std::int32_t capacity_behind(NodeId node, Port port) const {
    return run_.rules.capacity_at(port >= 0 && port < graph_.ports() ? graph_.far_end(node, port).node : node);
  }
  std::size_t channel_at(Port port, std::int32_t channel) const {
    return static_cast<std::size_t>(port) * static_cast<std::size_t>(run_.rules.channels) +
           static_cast<std::size_t>(channel);
  }

  /// Null if it is not needed, or does not exist.
  template <class SomeLog>
  auto buffer_at(SomeLog& log, Port in, std::int32_t channel) const -> decltype(log.buffers.data()) {
    const bool exists = in >= 0 && in <= graph_.ports() && channel >= 0 && channel < run_.rules.channels;
    return exists && !log.buffers.empty() ? &log.buffers[channel_at(in, channel)] : nullptr;
  }

  const RunFiles& run_;
  const NetworkGraph& graph_;
  bool has_credits_ = false;
  bool follows_buffers_ = false;
  bool waits_behind_switch_ = false;  ///< so rows alone do not show when flits leave buffers
  Step last_ = 0;                     ///< no row after it is needed
  std::vector<std::int32_t> log_at_;  ///< [node] index in logs_, or -1
  std::vector<Log> logs_;
  OpenRequests requests_;
  std::optional<FlitPriorities> priorities_{};
};

}  // namespace starloom::links
