// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/saturation.hpp>

#include <algorithm>
#include <utility>

namespace starloom {

std::vector<double> SaturationSearch::wanted(std::size_t most) const {
  std::vector<double> loads;
  for (const double load : {lightest_load, greatest_load})
    if (known_.count(load) == 0) loads.push_back(load);
  if (!loads.empty()) return loads;
  // Halves of halves, breadth first: what is asked for first decides first.
  std::vector<std::pair<double, double>> intervals = {{low_, high_}};
  for (std::size_t i = 0; i < intervals.size() && loads.size() < most; ++i) {
    const auto [low, high] = intervals[i];
    if ((high - low) / 2 <= within_) continue;
    const double middle = (low + high) / 2;
    if (known_.count(middle) == 0) loads.push_back(middle);
    intervals.emplace_back(low, middle);
    intervals.emplace_back(middle, high);
  }
  return loads;
}

void SaturationSearch::learn(const LoadFigures& figures) {
  known_[figures.load].figures = figures;
  settle();
}

void SaturationSearch::refuse(double load) {
  known_[load].refused = true;
  settle();
}

/// Moves the ends while the load between them is known.
void SaturationSearch::settle() {
  if (known_.count(lightest_load) == 0 || known_.count(greatest_load) == 0) return;
  if (decided_.empty()) {
    decided_ = {lightest_load, greatest_load};
    const Load& greatest = known_[greatest_load];
    saturates_ = !greatest.refused && is_beyond(greatest.figures);
    if (!greatest.refused && !saturates_) low_ = high_;
  }
  while ((high_ - low_) / 2 > within_) {
    const double middle = (low_ + high_) / 2;
    const auto found = known_.find(middle);
    if (found == known_.end()) return;
    decided_.push_back(middle);
    const Load& load = found->second;
    if (!load.refused && !is_beyond(load.figures)) {
      low_ = middle;
    } else {
      high_ = middle;
      saturates_ = !load.refused;
    }
  }
}

bool SaturationSearch::is_beyond(const LoadFigures& figures) const {
  if (definition_ == SaturationDefinition::accepted_below_offered) return figures.accepted < 0.95 * figures.offered;
  // Where packets never arrived, the mean is that of the others; most runs decide.
  const auto lightest = known_.at(lightest_load).figures.latency;
  return 2 * figures.lost >= figures.runs || (figures.latency && lightest && *figures.latency > 3 * *lightest);
}

std::int64_t SaturationSearch::runs() const {
  std::int64_t runs = 0;
  for (const double load : decided_) runs += known_.at(load).figures.runs;
  return runs;
}

std::vector<LoadFigures> SaturationSearch::loads() const {
  std::vector<LoadFigures> loads;
  for (const double load : decided_)
    if (!known_.at(load).refused) loads.push_back(known_.at(load).figures);
  std::sort(loads.begin(), loads.end(), [](const auto& a, const auto& b) { return a.load < b.load; });
  return loads;
}

}  // namespace starloom
