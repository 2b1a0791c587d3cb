// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The interface of traffic that reacts to the network: messages that are created when others are delivered.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/traffic/workloads/item_graph.hpp>
#include <starloom/traffic/workloads/operation_log.hpp>

namespace starloom {

/// The number of a message: by the step of its creation, its source, and its order in the input.
using MessageNumber = std::int64_t;

/// A message when it is created.
struct NewMessage {
  std::int64_t item = 0;           ///< its number in the workload
  MessageNumber released_by = -1;  ///< of the messages for which it waited, the one delivered last; -1: none
  Item of_input;
  MessageNumber number = -1;  ///< that of the record of a netrace file, which is a packet; -1: the next one
  Step created = no_step;     ///< of a record: the step that the results have as that of its creation
};

/// The number of packets of a message of `flits` flits, cut into packets of at most `longest` flits (0: not cut).
inline std::int64_t packets_of(std::int32_t flits, std::int32_t longest) {
  return longest == 0 ? std::min(flits, 1) : (std::int64_t{flits} + longest - 1) / longest;
}

/// A run of messages and events by one rule. An event completes in max(cycle, R + delay), a message is created in
/// max(cycle, R + delay, H + 1) and completes when it is delivered. R is the greatest completion of the items for which
/// it waits, or its cycle if there are none; H is the greatest step in which a message was delivered on which it
/// depends, directly or through events, or -1.
class Workload {
 public:
  virtual ~Workload() = default;
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;

  /// The step of the next messages; `no_step`: none will be created before another one is delivered.
  virtual Step next_creation() const = 0;
  /// Appends the messages created in `step`, in the order of their numbers. Each step of `next_creation` is taken, in
  /// ascending order.
  virtual void create(Step step, std::vector<NewMessage>& out) = 0;
  /// A message was delivered. The order of the deliveries of a step does not matter.
  virtual void delivered(MessageNumber message, Step step) = 0;
  /// True if `left` is called.
  virtual bool counts_departures() const { return false; }
  /// The last flit of a message has left its processor.
  virtual void left(MessageNumber /*message*/, Step /*step*/) {}

  /// Messages are cut into packets of at most this number of flits, a last one of the rest; 0: a message is a packet.
  virtual std::int32_t longest_packet() const = 0;
  /// The number of flits of its longest message.
  virtual std::int32_t longest_message() const = 0;
  /// The number of its messages, if it is known.
  virtual std::optional<std::int64_t> message_count() const = 0;
  /// The greatest number of items in a chain in which each waits for the one before; 0: it is not known.
  virtual std::int64_t depth() const = 0;
  /// The greatest step in which an event completes, of those that are known to; 0 if there is none.
  virtual Step last_event() const = 0;
  /// Steps in which the reader of its input had to wait for a delivery.
  virtual Step paused() const { return 0; }
  virtual std::string flow(const Item& item) const = 0;

  /// Appends the items that wait for this one.
  virtual void dependants(std::int64_t item, std::vector<std::int64_t>& out) const = 0;
  /// The events whose completion became known since the last call, none of them before one for which it waits. Called
  /// after each creation.
  virtual std::vector<std::int64_t> take_events() = 0;
  /// Set for a program of operations: their times so far.
  virtual const OperationLog* operations() const { return nullptr; }
  /// True if no further messages will be created although there are some, even if all are delivered.
  virtual bool blocked() const { return false; }
  /// Messages that were not created, each with an item for which it waits: lines for users, at most `most`.
  virtual std::vector<std::string> waiting(std::size_t most) const = 0;

 protected:
  Workload() = default;
};

}  // namespace starloom
