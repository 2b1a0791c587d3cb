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
  }
  return false;
}

bool Saturation::look(const RunRecord& record) {
  counts_.push_back({static_cast<std::int64_t>(record.packets.size()), record.delivered_count});
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

bool Saturation::latency_is_above(const RunRecord& record) {
  const auto measured = [&](std::size_t p) { return record.packets[p].created >= from_; };
  const auto in_phase = [&](std::size_t p) { return p < record.packets.size() && record.packets[p].created < to_; };
  for (; in_phase(summed_); ++summed_)
    if (measured(summed_)) free_ += static_cast<double>(free_latency(record.packets[summed_]));
  const auto waited = [&](std::size_t p) {
    const Step until = record.delivered[p] == no_step ? look_ : record.delivered[p];
    return measured(p) ? static_cast<double>(until - record.packets[p].created) : 0;
  };
  for (; in_phase(arrived_) && record.delivered[arrived_] != no_step; ++arrived_) waited_ += waited(arrived_);
  double sum = waited_;
  for (std::size_t p = arrived_; in_phase(p); ++p) sum += waited(p);
  return sum > limit_ * free_;
}

Step Saturation::free_latency(const Packet& packet) const {
  if (packet.source == packet.destination && !algorithm_.declaration().routes_own) return 0;
  return links::free_latency(algorithm_, graph_, packet.source, packet.destination, packet.flits);
}

}  // namespace starloom::links
