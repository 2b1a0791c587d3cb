// SPDX-License-Identifier: Apache-2.0
#include <starloom/waveforms/vcd/step_times.hpp>

#include <algorithm>
#include <cmath>

namespace starloom {

StepTimes::StepTimes(const std::vector<double>& cycle_ns) : begins_(1, 0) {
  const auto picoseconds = [](double ns) { return static_cast<std::uint64_t>(std::llround(ns * 1000)); };
  const bool even = std::all_of(cycle_ns.begin(), cycle_ns.end(), [&](double ns) { return picoseconds(ns) % 2 == 0; });
  unit_ = even ? "1 ps" : "100 fs";
  for (const double ns : cycle_ns) begins_.push_back(begins_.back() + picoseconds(ns) * (even ? 1 : 10));
}

std::uint64_t StepTimes::begin_in_cycles(Step step) const {
  const auto length = begins_.size() - 1;
  const auto steps = static_cast<std::uint64_t>(step);
  return steps / length * begins_.back() + begins_[steps % length];
}

std::uint64_t StepTimes::begin(Step step) const {
  if (cycles_end_ == no_step || step <= cycles_end_) return begin_in_cycles(step);
  return begin_in_cycles(cycles_end_) + static_cast<std::uint64_t>(step - cycles_end_) * period();
}

}  // namespace starloom
