#pragma once
/// \file What a run of a message-level model leaves behind.
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/ids.hpp"
#include "core/slot_counts.hpp"

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

struct MessageRun {
  std::vector<SlotCounts> slots;        ///< [slot], the blind drain included
  std::vector<std::int32_t> delivered;  ///< [source] the slot in which its packet was heard + 1; -1 if it was not
  std::int64_t units = 0;               ///< cycles until no processor held its own packet; slots without cycles
  std::int64_t undelivered = 0;         ///< packets that are not at their destination
  std::int64_t data_drives = 0;
  std::int64_t ack_drives = 0;
  std::int64_t max_load = 0;        ///< most data drives of one coupler
  std::optional<std::int64_t> sum;  ///< `data-sum`: in processor 0 after the last slot
  bool finished = false;            ///< the program came to its end before a limit
};

}  // namespace starloom
