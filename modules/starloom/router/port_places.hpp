// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The places of a shared buffer, as its sender knows them (docs/router-buffers.md).
#include <algorithm>
#include <cstdint>
#include <vector>

#include <starloom/control/links/shared_buffer.hpp>

namespace starloom::router {

/// Counts the flits of each channel that have been sent and whose credits are not back. As every channel has a place of
/// its own, the place that BookSim2 reserves for the owner of an empty channel (`_reserved_slots`) is that one.
class PortPlaces {
 public:
  PortPlaces(const SharedBuffer& buffer, int channels)
      : buffer_(buffer), common_(buffer.common(channels)), flits_(static_cast<std::size_t>(channels)) {}

  /// A packet gets a channel.
  void begin_packet() { ++open_; }
  /// A flit takes a place in a channel. \param tail the channel is left to other packets.
  void send(int channel, bool tail) {
    if (flits_[static_cast<std::size_t>(channel)]++ >= buffer_.own) ++common_taken_;
    if (tail) --open_;
  }
  /// A credit of a channel is back.
  void credit(int channel) {
    if (--flits_[static_cast<std::size_t>(channel)] >= buffer_.own) --common_taken_;
  }
  /// The number of flits that a channel may take before other channels can take a place from it.
  int own_left(int channel) const { return std::max(buffer_.own - flits_[static_cast<std::size_t>(channel)], 0); }
  /// The number of flits that a channel may take now.
  int free(int channel) const {
    const int flits = flits_[static_cast<std::size_t>(channel)];
    int free = own_left(channel) + common_ - common_taken_;
    if (buffer_.limit > 0) free = std::min(free, buffer_.limit - flits);
    if (buffer_.divided) free = std::min(free, buffer_.places / std::max(open_, 1) - flits);
    return std::max(free, 0);
  }

 private:
  SharedBuffer buffer_;
  int common_;                ///< places for flits beyond those of a channel alone
  int common_taken_ = 0;      ///< of them
  int open_ = 0;              ///< channels with a packet whose tail has not been sent
  std::vector<int> flits_{};  ///< [channel]
};

}  // namespace starloom::router
