// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file How a processor chooses the channels of its local in-port.
#include <starloom/router/channel_set.hpp>

namespace starloom::router {

/// A packet that begins takes the first channel behind the one used last that has room, the first packet channel 0 if
/// it can, and keeps it to its tail.
class SourceChannels {
 public:
  explicit SourceChannels(int channels) : current_(channels - 1) {}

  /// The channel into which the next flit goes in this step, or -1 if it has to wait.
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
