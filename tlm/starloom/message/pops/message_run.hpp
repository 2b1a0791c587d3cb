// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file What a message-level model is told about its end, and what its run leaves behind.
#include <algorithm>
#include <limits>

#include <starloom/core/pops/run_record.hpp>
#include <starloom/support/stop_flag.hpp>

namespace starloom::pops {

/// Where a run ends that does not end by itself. Looked at between cycles, or slots where there are no cycles.
struct MessageLimits {
  /// Records hold a slot, and couplers twice its number, in 32 bits.
  static constexpr Step most_slots = (Step{1} << 30) - 1;

  MessageLimits() = default;
  MessageLimits(Step most)
      : slots(std::min(most, most_slots)) {}  // NOLINT(google-explicit-constructor): the usual limit
  bool interrupted() const { return interrupt != nullptr && interrupt->asked(); }
  /// True if a cycle of `length` slots must not begin in `slot`.
  bool reached(Step slot, Step length, Step last_delivery) const {
    return slot > slots - length || slot - last_delivery >= quiet || interrupted();
  }

  Step slots = most_slots;                        ///< the most that run; a cycle that would not fit does not begin
  Step quiet = std::numeric_limits<Step>::max();  ///< after so many without a delivery
  const StopFlag* interrupt = nullptr;            ///< once this is set
  int threads = 1;                                ///< that may share a cycle; changes nothing in the result
};

/// Models number packets as their sources, so `delivered` is by source.
using MessageRun = RunRecord;

}  // namespace starloom::pops
