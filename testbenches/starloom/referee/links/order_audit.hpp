// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The order of messages that wait for others, from rows (docs/workloads.md).
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/referee/links/check_context.hpp>

namespace starloom::links {

/// A message is created in a step after the delivery of all messages for which it waits, directly or through events; a
/// record of a netrace file is created in the step of the last of these deliveries at the earliest, and leaves later. A
/// broken rule is thrown as a Breach when the first flit of the message leaves its processor, or at the end of the run.
class OrderAudit {
 public:
  explicit OrderAudit(const CheckContext& context) : context_(context) {}

  /// The next message or event, in the order of their numbers, events before the items that wait for them. Its packets
  /// are the next ones that are announced and answer none.
  /// \param packets 0: an event. \param dependants the items that wait for it.
  void declare(std::int64_t item, std::int64_t packets, std::vector<std::int64_t> dependants);
  /// Packets in the order of their creation, or of their numbers.
  void announce(PacketId packet);
  void inject(const TraceRow& row) {
    if (row.flit == 0 && !messages_.empty()) check(row.packet, row.step);
  }
  /// Packets below `first` have arrived, and are about to be forgotten.
  void remove_before(PacketId first);
  /// Checks the messages that have not left.
  void finish();

 private:
  struct Declared {
    std::int64_t item = 0;
    std::int64_t packets = 0;
    std::vector<std::int64_t> dependants;
  };
  struct Packets {
    PacketId first = no_packet;
    std::int64_t count = 0;
  };
  /// The last delivery on which an item depends; no_packet: it depends on none.
  struct Delivery {
    PacketId packet = no_packet;
    Step step = no_step;  ///< no_step, but with a packet: it has not arrived
  };
  /// The items for which one waits.
  struct Awaited {
    std::vector<Packets> messages{};
    std::vector<std::size_t> events{};
    Delivery forgotten{};  ///< the last one of packets that are forgotten
  };
  struct Event {
    Awaited awaited;
    Delivery last;
  };
  struct Message {
    Awaited awaited;
    std::size_t events = 0;  ///< that were declared before it
  };

  /// \param left the step in which its first flit left its processor; no_step: none has.
  void check(PacketId first, Step left);
  void check(PacketId first, Step left, const Message& message);
  Delivery last_of(const Awaited& awaited) const;
  Delivery arrival(const Packets& packets) const;
  void forget(Awaited& awaited, PacketId first) const;
  void check_all(PacketId end);
  Awaited take(std::int64_t item);
  void pass_on(const Declared& declared, const Packets& packets);

  const CheckContext& context_;
  std::deque<Declared> declared_;                      ///< whose packets are not all known
  std::int64_t packets_left_ = 0;                      ///< of the first one of these, while it is announced
  std::unordered_map<std::int64_t, Awaited> waiting_;  ///< [item] not announced; its order has no effect
  /// [item] the first event for which it waits, plus 1; 0: none. So an event for which all items of an operation wait
  /// takes no further memory.
  std::vector<std::uint32_t> first_event_;
  std::unordered_map<PacketId, Message> messages_;  ///< [first packet] not checked; `finish` sorts them
  std::vector<bool> announced_;                     ///< [item]
  std::vector<Event> events_;
  std::size_t resolved_ = 0;  ///< events whose last delivery is known
};

}  // namespace starloom::links
