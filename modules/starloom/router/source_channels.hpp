// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The choice of a channel of the local in-port by its processor.
#include <starloom/router/channel_requests.hpp>
#include <starloom/router/channel_rules.hpp>

namespace starloom::links {

/// The channels of its processor that rules leave to a packet.
template <int words>
router::ChannelSet<words> left_to_next(const ChannelView<words>& view, const ChannelRules& rules,
                                       const Packet& packet) {
  const int channels = view.shape().channels;
  auto open = router::ChannelSet<words>::range(0, channels);
  if (!rules.wait_for_tail_credit && !rules.whole_packets) return open;
  const std::int32_t needed = rules.wait_for_tail_credit ? view.room_behind_source() : packet.flits;
  for (int channel = 0; channel < channels; ++channel)
    if (view.source_credits(channel) < needed) open.remove(channel);
  return open;
}

/// The channels of a packet at its processor: those of its class, or with next-hop channels a part of them.
template <int words>
routing::ChannelRange channels_at_source(const ChannelView<words>& view, const RoutedClasses& classes,
                                         const ChannelRules& rules, const Packet& packet) {
  const RoutedClass& own = classes.of(packet);
  if (!rules.next_hop_channels) return own.channels;
  return own.function->source_channels({view.node(), view.shape().local, 0, packet.destination}, own.channels);
}

/// The random choice of a packet whose head is injected in this step.
template <int words>
void draw_random_choice(ChannelView<words>& view, const RoutedClasses& classes, int queue = 0) {
  if (!classes.draw) return;
  const Packet& packet = view.packet(view.next_packet(queue));
  const routing::RoutingFunction& function = *classes.of(packet).function;
  const std::uint32_t count = function.random_choices_between(view.node(), packet.destination);
  view.set_random_choice(function.random_choice_between(view.node(), packet.destination, view.random().bounded(count)));
}

/// A new packet takes the first channel with room after the one used last (the first packet takes channel 0 if it
/// can), and keeps it to its tail.
class SourceChannels {
 public:
  explicit SourceChannels(int channels) : current_(channels - 1) {}

  /// The channel of the next flit in this step, or -1 if it has to wait.
  template <int words>
  int next(bool starts_packet, const router::ChannelSet<words>& with_room) {
    if (!starts_packet) return with_room.has(current_) ? current_ : -1;
    if (with_room.empty()) return -1;
    return current_ = with_room.first_behind(current_);
  }
  /// Sends the next flit of the processor's memory, which is not empty, into its channel.
  template <int words>
  void inject(ChannelView<words>& view, const RoutedClasses& classes) {
    inject(view, classes, view.source_credits());
  }
  /// The same by rules that leave fewer channels to a new packet.
  template <int words>
  void inject(ChannelView<words>& view, const RoutedClasses& classes, const ChannelRules& rules) {
    const bool limited = rules.any() && view.starts_packet();
    inject(view, classes, limited ? view.source_credits() & for_head(view, classes, rules) : view.source_credits());
  }

 private:
  template <int words>
  void inject(ChannelView<words>& view, const RoutedClasses& classes, router::ChannelSet<words> with_room) {
    using Set = router::ChannelSet<words>;
    if (classes.count > 1) {
      const routing::ChannelRange own = classes.of(view.packet(view.next_packet())).channels;
      with_room &= Set::range(own.first, own.count);
    }
    const int channel = next(view.starts_packet(), with_room);
    if (channel < 0) return;
    if (view.starts_packet()) draw_random_choice(view, classes);
    view.inject(channel);
  }
  /// The channels that the rules leave to the next packet.
  template <int words>
  router::ChannelSet<words> for_head(const ChannelView<words>& view, const RoutedClasses& classes,
                                     const ChannelRules& rules) const {
    using Set = router::ChannelSet<words>;
    const Packet& packet = view.packet(view.next_packet());
    const Set open = left_to_next(view, rules, packet);
    if (!rules.next_hop_channels) return open;
    const routing::ChannelRange part = channels_at_source(view, classes, rules, packet);
    // As in BookSim2, only the first of them if the channel of the last packet is another one.
    return open & Set::range(part.first, part.has(current_) ? part.count : 1);
  }

  int current_;
};

}  // namespace starloom::links
