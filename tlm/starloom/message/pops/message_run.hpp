// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Limits of runs of message-level models, and their results.
#include <algorithm>
#include <limits>

#include <starloom/core/pops/run_record.hpp>
#include <starloom/support/stop_flag.hpp>

namespace starloom::pops {

/// The end of a run that does not end by itself. Checked between cycles, or slots if there are no cycles.
struct MessageLimits {
  /// Records have slot numbers, and couplers twice this number, in 32 bits.
  static constexpr Step most_slots = (Step{1} << 30) - 1;

  MessageLimits() = default;
  MessageLimits(Step most)
      : slots(std::min(most, most_slots)) {}  // NOLINT(google-explicit-constructor): the usual limit
  bool interrupted() const { return interrupt != nullptr && interrupt->requested(); }
  /// True if a cycle of `length` slots must not begin in `slot`.
  bool reached(Step slot, Step length, Step last_delivery) const {
    return slot > slots - length || slot - last_delivery >= quiet || interrupted();
  }

  Step slots = most_slots;  ///< greatest number of slots; a cycle that would not fit does not begin
  Step quiet = std::numeric_limits<Step>::max();  ///< ends the run after this number of slots without a delivery
  const StopFlag* interrupt = nullptr;            ///< ends the run once this is set
  int threads = 1;                                ///< threads that share a cycle; no effect on the result
};

/// Models number packets as their sources, so `delivered` is by source.
using MessageRun = RunRecord;

}  // namespace starloom::pops
