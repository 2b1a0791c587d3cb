// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Counts of events on the couplers of a POPS network in one slot: a row of `slots.csv`.
#include <cstdint>

namespace starloom::pops {

struct SlotCounts {
  std::int64_t drives = 0;      ///< couplers driven, counted once for each driver
  std::int64_t delivered = 0;   ///< processors that heard a message
  std::int64_t collisions = 0;  ///< couplers with two or more drivers
  std::int64_t listeners = 0;   ///< processors that sampled a coupler

  /// Adds the counts of other couplers in the same slot.
  SlotCounts& operator+=(const SlotCounts& more) {
    drives += more.drives;
    delivered += more.delivered;
    collisions += more.collisions;
    listeners += more.listeners;
    return *this;
  }
  friend bool operator==(const SlotCounts& a, const SlotCounts& b) {
    return a.drives == b.drives && a.delivered == b.delivered && a.collisions == b.collisions &&
           a.listeners == b.listeners;
  }
};

}  // namespace starloom::pops
