// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The messages of a workload in a run: creates their packets when they are due, and notes their delivery.
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/engines/engine.hpp>
#include <starloom/fabric/links/fabric.hpp>
#include <starloom/simulation/links/flow_tally.hpp>
#include <starloom/traffic/traffic.hpp>

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
  std::int64_t late = 0;          ///< created after their cycle
  Step end = 0;                   ///< the greatest completion of a message or event
  Step paused = 0;                ///< as Workload::paused
  std::vector<FlowPart> flows{};  ///< with phases, of the messages created in the measured steps
  OperationLog operations;
};

/// Entries by number, from the first one on that is still needed.
template <class Entry>
class NumberedWindow {
 public:
  std::size_t end() const { return first_ + entries_.size(); }
  /// The entry of this number, which was not dropped; new entries are made before it.
  Entry& at(std::size_t number) {
    if (number >= end()) entries_.resize(number + 1 - first_);
    return entries_[number - first_];
  }
  /// Drops the first entries, as long as they are not needed.
  template <class Test>
  void drop_while(Test&& is_done) {
    for (; !entries_.empty() && is_done(entries_.front()); ++first_) entries_.pop_front();
  }

 private:
  std::deque<Entry> entries_;
  std::size_t first_ = 0;  ///< number of the first entry
};

/// Creates the packets of messages. A node is woken in the step of the next ones, so that this step is not skipped;
/// a node that runs without an event does not act.
class MessageSource final : public TraceSink {
 public:
  /// \param fabric the one that runs; it outlives this object. \param keep the log has the messages.
  MessageSource(std::unique_ptr<Workload> workload, Fabric& fabric, const std::optional<Phases>& phases, bool keep);

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
  static constexpr std::int32_t not_created = -2;
  static constexpr std::int32_t no_message = -1;  ///< of a reply to one, or of a packet that has arrived
  struct OfPacket {
    std::int32_t message = not_created;
  };
  struct UnderWay {
    std::int32_t packets_left = not_created;
    std::int32_t flow = -1;  ///< its number in the tally; -1: it does not count
  };

  void wake();
  void announce(std::int64_t item, std::int64_t packets);
  /// A packet of a message, which are created in the same step, has arrived.
  void arrived(MessageNumber message, Step created, Step step);
  bool counts(Step created) const {
    return !phases_ || (created >= phases_->warmup && created < phases_->warmup + phases_->measure);
  }

  std::unique_ptr<Workload> workload_;
  Fabric& fabric_;
  const std::optional<Phases> phases_;
  const bool keep_;
  Announce announce_;
  MessageLog log_;
  FlowTally flows_;
  NumberedWindow<OfPacket> packets_;   ///< from the first that has not arrived; all, if departures count
  NumberedWindow<UnderWay> messages_;  ///< from the first that has not arrived
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
