// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The messages of a workload in a run: creates their packets when they are due, and notes their delivery.
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/engines/engine.hpp>
#include <starloom/fabric/links/fabric.hpp>
#include <starloom/traffic/workloads/workload.hpp>

namespace starloom::links {

/// A message of a run.
struct Message {
  NewMessage facts;
  Step created = no_step;    ///< no_step: no message has this number
  Step delivered = no_step;  ///< no_step: it never was
};

/// The messages of a run, by number.
struct MessageLog {
  std::vector<Message> messages;  ///< [number]; empty: they were not kept
  std::int64_t total = 0;         ///< also those that were not created
  std::int64_t delivered = 0;
  std::int64_t late = 0;  ///< created after their cycle
  Step end = 0;           ///< the greatest completion of a message or event
  Step paused = 0;        ///< as Workload::paused
  OperationLog operations;
};

/// Creates the packets of messages. A node is woken in the step of the next ones, so that this step is not skipped;
/// a node that runs without an event does not act.
class MessageSource final : public TraceSink {
 public:
  /// \param fabric the one that runs; it outlives this object. \param keep the log has the messages.
  MessageSource(std::unique_ptr<Workload> workload, Fabric& fabric, bool keep);

  /// Called, before its packets, with each message and event: its number, the number of its packets (0: an event), and
  /// the items that wait for it. Set before the run.
  using Announce = std::function<void(std::int64_t item, std::int64_t packets, std::vector<std::int64_t> dependants)>;
  void announce_to(Announce announce) { announce_ = std::move(announce); }
  /// Called before the first step.
  void begin() { wake(); }
  /// Called with the packets that are created in a step. Those for their own processors arrive without a row.
  void created(const std::vector<Packet>& packets);
  /// Called within a step for each packet whose last flit was consumed.
  void delivered(PacketId packet);
  /// True if it needs the rows of the run.
  bool counts_departures() const { return workload_->counts_departures(); }
  void rows(const std::vector<TraceRow>& together) override;
  /// Called between two steps: creates the messages of `next`.
  void before_step(Step next);
  /// True if messages will be created without a further delivery.
  bool pending() const { return workload_->next_creation() != no_step; }

  /// After the run.
  MessageLog log() &&;
  const Workload& workload() const { return *workload_; }

 private:
  static constexpr std::int32_t no_message = -1;  ///< a reply to one

  void wake();
  void announce(std::int64_t item, std::int64_t packets);
  void arrived(MessageNumber message, Step step);

  std::unique_ptr<Workload> workload_;
  Fabric& fabric_;
  const bool keep_;
  Announce announce_;
  MessageLog log_;
  std::vector<std::int32_t> message_of_;    ///< [packet]
  std::vector<std::int32_t> packets_left_;  ///< [message]
  struct Due {
    MessageNumber message;
    std::int64_t packets;
    bool reply;
  };
  std::deque<Due> due_;  ///< messages whose packets the engine creates next
  std::vector<NewMessage> new_;
  Step woken_ = no_step;  ///< the step for which a node was woken last
};

}  // namespace starloom::links
