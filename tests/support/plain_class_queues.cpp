// SPDX-License-Identifier: Apache-2.0
/// \file The processor of the reference engine with a queue for each class of traffic.
#include "support/plain_channels.hpp"

namespace starloom::links {

bool PlainChannels::has_packets(NodeId node) const {
  for (int number = 0; number < memory_.queues(); ++number)
    if (memory_.front(memory_.queue_of(node, number)) != no_packet) return true;
  return false;
}

/// Packets come up also while the link of a terminal is busy.
void PlainChannels::note_fronts(NodeId node) {
  Router& router = routers_[static_cast<std::size_t>(node)];
  for (int number = 0; number < static_cast<int>(options_.rules.classes.size()); ++number)
    if (const PacketId front = memory_.front(memory_.queue_of(node, number)); front != no_packet)
      router.came_up.emplace(front, static_cast<std::int64_t>(router.came_up.size()));
}

/// In a step, all classes that can send a flit are compared: the greatest priority wins, then the one that is
/// considered first.
std::optional<PlainChannels::Pick> PlainChannels::pick_class(NodeId node) {
  Router& router = routers_[static_cast<std::size_t>(node)];
  const auto& classes = options_.rules.classes;
  const int count = static_cast<int>(classes.size());
  const auto queue = [&](int number) { return memory_.queue_of(node, number); };

  std::vector<int> order;
  if (options_.rules.hold_switch && memory_.flits_sent(queue(router.sent_class)) > 0)
    order.push_back(router.sent_class);
  for (int k = 1; k <= count; ++k) order.push_back((router.sent_class + k) % count);

  std::optional<Pick> best;
  std::int64_t greatest = 0;
  int best_class = 0;
  for (const int number : order) {
    const PacketId front = memory_.front(queue(number));
    if (front == no_packet) continue;
    const std::optional<int> channel = class_channel(node, number);
    const std::string& rule = options_.rules.priority;
    const std::int64_t sequence = router.came_up.at(front);
    const std::int64_t priority = rule == "class"      ? classes[static_cast<std::size_t>(number)].priority
                                  : rule == "age"      ? -packet(front).created
                                  : rule == "sequence" ? -sequence
                                                       : 0;
    if (!channel || (best && priority <= greatest)) continue;
    best = Pick{queue(number), *channel, sequence};
    greatest = priority;
    best_class = number;
  }
  if (best) router.sent_class = best_class, router.class_channel[best_class] = best->channel;
  return best;
}

/// The channel for the next flit of a class, if one can take it.
std::optional<int> PlainChannels::class_channel(NodeId node, int number) const {
  const Router& router = routers_[static_cast<std::size_t>(node)];
  const auto used = router.class_channel.find(number);
  if (memory_.flits_sent(memory_.queue_of(node, number)) > 0)
    return room_at_source(node, used->second) > 0 ? std::optional(used->second) : std::nullopt;
  if (!may_begin_packets()) return std::nullopt;

  std::set<int> taken;
  for (const auto& [other, channel] : router.class_channel)
    if (memory_.flits_sent(memory_.queue_of(node, other)) > 0) taken.insert(channel);
  int first = options_.rules.classes[static_cast<std::size_t>(number)].first;
  int count = options_.rules.classes[static_cast<std::size_t>(number)].last - first + 1;
  if (options_.rules.next_hop_channels) {
    const Packet& head = packet(memory_.front(memory_.queue_of(node, number)));
    routing::Choices choices;
    algorithm().function_of(head)->route({node, graph_.ports(), 0, head.destination, 0}, choices);
    const Port port = choices.begin()->port;
    count /= places_;
    first += (port == graph_.ports() ? places_ - 1 : place_of(port)) * count;
  }
  std::vector<int> order{first};
  if (used != router.class_channel.end() && used->second >= first && used->second < first + count) {
    order.clear();
    for (int k = 1; k <= count; ++k) order.push_back(first + (used->second - first + k) % count);
  }
  for (const int channel : order)
    if (taken.count(channel) == 0 &&
        is_open_at_source(node, channel, packet(memory_.front(memory_.queue_of(node, number)))))
      return channel;
  return std::nullopt;
}

}  // namespace starloom::links
