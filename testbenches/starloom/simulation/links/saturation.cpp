// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/saturation.hpp>

#include <algorithm>
#include <cmath>

namespace starloom::links {
namespace {

constexpr Step looks = 16;             ///< in the measurement phase
constexpr double least_growth = 0.05;  ///< of the backlog, by what was created
/// What to do about it.
const std::string go_on = "; lower traffic.rate, or let it go on with limits.latency: off";
constexpr double chance = 4;  ///< standard deviations of a number of packets

}  // namespace

Saturation::Saturation(const Phases& phases, double limit, const NetworkGraph& graph, const Algorithm& algorithm)
    : from_(phases.warmup),
      to_(phases.warmup + phases.measure),
      period_(std::max<Step>(1, phases.measure / looks)),
      quarter_(from_ + (phases.measure + 3) / 4),
      limit_(limit),
      graph_(graph),
      algorithm_(algorithm),
      look_(from_) {}

bool Saturation::found(Step next, const RunRecord& record) {
  for (; next == no_step || look_ <= next; look_ += period_) {
    if (look(record)) return true;
    // Nothing will change any more.
    if (next == no_step) return false;
    // Nor until `next`; and the backlog of later looks is not asked for.
    if (look_ > to_) look_ += (next - look_) / period_ * period_;
  }
  return false;
}

bool Saturation::look(const RunRecord& record) {
  counts_.push_back({record.created_count(), record.delivered_count});
  if (look_ < quarter_ || counts_.size() < 2) return false;
  if (counts_.back().delivered == counts_[counts_.size() - 2].delivered) return false;
  if (look_ <= to_ && backlog_grows())
    reason_ = "more packets are created than arrive, in every part of the measurement phase" + go_on;
  else if (latency_is_above(record))
    reason_ =
        "the mean latency of the measurement phase is above limits.latency times the one without contention" + go_on;
  return !reason_.empty();
}

bool Saturation::backlog_grows() const {
  for (std::size_t i = 1; i < counts_.size(); ++i)
    if (counts_[i].backlog() <= counts_[i - 1].backlog()) return false;
  const Counts &last = counts_.back(), &middle = counts_[counts_.size() / 2];
  const auto growth = static_cast<double>(last.backlog() - middle.backlog());
  const auto created = static_cast<double>(last.created - middle.created);
  return growth > least_growth * created && growth > chance * std::sqrt(created);
}

bool Saturation::in_phase(PacketId packet, const RunRecord& record) const {
  return packet < record.created_count() && record.packets[record.at(packet)].created < to_;
}

double Saturation::waited(PacketId packet, const RunRecord& record) const {
  const Step created = record.packets[record.at(packet)].created, delivered = record.delivered[record.at(packet)];
  return created < from_ ? 0 : static_cast<double>((delivered == no_step ? look_ : delivered) - created);
}

void Saturation::sum_up(PacketId end, const RunRecord& record) {
  for (; summed_ < end && in_phase(summed_, record); ++summed_)
    if (const Packet& packet = record.packets[record.at(summed_)]; packet.created >= from_)
      free_ += static_cast<double>(free_latency(packet));
  for (; arrived_ < end && in_phase(arrived_, record) && record.delivered[record.at(arrived_)] != no_step; ++arrived_)
    waited_ += waited(arrived_, record);
}

bool Saturation::latency_is_above(const RunRecord& record) {
  sum_up(static_cast<PacketId>(record.created_count()), record);
  double sum = waited_;
  for (PacketId p = arrived_; in_phase(p, record); ++p) sum += waited(p, record);
  return sum > limit_ * free_;
}

void Saturation::before_forgetting(PacketId first, const RunRecord& record) {
  sum_up(first, record);
  // Packets behind the phase count nothing.
  summed_ = std::max(summed_, first);
  arrived_ = std::max(arrived_, first);
}

Step Saturation::free_latency(const Packet& packet) const {
  if (packet.source == packet.destination && !algorithm_.declaration().routes_own) return 0;
  return links::free_latency(algorithm_, graph_, packet.source, packet.destination, packet.flits);
}

}  // namespace starloom::links
