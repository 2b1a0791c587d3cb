// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The choice of a channel of the local in-port by its processor.
#include <starloom/router/channel_requests.hpp>

namespace starloom::links {

/// A new packet takes the first channel with room after the one used last (the first packet takes channel 0 if it
/// can), and keeps it to its tail.
class SourceChannels {
 public:
  /// \param whole a packet takes only channels whose buffer is empty, as far as the processor knows.
  explicit SourceChannels(int channels, bool whole = false) : current_(channels - 1), whole_(whole) {}

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
      const int others = view.shape().channels - classes.reply_channels;
      with_room &=
          view.packet(view.next_packet()).reply ? Set::range(others, classes.reply_channels) : Set::range(0, others);
    }
    if (whole_ && view.starts_packet())
      with_room.for_each([&](int channel) {
        if (view.source_credits(channel) < view.capacity()) with_room.remove(channel);
      });
    const int channel = next(view.starts_packet(), with_room);
    if (channel < 0) return;
    if (classes.random_choice() && view.starts_packet())
      view.set_random_choice(view.random().bounded(classes.function->random_choices()));
    view.inject(channel);
  }

 private:
  int current_;
  bool whole_;
};

}  // namespace starloom::links
