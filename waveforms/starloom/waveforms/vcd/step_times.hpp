// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file When the steps of a run begin, in units of a dump's time.
#include <cstdint>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom {

/// Steps whose lengths repeat, cycle by cycle: most often all are alike, but a slot with acknowledgements is shorter than one
/// with packets (docs/optics.md).
class StepTimes {
 public:
  /// All steps alike. Rounded to picoseconds, as below.
  StepTimes(double period_ns) : StepTimes(std::vector<double>{period_ns}) {}
  /// \param cycle_ns the lengths of the steps of a cycle, at least one, none shorter than a picosecond.
  StepTimes(const std::vector<double>& cycle_ns);

  /// From a step on, which is told once, there are no cycles any more: all steps are as long as the first of a cycle.
  void end_cycles(Step from) { cycles_end_ = from; }

  /// The unit of the times below: `1 ps`.
  const char* unit() const { return unit_; }
  std::uint64_t begin(Step step) const;
  std::uint64_t middle(Step step) const { return (begin(step) + begin(step + 1)) / 2; }
  /// Length of the first step of a cycle.
  std::uint64_t period() const { return begins_[1]; }

 private:
  std::uint64_t begin_in_cycles(Step step) const;

  const char* unit_;
  std::vector<std::uint64_t>
      begins_;  ///< [step of a cycle], and of the next cycle; all even, so that middles have a time
  Step cycles_end_ = no_step;
};

}  // namespace starloom
