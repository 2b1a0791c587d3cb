// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Clients that wait for replies, and servers that answer them (docs/closed-loop.md).
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/control/links/traffic_class.hpp>
#include <starloom/core/ids.hpp>

namespace starloom {

/// Each client keeps a number of requests outstanding: it creates them in step 0, and another one `think` steps after
/// the delivery of each reply. A server serves requests in the order of their deliveries, `ways` of them at a time. The
/// service of a request begins in the step of its delivery, or in that in which a way becomes free, and takes
/// `reply.service` steps. Its reply is then created, as soon as fewer than `reply.unsent` replies of the server have
/// not left its memory completely at the end of the step before; until then the request keeps its way.
struct ClosedLoop {
  enum class Choice { round_robin, uniform, nearest };

  std::vector<NodeId> servers;  ///< nodes, in the order of the list
  std::vector<NodeId> clients;  ///< nodes, in ascending order
  Choice destination = Choice::round_robin;
  std::int64_t outstanding = 1;
  std::int32_t request_flits = 1;
  ReplyRules reply{};
  Step think = 1;                          ///< at least 1
  std::int64_t ways = 1;                   ///< 0: no limit
  std::optional<std::int64_t> requests{};  ///< of each client; none: clients never end
  /// [client] position of its first server in `servers`, with round robin, or of its only one, with `nearest`.
  std::vector<std::size_t> first_server{};

  /// The names of the classes of requests and replies.
  static constexpr const char* request_class = "request";
  static constexpr const char* reply_class = "reply";
};

}  // namespace starloom
