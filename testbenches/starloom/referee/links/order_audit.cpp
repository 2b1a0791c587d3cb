// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/order_audit.hpp>

#include <algorithm>
#include <limits>
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
    if (declared.packets > 0) {
      waiting_[dependant].messages.push_back(packets);
      continue;
    }
    if (at >= first_event_.size()) first_event_.resize(std::max(at + 1, 2 * first_event_.size()));
    if (first_event_[at] == 0) first_event_[at] = static_cast<std::uint32_t>(events_.size());
    else waiting_[dependant].events.push_back(events_.size() - 1);
  }
}

/// The items for which one waits that is announced now.
OrderAudit::Awaited OrderAudit::take(std::int64_t item) {
  Awaited awaited;
  if (const auto found = waiting_.find(item); found != waiting_.end()) {
    awaited = std::move(found->second);
    waiting_.erase(found);
  }
  const auto at = static_cast<std::size_t>(item);
  if (at < first_event_.size() && first_event_[at] > 0) awaited.events.push_back(first_event_[at] - 1);
  return awaited;
}

void OrderAudit::announce(PacketId packet) {
  if (context_.packet(packet).reply && !context_.rules().closed_loop) return;
  if (packets_left_ == 0) {
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
  Delivery last = awaited.forgotten;
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

/// Keeps the last delivery of the packets below `first`.
void OrderAudit::forget(Awaited& awaited, PacketId first) const {
  Awaited gone;
  gone.forgotten = awaited.forgotten;
  std::vector<Packets> left;
  for (const Packets& message : awaited.messages) {
    const std::int64_t below = std::min(message.count, std::max<std::int64_t>(first - message.first, 0));
    if (below > 0) gone.messages.push_back({message.first, below});
    if (below < message.count) left.push_back({static_cast<PacketId>(message.first + below), message.count - below});
  }
  awaited.forgotten = last_of(gone);
  awaited.messages = std::move(left);
}

void OrderAudit::remove_before(PacketId first) {
  check_all(first);  // packets for their own processors never leave
  for (auto& [item, awaited] : waiting_) forget(awaited, first);
  for (auto& [packet, message] : messages_) forget(message.awaited, first);
  for (std::size_t event = resolved_; event < events_.size(); ++event) forget(events_[event].awaited, first);
}

/// Checks the messages below `end` that have not left.
void OrderAudit::check_all(PacketId end) {
  std::vector<PacketId> left;
  for (const auto& [first, message] : messages_)
    if (first < end) left.push_back(first);
  std::sort(left.begin(), left.end());
  for (const PacketId first : left) check(first, no_step);
}

void OrderAudit::finish() { check_all(std::numeric_limits<PacketId>::max()); }

}  // namespace starloom::links
