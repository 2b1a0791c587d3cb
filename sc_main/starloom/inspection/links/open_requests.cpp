// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/links/open_requests.hpp>

#include <algorithm>
#include <deque>
#include <limits>
#include <tuple>

#include <starloom/trace_io/links/messages_csv.hpp>

namespace starloom::links {

OpenRequests::OpenRequests(const RunFiles& run) : run_(run) {
  if (!run.rules.limits_requests()) return;
  const std::vector<Packet>& packets = run.packets.packets;
  answers_.assign(packets.size(), no_packet);
  if (run.rules.closed_loop) {
    read_replies();
    return;
  }
  using Facts = std::tuple<Step, NodeId, NodeId, std::int32_t, std::int32_t>;
  std::map<Facts, std::deque<PacketId>> unanswered;
  // A reply has a greater number than its request. Of packets with the same facts, replies are the last ones.
  std::map<Facts, std::size_t> alike;
  const auto facts_of = [](const Packet& packet) {
    return Facts{packet.created, packet.source, packet.destination, packet.traffic_class, packet.flits};
  };
  for (const Packet& packet : packets) ++alike[facts_of(packet)];
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const Packet& packet = packets[i];
    const Facts facts = facts_of(packet);
    std::deque<PacketId>& requests = unanswered[facts];
    if (alike[facts]-- <= requests.size()) {
      answers_[i] = requests.front();
      requests.pop_front();
      continue;
    }
    const auto& reply = run.rules.classes.at(packet.traffic_class).reply;
    if (const Step delivered = run.packets.delivered[i]; reply && delivered != no_step)
      unanswered[{delivered + reply->service, packet.destination, packet.source, reply->traffic_class, reply->flits}]
          .push_back(static_cast<PacketId>(i));
  }
}

/// A place is free from the step on in which the reply is created.
void OpenRequests::read_replies() {
  const std::vector<MessageRow> messages = read_messages(run_.folder / "messages.csv");
  freed_.assign(answers_.size(), std::numeric_limits<Step>::max());
  for (std::size_t reply = 0; reply < std::min(messages.size(), answers_.size()); ++reply) {
    const std::int64_t request = messages[reply].released_by;
    if (messages[reply].traffic_class != "reply" || request < 0 || request >= static_cast<std::int64_t>(reply))
      continue;
    answers_[reply] = static_cast<PacketId>(request);
    freed_[static_cast<std::size_t>(request)] = messages[reply].created - 1;
  }
}

std::int32_t OpenRequests::places_for(PacketId packet) const {
  if (answers_.empty() || answers_[static_cast<std::size_t>(packet)] != no_packet) return 0;
  if (run_.rules.closed_loop) return static_cast<std::int32_t>(run_.rules.closed_loop->queue);
  const auto& reply = run_.rules.classes[run_.packets.packets[static_cast<std::size_t>(packet)].traffic_class].reply;
  return reply ? reply->places : 0;
}

void OpenRequests::row(const TraceRow& row) {
  if (answers_.empty() || row.packet == no_packet) return;
  std::vector<Open>& here = requests_[row.node];
  if (row.event == TraceEvent::eject && row.flit == 0 && places_for(row.packet) > 0)
    here.push_back({row.packet, row.step,
                    freed_.empty() ? std::numeric_limits<Step>::max() : freed_[static_cast<std::size_t>(row.packet)]});
  const bool tail = row.flit + 1 == run_.packets.packets[static_cast<std::size_t>(row.packet)].flits;
  if (row.event != TraceEvent::inject || !tail || run_.rules.closed_loop) return;
  const PacketId request = answers_[static_cast<std::size_t>(row.packet)];
  const auto open = std::find_if(here.begin(), here.end(), [&](const Open& one) { return one.packet == request; });
  if (request != no_packet && open != here.end()) open->to = row.step;
}

PacketId OpenRequests::before(PacketId packet, Step step) const {
  const std::int32_t places = places_for(packet);
  if (places == 0) return no_packet;
  const Packet& facts = run_.packets.packets[static_cast<std::size_t>(packet)];
  const auto here = requests_.find(facts.destination);
  if (here == requests_.end()) return no_packet;
  std::int32_t open = 0;
  PacketId first = no_packet;
  for (const Open& one : here->second) {
    const Packet& other = run_.packets.packets[static_cast<std::size_t>(one.packet)];
    if (other.traffic_class != facts.traffic_class || one.from >= step || one.to < step) continue;
    if (open++ == 0) first = one.packet;
  }
  return open >= places ? first : no_packet;
}

}  // namespace starloom::links
