// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Requests and replies: every packet of the sources gets a reply.
#include <deque>
#include <optional>
#include <vector>

#include <starloom/core/packet.hpp>
#include <starloom/schema/keys.hpp>

namespace starloom {

/// `reply:` of a pattern.
struct ReplyRules {
  std::int32_t flits = 1;     ///< of every reply
  Step service = 1;           ///< steps from the delivery of a request to the creation of its reply, at least 1
  std::int32_t channels = 0;  ///< this number of virtual channels, the last ones, is reserved for replies; 0: shared
};

/// The keys `reply.*` of a pattern, and their values; empty: no replies.
std::vector<KeySpec> reply_keys();
std::optional<ReplyRules> reply_rules(const KeyValues& keys);

/// The replies that have not been created yet.
class Replies {
 public:
  explicit Replies(const ReplyRules& rules) : rules_(rules) {}

  /// Called for a delivered packet, in the order of deliveries. A request gets a reply `service` steps later, from
  /// its destination to its source; a reply gets none. Returns the step of the reply, or `no_step`.
  Step answer(const Packet& packet, Step delivered);
  /// The step in which the next reply is created, or `no_step`.
  Step next() const { return waiting_.empty() ? no_step : waiting_.front().created; }
  /// Takes the next reply.
  Packet take();

 private:
  ReplyRules rules_;
  std::deque<Packet> waiting_;  ///< in the order of their creation
};

}  // namespace starloom
