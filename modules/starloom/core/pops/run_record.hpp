// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Counts and packet times of a run on a POPS network, from the netlist or the message-level model.
#include <cstdint>
#include <optional>
#include <vector>

#include <starloom/core/ids.hpp>
#include <starloom/core/pops/slot_counts.hpp>

namespace starloom::pops {

struct RunRecord {
  std::vector<SlotCounts> slots;        ///< [slot], the blind drain included
  std::vector<std::int32_t> delivered;  ///< [packet] the slot in which it was heard + 1; -1 if it was not
  std::int64_t units = 0;               ///< cycles until no processor held its own packet; slots without cycles
  Step drain_from = no_step;            ///< the first slot after the last cycle; no_step: not observed
  std::int64_t undelivered = 0;         ///< packets that are not at their destination
  std::int64_t data_drives = 0;
  std::int64_t ack_drives = 0;
  std::int64_t max_load = 0;        ///< most data drives of one coupler
  std::optional<std::int64_t> sum;  ///< `data-sum`: in processor 0 after the last slot
  bool finished = false;            ///< the schedule was completed before a limit
};

}  // namespace starloom::pops
