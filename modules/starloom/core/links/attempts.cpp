// SPDX-License-Identifier: Apache-2.0
#include <starloom/core/links/attempts.hpp>

#include <algorithm>
#include <utility>

namespace starloom::links {

void Attempts::add(PacketId attempt, PacketId first) {
  first_.emplace(attempt, first);
  later_[first].push_back(attempt);
}

PacketId Attempts::first_of(PacketId packet) const {
  const auto found = first_.find(packet);
  return found == first_.end() ? packet : found->second;
}

const std::vector<PacketId>& Attempts::later_of(PacketId first) const {
  static const std::vector<PacketId> none;
  const auto found = later_.find(first);
  return found == later_.end() ? none : found->second;
}

/// A packet that never left its processor has no further attempt.
Attempts::Fate Attempts::fate_of(PacketId first, const std::vector<Step>& delivered, const std::vector<Step>& injected,
                                 const Losses& lost) const {
  Fate fate;
  Step arrival = no_step;
  std::int64_t arrived = 0;
  const auto see = [&](PacketId attempt) {
    const Step step = delivered[static_cast<std::size_t>(attempt)];
    if (step == no_step) return;
    ++arrived;
    if (arrival != no_step && arrival <= step) return;
    arrival = step;
    fate.arrived = attempt;
  };
  see(first);
  for (const PacketId attempt : later_of(first)) see(attempt);
  if (arrived > 0) {
    fate.duplicates = arrived - 1;
    return fate;
  }
  const PacketId last = last_of(first);
  const auto found = lost.find(last);
  if (found != lost.end() && (are_used_up(first) || injected[static_cast<std::size_t>(last)] == no_step))
    fate.lost = found->second;
  return fate;
}

bool Attempts::is_left(PacketId packet, const RunRecord& record) const {
  if (is_later(packet)) return false;
  const Fate fate = fate_of(packet, record);
  return fate.arrived == no_packet && !fate.lost;
}

std::int64_t leave_first_attempts(const PacketFates& of_attempts, const Attempts& attempts) {
  const auto& [packets, delivered, injected, lost] = of_attempts;
  std::int64_t duplicates = 0;
  Losses of_packets;
  std::vector<Step> arrivals(packets.size(), no_step);
  for (std::size_t number = 0; number < packets.size(); ++number) {
    const auto packet = static_cast<PacketId>(number);
    if (!packets[number].exists() || attempts.is_later(packet)) continue;
    const Attempts::Fate fate = attempts.fate_of(packet, delivered, injected, lost);
    if (fate.arrived != no_packet) arrivals[number] = delivered[static_cast<std::size_t>(fate.arrived)];
    if (fate.lost) of_packets.emplace(packet, *fate.lost);
    duplicates += fate.duplicates;
  }
  for (const auto& [later, first] : attempts.firsts()) packets[static_cast<std::size_t>(later)] = missing_packet;
  delivered = std::move(arrivals);
  lost = std::move(of_packets);
  return duplicates;
}

RunRecord of_first_attempts(RunRecord record, const Attempts& attempts) {
  record.injected.resize(record.packets.size(), no_step);
  for (const auto& [later, first] : attempts.firsts()) {
    const PacketId arrived = attempts.fate_of(first, record).arrived;
    if (arrived != no_packet) record.hops[record.at(first)] = record.hops[record.at(arrived)];
  }
  record.duplicates = leave_first_attempts({record.packets, record.delivered, record.injected, record.lost}, attempts);
  record.missing += static_cast<std::int64_t>(attempts.firsts().size());
  record.delivered_count = static_cast<std::int64_t>(
      std::count_if(record.delivered.begin(), record.delivered.end(), [](Step step) { return step != no_step; }));
  record.lost_count = static_cast<std::int64_t>(record.lost.size());
  record.lost_by_cause = {};
  for (const auto& [packet, loss] : record.lost) ++record.lost_by_cause[static_cast<std::size_t>(loss.cause)];
  return record;
}

}  // namespace starloom::links
