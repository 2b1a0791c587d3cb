// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Comparing a message-level model with controllers, slot by slot.
#include <gtest/gtest.h>

#include "support/pops_stepper.hpp"

namespace starloom::pops {

inline void expect_same(const MessageRun& model, const SteppedRun& plain) {
  ASSERT_EQ(plain.breach, nullptr) << plain.breach;
  ASSERT_EQ(model.slots.size(), plain.slots.size());
  for (std::size_t slot = 0; slot < model.slots.size(); ++slot) {
    const SlotCounts &a = model.slots[slot], &b = plain.slots[slot];
    ASSERT_TRUE(a == b) << "slot " << slot << ": " << a.drives << "," << a.delivered << "," << a.collisions << ","
                        << a.listeners << " and " << b.drives << "," << b.delivered << "," << b.collisions << ","
                        << b.listeners;
  }
  EXPECT_EQ(model.delivered, plain.delivered);
  EXPECT_EQ(model.data_drives, plain.data_drives);
  EXPECT_EQ(model.ack_drives, plain.ack_drives);
  EXPECT_EQ(model.max_load, plain.max_load);
  EXPECT_EQ(model.drain_from, plain.drain_from);
}

}  // namespace starloom::pops
