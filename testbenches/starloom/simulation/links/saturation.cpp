// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/saturation.hpp>

#include <algorithm>

namespace starloom::links {
namespace {

constexpr Step looks = 16;  ///< in the measurement phase, one at the end of each part
constexpr Step first_verdict = looks / 4;

/// Flits in flight or waiting in a saturated network, divided by P. Measured, not proved: networks that are only
/// filling have 0.9 to 1.1; at 98 % of the capacity of a link, transpose has 3.0, at 105 % 4.4; west-first between
/// its capacity and the bound of `check` has 7 to 10.
constexpr double most_pipes = 4;

/// The paths of the first packets are followed to compute their latency without contention, and then the path of one
/// packet in `one_of`. That is enough for a mean, and costs less than one percent of a run.
constexpr std::int64_t all_walked = 1024, one_of = 64;

}  // namespace

Saturation::Saturation(const Phases& phases, std::optional<double> limit, const NetworkGraph& graph,
                       const Algorithm& algorithm, const Traffic& traffic)
    : from_(phases.warmup),
      to_(phases.warmup + phases.measure),
      limit_(limit),
      graph_(graph),
      algorithm_(algorithm),
      traffic_(traffic),
      zero_load_(graph, algorithm) {}

Step Saturation::step_of_look() const {
  const Step measure = to_ - from_;
  // measure * look_ / looks, without a product beyond 64 bits.
  if (look_ <= looks) return from_ + measure / looks * look_ + measure % looks * look_ / looks;
  return to_ + (look_ - looks) * std::max<Step>(1, measure / looks);
}

void Saturation::look(Step next, const RunRecord& record, const PortFlitsBefore& ports) {
  while (!end_of_run_ && next != no_step && step_of_look() <= next) {
    examine(record, ports);
    ++look_;
    // The state does not change before `next`, and later checks use only later changes.
    if (look_ > looks && step_of_look() < next)
      look_ += (next - step_of_look()) / std::max<Step>(1, (to_ - from_) / looks);
  }
}

void Saturation::examine(const RunRecord& record, const PortFlitsBefore& ports) {
  const Step step = step_of_look();
  if (look_ == 0) before_ = ports(step);
  const Counts now{record.flits_created - record.flits_lost, record.flits_delivered};
  const bool some_arrived = look_ > 0 && now.delivered != counts_.back().delivered;
  counts_.push_back(now);
  sum_up(static_cast<PacketId>(record.end()), record);
  const bool may_end = limit_ && some_arrived && look_ >= first_verdict;
  if (look_ == looks || (look_ < looks && may_end)) verdict_ = overload(ports);
  if (!verdict_ && may_end && latency_is_above(record))
    verdict_ = SaturationVerdict{SaturationReason::latency, step, -1, no_node, now.backlog(), 0};
  if (verdict_ && may_end) end_of_run_ = step;
}

std::optional<SaturationVerdict> Saturation::overload(const PortFlitsBefore& ports) const {
  const Step step = step_of_look();
  if (step == from_) return std::nullopt;
  SaturationVerdict verdict{SaturationReason::backlog,
                            step,
                            -1,
                            no_node,
                            counts_.back().backlog(),
                            held_ / static_cast<double>(step - from_)};
  if (static_cast<double>(verdict.flits) <= most_pipes * verdict.pipe) return std::nullopt;
  name_full_port(verdict, ports(step));
  if (verdict.reason == SaturationReason::full) return verdict;
  const Counts& middle = counts_[counts_.size() / 2];
  const auto created = static_cast<double>(counts_.back().created - middle.created);
  if (static_cast<double>(verdict.flits - middle.backlog()) > traffic_.deviation(created)) return verdict;
  return std::nullopt;
}

void Saturation::name_full_port(SaturationVerdict& verdict, const PortFlits& now) const {
  const Step steps = verdict.step - from_;
  for (std::size_t link = 0; link < now.links.size(); ++link) {
    const std::int64_t flits = now.links[link] - before_.links[link];
    if (flits == 0) continue;
    const auto node = static_cast<NodeId>(link / static_cast<std::size_t>(graph_.ports()));
    const auto port = static_cast<Port>(link % static_cast<std::size_t>(graph_.ports()));
    // One more flit would not have passed.
    if ((flits + 1) * graph_.interval(node, port) <= steps) continue;
    verdict.reason = SaturationReason::full;
    verdict.link = static_cast<LinkId>(link);
    return;
  }
  for (std::size_t node = 0; node < now.to_processor.size(); ++node) {
    const auto taken_always = [&](const std::vector<std::int64_t>& after, const std::vector<std::int64_t>& before) {
      return after[node] - before[node] >= steps;
    };
    if (!taken_always(now.to_processor, before_.to_processor) &&
        !taken_always(now.from_processor, before_.from_processor))
      continue;
    verdict.reason = SaturationReason::full;
    verdict.node = static_cast<NodeId>(node);
    return;
  }
}

bool Saturation::in_phase(PacketId packet, const RunRecord& record) const {
  return packet < record.end() && record.packets[record.at(packet)].created < to_;
}

/// All attempts of a packet.
bool Saturation::are_lost(PacketId first, const RunRecord& record) const {
  return attempts_->fate_of(first, record).lost.has_value();
}

/// For a later attempt, the step of its creation, so that it has not waited.
Step Saturation::arrival(PacketId packet, const RunRecord& record) const {
  if (attempts_->is_later(packet)) return record.packets[record.at(packet)].created;
  const PacketId arrived = attempts_->fate_of(packet, record).arrived;
  return arrived == no_packet ? no_step : record.delivered[record.at(arrived)];
}

inline double Saturation::waited(PacketId packet, const RunRecord& record) const {
  if (is_lost(packet, record)) return 0;
  const Step created = record.packets[record.at(packet)].created;
  const Step delivered = attempts_ == nullptr ? record.delivered[record.at(packet)] : arrival(packet, record);
  return created < from_ ? 0 : static_cast<double>((delivered == no_step ? step_of_look() : delivered) - created);
}

void Saturation::sum_up(PacketId end, const RunRecord& record) {
  for (; summed_ < end && in_phase(summed_, record); ++summed_)
    if (const Packet& packet = record.packets[record.at(summed_)];
        packet.created >= from_ && !is_lost(summed_, record)) {
      const std::int64_t number = measured_++, weight = weight_of(number);
      if (weight == 0) continue;
      const double free = static_cast<double>(weight * free_latency(packet, number));
      if (attempts_ == nullptr || !attempts_->is_later(summed_)) free_ += free;
      held_ += packet.flits * free;
    }
  for (; arrived_ < end && in_phase(arrived_, record) && !is_left(arrived_, record, attempts_); ++arrived_)
    waited_ += waited(arrived_, record);
}

bool Saturation::latency_is_above(const RunRecord& record) const {
  double sum = waited_;
  for (PacketId p = arrived_; in_phase(p, record); ++p) sum += waited(p, record);
  return sum > *limit_ * free_;
}

void Saturation::before_removal(PacketId first, const RunRecord& record) {
  sum_up(first, record);
  // Packets after the phase do not count.
  summed_ = std::max(summed_, first);
  arrived_ = std::max(arrived_, first);
}

std::int64_t Saturation::weight_of(std::int64_t number) {
  if (number < all_walked) return 1;
  return number % one_of == 0 ? one_of : 0;
}

Step Saturation::free_latency(const Packet& packet, std::int64_t number) const {
  const routing::RoutingFunction* function = algorithm_.function_of(packet);
  if (function == nullptr) return zero_load_.latency(packet, 0);
  // The random choice of the packet is not known yet; multiples of the golden ratio are evenly distributed.
  const auto spread = static_cast<std::uint32_t>(static_cast<std::uint64_t>(number) * 2654435769u);
  const std::uint64_t count = function->random_choices_between(packet.source, packet.destination);
  return zero_load_.latency(packet, function->random_choice_between(packet.source, packet.destination,
                                                                    static_cast<std::uint32_t>(spread * count >> 32)));
}

}  // namespace starloom::links
