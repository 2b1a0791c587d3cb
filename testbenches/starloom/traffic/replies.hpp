// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Requests and replies: every packet of the sources is answered.
#include <deque>
#include <optional>
#include <vector>

#include <starloom/core/packet.hpp>
#include <starloom/schema/keys.hpp>

namespace starloom {

/// `reply:` of a pattern.
struct ReplyRules {
  std::int32_t flits = 1;  ///< of every reply
  Step service = 1;        ///< steps from the delivery of a request to the creation of its reply, at least 1
  std::int32_t channels =
      0;  ///< the last so many virtual channels carry replies only, and no others do; 0: no division
};

/// The keys `reply.*` of a pattern, and what they say; nothing: packets are not answered.
std::vector<KeySpec> reply_keys();
std::optional<ReplyRules> reply_rules(const KeyValues& keys);

/// The replies that have not been created yet.
class Replies {
 public:
  explicit Replies(const ReplyRules& rules) : rules_(rules) {}

  /// A packet was delivered, no earlier than those before. A request is answered `service` steps later, from its
  /// destination to its source; a reply is not. Returns the step of the reply, or `no_step`.
  Step answer(const Packet& packet, Step delivered);
  /// The step in which the next reply is created, or `no_step`.
  Step next() const { return waiting_.empty() ? no_step : waiting_.front().created; }
  /// Takes the next reply.
  Packet take();

 private:
  ReplyRules rules_;
  std::deque<Packet> waiting_;  ///< by the step of their creation
};

}  // namespace starloom
