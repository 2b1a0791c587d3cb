// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The number of flits at each of many locations (nodes, ends of links) at the end of every step.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom::links {

/// Counts arrivals and departures by location. Arrivals may be reported up to `ahead` steps before they count, so
/// that a step without rows can be the first with a greater count. Every location with an arrival in a step is
/// visited at the end of it: `visit(location, count, step)`; counts of other locations have not grown.
class Occupancy {
 public:
  Occupancy(std::size_t places, Step ahead) : count_(places, 0), due_(static_cast<std::size_t>(ahead) + 1) {}

  /// Makes `step` the current one (never an earlier one); closes the steps before it.
  template <class Visit>
  void open(Step step, Visit&& visit) {
    if (step == now_) return;
    if (now_ >= 0) end(visit);
    // Beyond the ring there are no arrivals.
    const Step last = now_ + static_cast<Step>(due_.size()) - 1;
    for (Step between = now_ + 1; between < step && between <= last; ++between) {
      begin(between);
      end(visit);
    }
    begin(step);
  }
  /// Ends the current step early: later departures belong to later steps.
  template <class Visit>
  void close(Visit&& visit) {
    end(visit);
  }

  /// Adds one at `location` from step `from` on: the current step or one of the next `ahead`.
  void arrive(std::int32_t location, Step from) {
    if (from == now_) count_in(location);
    else due(from).push_back(location);
  }
  /// Subtracts one from the end of the current step on.
  void leave(std::int32_t location) { --count_[static_cast<std::size_t>(location)]; }

 private:
  std::vector<std::int32_t>& due(Step step) { return due_[static_cast<std::size_t>(step) % due_.size()]; }
  void count_in(std::int32_t location) {
    ++count_[static_cast<std::size_t>(location)];
    touched_.push_back(location);
  }
  void begin(Step step) {
    now_ = step;
    for (const std::int32_t location : due(step)) count_in(location);
    due(step).clear();
  }
  template <class Visit>
  void end(Visit&& visit) {
    for (const std::int32_t location : touched_) visit(location, count_[static_cast<std::size_t>(location)], now_);
    touched_.clear();
  }

  std::vector<std::int32_t> count_;             ///< [location]
  std::vector<std::vector<std::int32_t>> due_;  ///< [step modulo size] locations with an arrival in the step
  std::vector<std::int32_t> touched_;           ///< locations whose count grew in the current step
  Step now_ = no_step;
};

}  // namespace starloom::links
