// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Classes of traffic (docs/traffic-classes.md).
#include <cstdint>
#include <optional>
#include <string>

#include <starloom/routing/channel_classes.hpp>

namespace starloom {

/// Packets with channels and a priority of their own. A processor has a queue for each class.
struct TrafficClass {
  std::string name;
  std::optional<routing::ChannelRange> channels{};  ///< of every port; none: all
  std::int64_t priority = 0;                        ///< greater ones come first, if routers decide by class
};

}  // namespace starloom
