// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Classes of traffic (docs/traffic-classes.md).
#include <cstdint>
#include <optional>
#include <string>

#include <starloom/core/ids.hpp>
#include <starloom/routing/channel_classes.hpp>

namespace starloom {

/// The answer to every packet that is not a reply itself.
struct ReplyRules {
  std::int32_t flits = 1;     ///< of every reply
  Step service = 1;           ///< steps from the delivery of a request to the creation of its reply, at least 1
  std::int32_t channels = 0;  ///< this number of virtual channels, the last ones, is reserved for replies; 0: shared
  int traffic_class = 0;      ///< of the replies, whose channels and priority are those of this class
  /// A processor accepts a request only while it has fewer than this number of requests whose replies it has not sent;
  /// 0: no limit.
  std::int32_t places = 0;
  /// A processor accepts a request only while it has fewer than this number of requests whose replies it has not
  /// created; 0: no limit. Without classes of traffic it holds for all packets that are not replies.
  std::int32_t queue = 0;
  /// A processor creates a reply only while fewer than this number of its replies have not left; 0: no limit.
  std::int32_t unsent = 0;
};

/// Packets with channels and a priority of their own. A processor has a queue for each class.
struct TrafficClass {
  std::string name;
  std::optional<routing::ChannelRange> channels{};  ///< of every port; none: all
  std::int64_t priority = 0;                        ///< greater ones come first, if routers decide by class
  std::optional<ReplyRules> reply{};                ///< to each of its packets; none: they get no replies
  std::optional<int> subnet = 0;                    ///< of its packets; none: each packet draws one
};

}  // namespace starloom
