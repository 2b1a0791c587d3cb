// SPDX-License-Identifier: Apache-2.0
/// \file Hardware that dies and is repaired under the packets of the reference engine of virtual channels.
#include <algorithm>

#include "support/plain_channels.hpp"

namespace starloom::links {
namespace {

/// Removes entries of all steps.
template <class Entry, class Condition>
void remove_from(std::map<Step, std::vector<Entry>>& table, const Condition& is_removed) {
  for (auto at = table.begin(); at != table.end();) {
    auto& entries = at->second;
    entries.erase(std::remove_if(entries.begin(), entries.end(), is_removed), entries.end());
    at = entries.empty() ? table.erase(at) : std::next(at);
  }
}

}  // namespace

void PlainChannels::act_on_faults(const std::vector<FaultEvent>& events) {
  // In skipped steps, the state was that at their beginning.
  count_use(executed_ + 1, now_);
  executed_ = now_ - 1;
  for (const FaultEvent& event : events)
    if (!event.dies) repair(event);
  receive_links();
  take_arrivals();
  std::set<PacketId> cut;
  for (const FaultEvent& event : events)
    if (event.dies) cut.merge(cut_by(event));
  purge(cut, LossCause::cut);
  for (const FaultEvent& event : events)
    if (event.dies) kill(event);
  if (!events.empty()) purge(without_way(true), LossCause::no_way);
}

void PlainChannels::lose_heads() {
  for (std::set<PacketId> lost = without_way(false); !lost.empty(); lost = without_way(false))
    purge(lost, LossCause::no_way);
}

std::set<PacketId> PlainChannels::under_way() const {
  std::set<PacketId> packets;
  for (const Router& router : routers_)
    for (const Input& input : router.inputs)
      for (const Flit& flit : input.buffer) packets.insert(flit.packet);
  for (const auto* table : {&arrivals_, &consumptions_})
    for (const auto& [step, moves] : *table)
      for (const Move& move : moves) packets.insert(move.flit.packet);
  for (const auto& [link, replay] : replays_)
    for (const Move& move : replay.not_accepted()) packets.insert(move.flit.packet);
  for (NodeId node = 0; node < graph_.nodes(); ++node)
    for (int queue = 0; queue < memory_.queues(); ++queue)
      if (const NodeId number = memory_.queue_of(node, queue); memory_.flits_sent(number) > 0)
        packets.insert(memory_.front(number));
  return packets;
}

int PlainChannels::place_behind(const FaultEvent& event) const {
  return event.port == graph_.ports() ? places_ - 1 : place_of(event.port);
}

void PlainChannels::repair(const FaultEvent& event) {
  Router& router = routers_[static_cast<std::size_t>(event.node)];
  if (event.port == no_port) {
    std::fill(router.room.begin(), router.room.end(), router.most_room);
    return;
  }
  const LinkEnd to = event.port == graph_.ports() ? LinkEnd{} : graph_.far_end(event.node, event.port);
  for (int channel = 0; channel < channels_; ++channel) {
    Output& output = router.outputs[static_cast<std::size_t>(place_behind(event) * channels_ + channel)];
    output.dead = false;
    if (!to.connected()) continue;
    const Router& behind = routers_[static_cast<std::size_t>(to.node)];
    const auto in = static_cast<std::size_t>(place_of(to.port) * channels_ + channel);
    output.credits = output.capacity - static_cast<int>(behind.inputs[in].buffer.size());
  }
}

/// Words and credits that are on their way over what has died are lost; a dead processor sends no packet.
void PlainChannels::kill(const FaultEvent& event) {
  const auto lose_words = [&](NodeId node, int place) {
    remove_from(credit_words_,
                [&](const Credit& word) { return word.first == node && word.second / channels_ == place; });
  };
  if (event.port == no_port) {
    lose_words(event.node, places_ - 1);
    return remove_from(source_credits_, [&](const Credit& credit) { return credit.first == event.node; });
  }
  const int place = place_behind(event);
  for (int channel = 0; channel < channels_; ++channel)
    routers_[static_cast<std::size_t>(event.node)].outputs[static_cast<std::size_t>(place * channels_ + channel)].dead =
        true;
  if (event.port == graph_.ports()) return give_up_memory(event.node);
  const LinkEnd to = graph_.far_end(event.node, event.port);
  if (const auto replay = replays_.find({event.node, event.port}); replay != replays_.end()) replay->second.reset();
  lose_words(to.node, place_of(to.port));
  remove_from(credits_,
              [&](const Credit& credit) { return credit.first == event.node && credit.second / channels_ == place; });
}

/// The packets that use hardware in the step in which it dies, after the arrivals of the step.
std::set<PacketId> PlainChannels::cut_by(const FaultEvent& event) const {
  std::set<PacketId> packets;
  const Router& router = routers_[static_cast<std::size_t>(event.node)];
  const auto add_owners = [&](int place) {
    for (int out = place * channels_; out < (place + 1) * channels_; ++out) {
      const Output& output = router.outputs[static_cast<std::size_t>(out)];
      if (output.owner < 0) continue;
      packets.insert(output.carries != no_packet
                         ? output.carries
                         : router.inputs[static_cast<std::size_t>(output.owner)].buffer.front().packet);
    }
  };
  const auto add_moves = [&](const std::map<Step, std::vector<Move>>& table, const auto& condition) {
    for (const auto& [step, moves] : table)
      for (const Move& move : moves)
        if (condition(move)) packets.insert(move.flit.packet);
  };
  if (event.port == no_port) {
    for (const Input& input : router.inputs)
      for (const Flit& flit : input.buffer) packets.insert(flit.packet);
    add_moves(arrivals_, [&](const Move& move) { return move.node == event.node; });
  } else if (event.port == graph_.ports()) {
    add_owners(places_ - 1);
    add_moves(consumptions_, [&](const Move& move) { return move.node == event.node; });
    for (int queue = 0; queue < memory_.queues(); ++queue)
      if (const NodeId number = memory_.queue_of(event.node, queue); memory_.flits_sent(number) > 0)
        packets.insert(memory_.front(number));
  } else {
    const LinkEnd to = graph_.far_end(event.node, event.port);
    add_owners(place_of(event.port));
    add_moves(arrivals_,
              [&](const Move& move) { return move.node == to.node && move.channel / channels_ == place_of(to.port); });
    if (const auto replay = replays_.find({event.node, event.port}); replay != replays_.end())
      for (const Move& move : replay->second.not_accepted()) packets.insert(move.flit.packet);
  }
  return packets;
}

/// The packets of heads that no choice of their routing function leads on.
/// \param begun in an earlier step; else in this one.
std::set<PacketId> PlainChannels::without_way(bool begun) const {
  std::set<PacketId> packets;
  for (NodeId node = 0; node < graph_.nodes(); ++node) {
    const Router& router = routers_[static_cast<std::size_t>(node)];
    for (int number = 0; number < count_; ++number) {
      const Input& input = router.inputs[static_cast<std::size_t>(number)];
      if (input.buffer.empty() || input.state == State::active || begun != (input.state != State::idle)) continue;
      const Flit& head = input.buffer.front();
      routing::Choices choices;
      (begun ? *input.asked : algorithm())
          .function_of(packet(head.packet))
          ->route({node, port_of(number), number % channels_, head.destination, head.header[0]}, choices);
      if (std::all_of(choices.begin(), choices.end(), [&](const routing::Choice& choice) {
            return is_dead({node, choice.port});
          }))
        packets.insert(head.packet);
    }
  }
  return packets;
}

void PlainChannels::purge(const std::set<PacketId>& packets, LossCause cause) {
  const auto is_purged = [&](const Flit& flit) { return packets.count(flit.packet) != 0; };
  for (NodeId node = 0; node < graph_.nodes(); ++node) {
    Router& router = routers_[static_cast<std::size_t>(node)];
    for (Output& output : router.outputs) {
      if (output.owner < 0) continue;
      Input& owner = router.inputs[static_cast<std::size_t>(output.owner)];
      const PacketId packet = output.carries != no_packet ? output.carries : owner.buffer.front().packet;
      if (packets.count(packet) == 0) continue;
      if (const auto held = router.held.find(in_line(output.owner));
          held != router.held.end() && held->second == output.owner)
        router.held.erase(held);
      output.owner = -1;
      output.carries = no_packet;
      owner.state = State::idle;
      owner.output = -1;
    }
    for (int in = 0; in < count_; ++in) {
      Input& input = router.inputs[static_cast<std::size_t>(in)];
      if (input.buffer.empty()) continue;
      if (is_purged(input.buffer.front())) input.state = State::idle;
      for (const Stored& flit : input.buffer)
        if (is_purged(flit)) {
          drop(flit, node);
          give_credit(node, in);
        }
      input.buffer.erase(std::remove_if(input.buffer.begin(), input.buffer.end(), is_purged), input.buffer.end());
    }
    for (auto& [place, packet] : router.crossbar)
      if (packets.count(packet) != 0) packet = no_packet;
    for (auto& [place, packet] : router.passed)
      if (packets.count(packet) != 0) packet = no_packet;
  }
  for (const auto& [step, moves] : arrivals_)
    for (const Move& move : moves) {
      if (!is_purged(move.flit)) continue;
      const bool local = move.channel / channels_ == places_ - 1;
      const LinkEnd from = local ? LinkEnd{move.node, no_port} : graph_.near_end(move.node, port_of(move.channel));
      if (local || replays_.empty()) drop(move.flit, from.node);
      else drop(move.flit, {from.node, from.port}, move.node);
      give_credit(move.node, move.channel);
    }
  for (auto& [link, replay] : replays_) {
    for (const Move& move : replay.not_accepted()) {
      if (!is_purged(move.flit)) continue;
      drop(move.flit, {link.node, link.port}, move.node);
      give_credit(move.node, move.channel);
    }
    replay.blank([&](const Move& move) { return is_purged(move.flit); });
  }
  discarded_.erase(
      std::remove_if(discarded_.begin(), discarded_.end(), [&](const Move& move) { return is_purged(move.flit); }),
      discarded_.end());
  for (const auto& [step, moves] : consumptions_)
    for (const Move& move : moves) {
      if (!is_purged(move.flit)) continue;
      drop(move.flit, move.node);
      credits_[step + 2 + declaration_.credit_extra].push_back({move.from, move.channel});
    }
  for (auto* table : {&arrivals_, &consumptions_, &crossings_})
    remove_from(*table, [&](const Move& move) { return is_purged(move.flit); });
  for (const PacketId id : packets) {
    const Packet& facts = packet(id);
    const NodeId queue = memory_.queue_of(facts.source, memory_.queues() > 1 ? facts.traffic_class : 0);
    if (memory_.front(queue) == id) memory_.take_packet(queue);
    lose(id, cause);
  }
}

}  // namespace starloom::links
