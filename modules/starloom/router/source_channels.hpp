// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The choice of a channel of the local in-port by its processor.
#include <starloom/router/channel_set.hpp>

namespace starloom::router {

/// A new packet takes the first channel with room after the one used last (the first packet takes channel 0 if it
/// can), and keeps it to its tail.
class SourceChannels {
 public:
  explicit SourceChannels(int channels) : current_(channels - 1) {}

  /// The channel of the next flit in this step, or -1 if it has to wait.
  template <int words>
  int next(bool starts_packet, const ChannelSet<words>& with_room) {
    if (!starts_packet) return with_room.has(current_) ? current_ : -1;
    if (with_room.empty()) return -1;
    return current_ = with_room.first_behind(current_);
  }

 private:
  int current_;
};

}  // namespace starloom::router
