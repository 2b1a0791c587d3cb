// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/saturation.hpp>

#include <algorithm>
#include <utility>

namespace starloom {

SaturationSearch::SaturationSearch(SaturationDefinition definition, const LoadRange& range,
                                   std::optional<double> within)
    : definition_(definition),
      requested_within_(within),
      most_(range.most),
      greatest_(range.full),
      lightest_(std::min(0.01 * range.most, range.full / 50)) {}

double SaturationSearch::most_within() const {
  return requested_within_.value_or(std::min(0.005 * most_, 0.02 * greatest_));
}

std::vector<double> SaturationSearch::wanted(std::size_t most) const {
  for (const double load : {lightest_, greatest_})
    if (known_.count(load) == 0) return {load};
  if (measures_beyond_bound() && known_.count(beyond_bound()) == 0) return {beyond_bound()};
  std::vector<double> loads;
  // Halves of halves, breadth first: the first request decides first.
  std::vector<std::pair<double, double>> intervals = {{low_, high_}};
  for (std::size_t i = 0; i < intervals.size() && loads.size() < most; ++i) {
    const auto [low, high] = intervals[i];
    if ((high - low) / 2 <= most_within()) continue;
    const double middle = (low + high) / 2;
    if (known_.count(middle) == 0) loads.push_back(middle);
    intervals.emplace_back(low, middle);
    intervals.emplace_back(middle, high);
  }
  return loads;
}

void SaturationSearch::learn(const LoadMetrics& metrics) {
  known_[metrics.load].metrics = metrics;
  if (metrics.load == lightest_ && metrics.lost > 0) {
    decided_.push_back(lightest_);
    if (2 * metrics.lost >= metrics.runs) greatest_ = high_ = lightest_;
    lightest_ /= 2;
    return;
  }
  settle();
}

void SaturationSearch::refuse(double load) {
  known_[load].refused = true;
  settle();
}

/// Moves the ends while the load between them is known.
void SaturationSearch::settle() {
  if (known_.count(lightest_) == 0 || known_.count(greatest_) == 0) return;
  if (!ends_known_) {
    ends_known_ = true;
    decided_.insert(decided_.end(), {lightest_, greatest_});
    const Load& greatest = known_[greatest_];
    saturates_ = !greatest.refused && is_beyond(greatest.metrics);
    if (!greatest.refused && !saturates_) low_ = high_;
  }
  if (measures_beyond_bound() && !at_bound_)
    if (const auto beyond = known_.find(beyond_bound()); beyond != known_.end()) {
      decided_.push_back(beyond_bound());
      at_bound_ = !beyond->second.refused && is_beyond(beyond->second.metrics);
    }
  while ((high_ - low_) / 2 > most_within()) {
    const double middle = (low_ + high_) / 2;
    const auto found = known_.find(middle);
    if (found == known_.end()) return;
    decided_.push_back(middle);
    const Load& load = found->second;
    if (!load.refused && !is_beyond(load.metrics)) {
      low_ = middle;
    } else {
      high_ = middle;
      saturates_ = !load.refused;
    }
  }
}

bool SaturationSearch::is_beyond(const LoadMetrics& metrics) const {
  if (definition_ == SaturationDefinition::accepted_below_offered) return metrics.accepted < 0.95 * metrics.offered;
  // If some packets never arrived, the mean is that of the others; the majority of runs decides.
  const auto lightest = known_.at(lightest_).metrics.latency;
  return 2 * metrics.lost >= metrics.runs || (metrics.latency && lightest && *metrics.latency > 3 * *lightest);
}

std::int64_t SaturationSearch::runs() const {
  std::int64_t runs = 0;
  for (const double load : decided_) runs += known_.at(load).metrics.runs;
  return runs;
}

std::vector<LoadMetrics> SaturationSearch::loads() const {
  std::vector<LoadMetrics> loads;
  for (const double load : decided_)
    if (!known_.at(load).refused) loads.push_back(known_.at(load).metrics);
  std::sort(loads.begin(), loads.end(), [](const auto& a, const auto& b) { return a.load < b.load; });
  return loads;
}

}  // namespace starloom
