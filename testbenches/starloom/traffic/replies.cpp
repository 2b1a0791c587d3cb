// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/replies.hpp>

#include <limits>

namespace starloom {

std::vector<KeySpec> reply_keys() {
  return {integer_key("reply.flits", "open loop: length of the reply to each packet")
              .within(1, std::numeric_limits<std::int32_t>::max())
              .measured_in("flits")
              .is_required(),
          integer_key("reply.service", "time from the delivery of a packet to the creation of its reply")
              .within(1, 1e9)
              .measured_in("steps")
              .is_required(),
          integer_key("reply.channels",
                      "number of virtual channels reserved for replies (the highest-numbered ones); default: replies "
                      "share all channels")
              .within(1, 1024)};
}

std::optional<ReplyRules> reply_rules(const KeyValues& keys) {
  if (!keys.has("reply.flits")) return std::nullopt;
  ReplyRules rules;
  rules.flits = static_cast<std::int32_t>(keys.integer("reply.flits"));
  rules.service = keys.integer("reply.service");
  if (keys.has("reply.channels")) rules.channels = static_cast<std::int32_t>(keys.integer("reply.channels"));
  return rules;
}

Step Replies::answer(const Packet& packet, Step delivered) {
  if (packet.reply) return no_step;
  waiting_.push_back({packet.destination, packet.source, rules_.flits, delivered + rules_.service, true});
  return waiting_.back().created;
}

Packet Replies::take() {
  const Packet reply = waiting_.front();
  waiting_.pop_front();
  return reply;
}

}  // namespace starloom
