// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/reply_generator.hpp>

namespace starloom::links {

void ReplyGenerator::created(const std::vector<Packet>& packets) {
  const RunRecord& record = fabric_.engine().record();
  for (const Packet& packet : packets)
    if (record.delivered[record.at(packet.number)] == packet.created) answer(packet, packet.created);
}

void ReplyGenerator::rows(const std::vector<TraceRow>& together) {
  const RunRecord& record = fabric_.engine().record();
  for (const TraceRow& row : together)
    if (row.event == TraceEvent::eject && record.delivered[record.at(row.packet)] == row.step &&
        row.flit == record.packets[record.at(row.packet)].flits - 1)
      answer(record.packets[record.at(row.packet)], row.step);
}

void ReplyGenerator::before_step(Step next) {
  while (replies_.next() != no_step && replies_.next() == next) fabric_.engine().create_packet(replies_.take());
}

void ReplyGenerator::answer(const Packet& packet, Step delivered) {
  const Step due = replies_.answer(packet, delivered);
  if (due != no_step) fabric_.engine().wake(packet.destination, due);
}

}  // namespace starloom::links
