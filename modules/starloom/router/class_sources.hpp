// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The choice of a processor among the queues of its classes of traffic (docs/traffic-classes.md).
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/router/channel_requests.hpp>
#include <starloom/router/channel_rules.hpp>
#include <starloom/router/priorities.hpp>
#include <starloom/router/source_channels.hpp>

namespace starloom::links {

/// Classes share the link into the router flit by flit: from the class behind the one that sent last, the first that
/// can send, unless a later one has a greater priority. The head of a packet takes the first channel of its class with
/// a credit behind the one that the class used last, but not one that a packet of another class is still using; the
/// first packet of a class takes only the first channel. As BookSim2, whose `_Inject` this is.
class ClassSources {
 public:
  explicit ClassSources(int classes) : queues_(static_cast<std::size_t>(classes)) {}

  /// Sends a flit of one of the queues, if one can.
  template <int words>
  void inject(ChannelView<words>& view, const RoutedClasses& classes, const ChannelRules& rules, PriorityRule rule) {
    note_fronts(view);
    std::optional<Candidate> chosen;
    const auto consider = [&](int number) {
      const PacketId packet = view.next_packet(number);
      if (packet == no_packet) return;
      const std::int64_t priority = priority_of(view, classes, rule, number);
      if (chosen && priority <= chosen->priority) return;
      const int channel = channel_of(view, classes, rules, number);
      if (channel >= 0) chosen = Candidate{number, channel, priority};
    };
    if (rules.hold_switch && view.next_packet(last_) != no_packet && !view.starts_packet(last_)) consider(last_);
    const int count = static_cast<int>(queues_.size());
    for (int behind = 1; behind <= count; ++behind) consider((last_ + behind) % count);
    if (!chosen) return;
    last_ = chosen->queue;
    Queue& queue = queues_[static_cast<std::size_t>(last_)];
    queue.channel = chosen->channel;
    if (view.starts_packet(last_)) draw_random_choice(view, classes, last_);
    view.inject(chosen->channel, last_, queue.sequence);
  }

 private:
  struct Queue {
    int channel = -1;            ///< of the last packet; -1: none was sent
    PacketId front = no_packet;  ///< as last seen
    std::int64_t sequence = 0;   ///< of that packet: the number of packets of all classes that came to a front before
  };
  struct Candidate {
    int queue;
    int channel;
    std::int64_t priority;
  };

  /// Numbers the packets that have come to the front of their queues.
  template <int words>
  void note_fronts(const ChannelView<words>& view) {
    for (std::size_t number = 0; number < queues_.size(); ++number) {
      const PacketId front = view.next_packet(static_cast<int>(number));
      if (front == no_packet || front == queues_[number].front) continue;
      queues_[number].front = front;
      queues_[number].sequence = fronts_++;
    }
  }
  /// The priorities of flits that have not left the processor.
  template <int words>
  std::int64_t priority_of(const ChannelView<words>& view, const RoutedClasses& classes, PriorityRule rule,
                           int number) const {
    const Packet& packet = view.packet(view.next_packet(number));
    if (rule == PriorityRule::of_class) return classes.of(packet).priority;
    if (rule == PriorityRule::age) return -packet.created;
    return rule == PriorityRule::sequence ? -queues_[static_cast<std::size_t>(number)].sequence : 0;
  }
  /// The channel that takes the next flit of a queue in this step, or -1.
  template <int words>
  int channel_of(const ChannelView<words>& view, const RoutedClasses& classes, const ChannelRules& rules,
                 int number) const {
    const int last = queues_[static_cast<std::size_t>(number)].channel;
    if (!view.starts_packet(number)) return view.source_credits().has(last) ? last : -1;
    const Packet& packet = view.packet(view.next_packet(number));
    const routing::ChannelRange part = channels_at_source(view, classes, rules, packet);
    router::ChannelSet<words> open = view.source_credits() & left_to_next(view, rules, packet) &
                                     router::ChannelSet<words>::range(part.first, part.has(last) ? part.count : 1);
    for (std::size_t other = 0; other < queues_.size(); ++other)
      if (!view.starts_packet(static_cast<int>(other))) open.remove(queues_[other].channel);
    if (open.empty()) return -1;
    return last < 0 ? open.first() : open.first_behind(last);
  }

  std::vector<Queue> queues_;  ///< [class]
  int last_ = 0;               ///< the class that sent last
  std::int64_t fronts_ = 0;    ///< packets that have come to a front
};

}  // namespace starloom::links
