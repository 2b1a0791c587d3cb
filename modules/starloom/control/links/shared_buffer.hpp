// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The buffer of an in-port whose channels share places for flits (docs/router-buffers.md).
///
/// The declaration of an algorithm contains it, so this file is not in the room of the router.
#include <algorithm>
#include <cstdint>

namespace starloom::router {

/// The most places of an in-port.
inline constexpr int most_places = 4096;

/// Each channel has some places of its own, and the channels of an in-port share the others.
struct SharedBuffer {
  std::int32_t places = 0;  ///< of an in-port; 0: none are shared, each channel has a buffer of its own
  std::int32_t own = 1;     ///< places that only one channel may take, at least 1
  std::int32_t limit = 0;   ///< flits of a channel; 0: no limit
  /// A channel has at most `places` divided by the number of channels with a packet whose tail has not been sent.
  bool divided = false;

  bool is_shared() const { return places > 0; }
  /// Places that any of `channels` channels may take.
  std::int32_t common(int channels) const { return places - channels * own; }
  /// The most flits of a channel.
  std::int32_t most_of_channel(int channels) const {
    const std::int32_t most = own + common(channels);
    return limit > 0 ? std::min(most, limit) : most;
  }
};

}  // namespace starloom::router
