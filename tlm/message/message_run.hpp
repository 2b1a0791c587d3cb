#pragma once
/// \file What a message-level model is told about its end, and what its run leaves behind.
#include <atomic>
#include <limits>

#include "core/star_record.hpp"

namespace starloom {

/// Where a run ends that does not end by itself. Looked at between cycles, or slots where there are no cycles: none
/// begins any more.
struct MessageLimits {
  MessageLimits() = default;
  MessageLimits(Step most_slots) : slots(most_slots) {}  // NOLINT(google-explicit-constructor): the usual limit
  bool reached(Step slot, Step last_delivery) const {
    return slot >= slots || slot - last_delivery >= quiet || (interrupt != nullptr && *interrupt);
  }

  Step slots = std::numeric_limits<Step>::max();  ///< in and after this one
  Step quiet = std::numeric_limits<Step>::max();  ///< after so many without a delivery
  const std::atomic<bool>* interrupt = nullptr;   ///< once this is set
};

/// Models number packets as their sources, so `delivered` is by source.
using MessageRun = StarRecord;

}  // namespace starloom
