// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The beginnings of the steps of a run, in units of a dump's time.
#include <cstdint>
#include <string>
#include <vector>

#include <starloom/core/ids.hpp>

namespace starloom {

/// Steps whose lengths repeat, cycle by cycle: usually all are equal, but a slot with acknowledgements is shorter
/// than one with packets (docs/optics.md). Lengths are the decimal numbers of the file, and times are rounded once,
/// so step t of steps of c ns begins at t * c to half a unit, however large t is.
class StepTimes {
 public:
  /// All steps equal.
  StepTimes(double period_ns) : StepTimes(std::vector<double>{period_ns}) {}
  /// \param cycle_ns the lengths of the steps of a cycle, at least one, none negative.
  StepTimes(const std::vector<double>& cycle_ns);

  /// From a step on, set once, there are no cycles: all steps have the length of the first of a cycle.
  void end_cycles(Step from) { cycles_end_ = from; }

  /// The unit of the times below, as in dumps: `1 ps` if half of every step is an integer number of picoseconds; else
  /// the coarsest of `100 fs`, `10 fs` and `1 fs` of which every step is a multiple; else `1 fs`.
  std::string unit() const;
  /// True if the steps up to this one begin before 2^63 units. Dumps write signed times.
  bool fits(Step step) const { return step <= last_; }
  /// Takes the next coarser unit.
  void coarsen() { set_unit(unit_ + 1); }

  std::uint64_t begin(Step step) const {
    return whole_ > 0 ? static_cast<std::uint64_t>(step) * whole_ : rounded_begin(step);
  }
  std::uint64_t middle(Step step) const { return (begin(step) + begin(step + 1)) / 2; }
  /// The last step that has begun at this time; it is one that fits.
  Step step_at(std::uint64_t time) const;
  /// Length of the first step of a cycle.
  std::uint64_t period() const { return begin(1); }

 private:
  /// Exact time, in 10^-13 fs: no length above 1 ps has further decimals as a double.
  __extension__ using Exact = unsigned __int128;

  Exact exact_begin(Step step) const;
  std::uint64_t rounded_begin(Step step) const;
  void set_unit(int unit);

  std::vector<Exact> begins_;  ///< [step of a cycle], and of the next cycle
  Step cycles_end_ = no_step;
  int unit_ = 0;             ///< 10^unit_ fs
  Exact size_ = 1;           ///< of the unit
  Step last_ = 0;            ///< the last that fits
  std::uint64_t whole_ = 0;  ///< units of every step, if all are equal and integers; else 0
};

}  // namespace starloom
