// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/order_audit.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace starloom::links {

void OrderAudit::declare(std::int64_t item, std::int64_t packets, std::vector<std::int64_t> dependants) {
  declared_.push_back({item, packets, std::move(dependants)});
}

/// The items that wait for this one: they are announced later.
void OrderAudit::pass_on(const Declared& declared, const Packets& packets) {
  const auto item = static_cast<std::size_t>(declared.item);
  if (item >= announced_.size()) announced_.resize(std::max(item + 1, 2 * announced_.size()));
  announced_[item] = true;
  for (const std::int64_t dependant : declared.dependants) {
    const auto at = static_cast<std::size_t>(dependant);
    if (at < announced_.size() && announced_[at])
      context_.reject(context_.packet(packets.first).created, context_.packet(packets.first).source, packets.first, 0,
                      "is created after a message that waits for it");
    Awaited& awaited = waiting_[dependant];
    if (declared.packets == 0) awaited.events.push_back(events_.size() - 1);
    else awaited.messages.push_back(packets);
  }
}

void OrderAudit::announce(PacketId packet) {
  if (context_.packet(packet).reply && !context_.rules().closed_loop) return;
  if (packets_left_ == 0) {
    const auto take = [this](std::int64_t item) {
      const auto found = waiting_.find(item);
      if (found == waiting_.end()) return Awaited{};
      Awaited awaited = std::move(found->second);
      waiting_.erase(found);
      return awaited;
    };
    for (; !declared_.empty() && declared_.front().packets == 0; declared_.pop_front()) {
      events_.push_back({take(declared_.front().item), {}});
      pass_on(declared_.front(), {packet, 0});
    }
    if (declared_.empty())
      context_.reject(context_.packet(packet).created, context_.packet(packet).source, packet, 0,
                      "is not a packet of a message");
    const Declared& message = declared_.front();
    packets_left_ = message.packets;
    messages_.emplace(packet, Message{take(message.item), events_.size()});
    pass_on(message, {packet, message.packets});
  }
  if (--packets_left_ == 0) declared_.pop_front();
}

OrderAudit::Delivery OrderAudit::arrival(const Packets& packets) const {
  Delivery last;
  for (std::int64_t i = 0; i < packets.count; ++i) {
    const auto packet = static_cast<PacketId>(packets.first + i);
    const Step step = context_.stays_home(packet) ? context_.packet(packet).created : context_.delivered(packet);
    if (last.packet == no_packet || step == no_step || step > last.step) last = {packet, step};
    if (step == no_step) break;
  }
  return last;
}

OrderAudit::Delivery OrderAudit::last_of(const Awaited& awaited) const {
  Delivery last;
  const auto consider = [&last](const Delivery& other) {
    if (other.packet == no_packet || (last.packet != no_packet && last.step == no_step)) return;
    if (last.packet == no_packet || other.step == no_step || other.step > last.step) last = other;
  };
  for (const Packets& message : awaited.messages) consider(arrival(message));
  for (const std::size_t event : awaited.events) consider(events_[event].last);
  return last;
}

void OrderAudit::check(PacketId first, Step left) {
  const auto found = messages_.find(first);
  if (found == messages_.end()) return;
  check(first, left, found->second);
  messages_.erase(found);
}

void OrderAudit::check(PacketId first, Step left, const Message& message) {
  // An event completes before the messages that are created after it.
  for (; resolved_ < message.events; ++resolved_) {
    Event& event = events_[resolved_];
    event.last = last_of(event.awaited);
    event.awaited = {};
  }
  const Packet& packet = context_.packet(first);
  const Delivery last = last_of(message.awaited);
  if (last.packet == no_packet) return;
  const bool of_netrace = context_.rules().of_netrace;
  if (of_netrace && last.step != no_step && last.step == left)
    context_.reject(
        left, packet.source, first, 0,
        "leaves in the step in which packet " + std::to_string(last.packet) + " arrives, for which it waits");
  if (last.step != no_step && last.step < packet.created + (of_netrace ? 1 : 0)) return;
  context_.reject(
      packet.created, packet.source, first, 0,
      "is created, but waits for packet " + std::to_string(last.packet) +
          (last.step == no_step ? ", which has not arrived" : ", which arrives in step " + std::to_string(last.step)));
}

void OrderAudit::finish() {
  std::vector<PacketId> left;
  for (const auto& [first, message] : messages_) left.push_back(first);
  std::sort(left.begin(), left.end());
  for (const PacketId first : left) check(first, no_step);
}

}  // namespace starloom::links
