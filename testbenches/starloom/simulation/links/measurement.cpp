// SPDX-License-Identifier: Apache-2.0
#include <starloom/simulation/links/measurement.hpp>

#include <algorithm>

namespace starloom::links {

void Measurement::look(Step next, const Engine& engine) {
  const auto counts_before = [&](Step step) {
    const RunRecord& record = engine.record();
    return Counts{record.flits_delivered, record.delivered_count - record.own_count, record.class_flits_delivered,
                  engine.port_flits_before(step).links};
  };
  const auto passed = [next](Step step) { return next == no_step || next >= step; };
  if (!before_ && passed(from_)) before_ = counts_before(from_);
  if (!until_ && passed(to_)) until_ = counts_before(to_);
}

Step Measurement::measured_steps(Step end) const { return std::clamp(end, from_, to_) - from_; }

Measured Measurement::finish(Step end, const RunRecord& record, const PacketSums& sums) const {
  Measured measured;
  measured.steps = measured_steps(end);
  if (measured.steps == 0) return measured;
  const std::int64_t now = record.flits_delivered;
  measured.offered = sums.flits;
  measured.accepted = (until_ ? until_->delivered : now) - (before_ ? before_->delivered : now);
  const std::int64_t arrived = record.delivered_count - record.own_count;
  measured.arrived = (until_ ? until_->arrived : arrived) - (before_ ? before_->arrived : arrived);
  for (std::size_t number = 0; number < sums.classes.size(); ++number) {
    const auto delivered = [&](const std::optional<Counts>& counts) {
      return counts ? counts->class_delivered[number] : record.class_flits_delivered[number];
    };
    measured.offered_by_class.push_back(sums.classes[number].flits);
    measured.accepted_by_class.push_back(delivered(until_) - delivered(before_));
  }
  return measured;
}

LinkUse Measurement::link_use(Step end, const RunRecord& record) const {
  LinkUse use{measured_steps(end), until_ ? until_->links : record.link_load};
  for (std::size_t link = 0; link < use.flits.size(); ++link)
    use.flits[link] -= before_ ? before_->links[link] : use.flits[link];
  return use;
}

}  // namespace starloom::links
