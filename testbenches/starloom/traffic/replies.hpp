// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Requests and replies: packets of the sources that get a reply.
#include <map>
#include <optional>
#include <vector>

#include <starloom/control/links/traffic_class.hpp>
#include <starloom/core/packet.hpp>
#include <starloom/schema/keys.hpp>

namespace starloom {

/// The keys `reply.*` of a pattern, and their values; empty: no replies.
std::vector<KeySpec> reply_keys();
std::optional<ReplyRules> reply_rules(const KeyValues& keys);

/// The replies that have not been created yet.
class Replies {
 public:
  /// \param rules [class of traffic] null: packets of this class get no replies.
  explicit Replies(std::vector<std::optional<ReplyRules>> rules) : rules_(std::move(rules)) {}

  /// Called for a delivered packet, in the order of deliveries. A request gets a reply `service` steps later, from
  /// its destination to its source; a reply gets none. Returns the step of the reply, or `no_step`.
  Step answer(const Packet& packet, Step delivered);
  /// The step in which the next reply is created, or `no_step`.
  Step next() const { return waiting_.empty() ? no_step : waiting_.begin()->first; }
  /// Takes the next reply.
  Packet take();

 private:
  std::vector<std::optional<ReplyRules>> rules_;
  std::multimap<Step, Packet> waiting_;  ///< by the step of their creation, those of a step in the order of requests
};

}  // namespace starloom
