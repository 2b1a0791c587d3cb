// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The choice of a channel of the local in-port by its processor.
#include <starloom/router/channel_requests.hpp>
#include <starloom/router/channel_rules.hpp>

namespace starloom::links {

/// A new packet takes the first channel with room after the one used last (the first packet takes channel 0 if it
/// can), and keeps it to its tail.
class SourceChannels {
 public:
  explicit SourceChannels(int channels, const ChannelRules& rules = {}) : current_(channels - 1), rules_(rules) {}

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
    using Set = router::ChannelSet<words>;
    Set with_room = view.source_credits();
    if (classes.reply_channels > 0) {
      const routing::ChannelRange own = classes.channels_of(view.packet(view.next_packet()), view.shape().channels);
      with_room &= Set::range(own.first, own.count);
    }
    if (rules_.any() && view.starts_packet()) with_room &= for_head(view, classes);
    const int channel = next(view.starts_packet(), with_room);
    if (channel < 0) return;
    if (classes.random_choice() && view.starts_packet())
      view.set_random_choice(view.random().bounded(classes.function->random_choices()));
    view.inject(channel);
  }

 private:
  /// The channels that the rules leave to the next packet.
  template <int words>
  router::ChannelSet<words> for_head(const ChannelView<words>& view, const RoutedClasses& classes) const {
    using Set = router::ChannelSet<words>;
    const int channels = view.shape().channels;
    Set open = Set::range(0, channels);
    if (rules_.wait_for_tail_credit)
      for (int channel = 0; channel < channels; ++channel)
        if (view.source_credits(channel) < view.capacity()) open.remove(channel);
    if (!rules_.next_hop_channels) return open;
    const Packet& packet = view.packet(view.next_packet());
    const routing::ChannelRange part = classes.function_of(packet).source_channels(
        {view.node(), view.shape().local, 0, packet.destination}, classes.channels_of(packet, channels));
    // As in BookSim2, only the first of them if the channel of the last packet is another one.
    return open & Set::range(part.first, part.has(current_) ? part.count : 1);
  }

  int current_;
  ChannelRules rules_;
};

}  // namespace starloom::links
