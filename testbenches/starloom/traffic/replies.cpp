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
  const std::optional<ReplyRules>& rules = rules_.at(packet.traffic_class);
  if (packet.reply || !rules) return no_step;
  const Step created = delivered + rules->service;
  waiting_.emplace(created, Packet{packet.destination, packet.source, rules->flits, created, true,
                                   static_cast<std::uint8_t>(rules->traffic_class), packet.traffic_class});
  return created;
}

Packet Replies::take() { return waiting_.extract(waiting_.begin()).mapped(); }

}  // namespace starloom
