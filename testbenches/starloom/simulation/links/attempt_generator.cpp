// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/attempt_generator.hpp>

#include <algorithm>
#include <utility>

namespace starloom::links {

AttemptGenerator::AttemptGenerator(const LinkErrors::Repetition& repetition, const NetworkGraph& graph, Fabric& fabric)
    : repetition_(repetition), fabric_(fabric), latencies_(graph), attempts_(repetition.attempts) {}

/// Packets are sorted by source, and those of a source from the traffic come before its attempts.
void AttemptGenerator::created(const std::vector<Packet>& packets) {
  const RunRecord& record = fabric_.engine().record();
  const auto source_of = [&](PacketId packet) { return record.packets[record.at(packet)].source; };
  std::vector<std::pair<PacketId, PacketId>> found;
  auto first = called_.rbegin();
  for (auto packet = packets.rbegin(); packet != packets.rend() && first != called_.rend(); ++packet)
    if (packet->source == source_of(*first)) found.emplace_back(packet->number, *first++);
  called_.clear();
  for (auto attempt = found.rbegin(); attempt != found.rend(); ++attempt) {
    attempts_.add(attempt->first, attempt->second);
    if (announce_) announce_(attempt->first, attempt->second);
  }
}

void AttemptGenerator::rows(const std::vector<TraceRow>& together) {
  const RunRecord& record = fabric_.engine().record();
  for (const TraceRow& row : together) {
    if (row.event == TraceEvent::inject && row.flit == 0) left(row.packet, row.step);
    const bool is_tail = row.event == TraceEvent::eject && row.flit + 1 == record.packets[record.at(row.packet)].flits;
    if (is_tail && record.delivered[record.at(row.packet)] == row.step) arrived(row.packet, row.step);
  }
}

AttemptGenerator::OfPacket& AttemptGenerator::facts_of(PacketId first) {
  const auto number = static_cast<std::size_t>(first);
  if (number >= packets_.size()) packets_.resize(number + 1);
  return packets_[number];
}

void AttemptGenerator::left(PacketId packet, Step step) {
  const PacketId first = attempts_.first_of(packet);
  if (attempts_.are_used_up(first)) return;
  OfPacket& facts = facts_of(first);
  const Step due = step + repetition_.timeout;
  if (facts.arrival != no_step && known(first, facts.arrival) <= due) return;
  due_.emplace(facts.due = due, first);
  const RunRecord& record = fabric_.engine().record();
  fabric_.engine().wake(record.packets[record.at(first)].source, due);
}

void AttemptGenerator::arrived(PacketId packet, Step step) {
  const PacketId first = attempts_.first_of(packet);
  OfPacket& facts = facts_of(first);
  if (facts.arrival != no_step) return;
  facts.arrival = step;
  if (facts.due == no_step || facts.due < known(first, step)) return;
  const auto [from, to] = due_.equal_range(facts.due);
  due_.erase(std::find_if(from, to, [first](const auto& due) { return due.second == first; }));
  facts.due = no_step;
}

Step AttemptGenerator::known(PacketId first, Step arrival) {
  const RunRecord& record = fabric_.engine().record();
  const Packet& packet = record.packets[record.at(first)];
  return arrival + std::max<Step>(1, latencies_.between(packet.source, packet.destination));
}

void AttemptGenerator::before_step(Step next) {
  const RunRecord& record = fabric_.engine().record();
  for (; !due_.empty() && due_.begin()->first == next; due_.erase(due_.begin())) {
    const PacketId first = due_.begin()->second;
    facts_of(first).due = no_step;
    called_.push_back(first);
  }
  const auto source_of = [&](PacketId packet) { return record.packets[record.at(packet)].source; };
  std::stable_sort(called_.begin(), called_.end(), [&](PacketId a, PacketId b) { return source_of(a) < source_of(b); });
  for (const PacketId first : called_) {
    Packet packet = record.packets[record.at(first)];
    packet.number = no_packet;
    fabric_.engine().create_packet(packet);
  }
}

}  // namespace starloom::links
