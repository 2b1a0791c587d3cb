// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>

#include <starloom/algorithms/broadcast/broadcast.hpp>
#include <starloom/algorithms/data_sum/data_sum.hpp>
#include <starloom/message/pops/collective_model.hpp>
#include "support/same_run.hpp"

namespace starloom::pops {
namespace {

TEST(Broadcast, OneSlotForEachSpeaker) {
  const Pops pops(4, 3);
  const std::vector<NodeId> speakers{7, 0, 7, 11};
  const auto controllers = controllers_for(pops, [&](NodeId) { return BroadcastController(speakers); });
  SteppedRun plain = run_stepper(pops, *controllers, {1, 0, 4}, 1);
  plain.delivered.resize(speakers.size());  // by packet
  const MessageRun model = broadcast(pops, speakers);
  expect_same(model, plain);
  EXPECT_EQ(model.delivered, (std::vector<std::int32_t>{1, 2, 3, 4}));
  EXPECT_EQ(model.slots[0].drives, 3);
  EXPECT_EQ(model.slots[0].delivered, 12);
}

TEST(DataSum, EverySizeGivesTheSum) {
  for (std::int32_t d = 1; d <= 20; ++d)
    for (std::int32_t g = 1; g <= 12; ++g) {
      SCOPED_TRACE(testing::Message() << "POPS(" << d << "," << g << ")");
      const Pops pops(d, g);
      const DataSumProgram program(pops);
      std::vector<std::int64_t> values;
      for (NodeId node = 0; node < pops.nodes(); ++node) values.push_back(std::int64_t{1} << node % 40);
      const auto controllers = controllers_for(
          pops, [&](NodeId node) { return DataSumController(program, values[static_cast<std::size_t>(node)]); });
      const std::int64_t sum = std::accumulate(values.begin(), values.end(), std::int64_t{0});
      const SteppedRun plain = run_stepper(pops, *controllers, {1, 0, program.slots()}, 1);
      EXPECT_EQ(controllers->at(0).sum(), sum);
      const MessageRun model = sum_values(pops, values);
      EXPECT_EQ(model.sum, sum);
      expect_same(model, plain);
      for (const SlotCounts& slot : plain.slots) EXPECT_EQ(slot.collisions, 0);
    }
}

TEST(DataSum, SlotsGrowWithTheLogarithmUntilCouplersAreShort) {
  EXPECT_EQ(DataSumProgram(Pops(1, 1)).slots(), 0);
  EXPECT_EQ(DataSumProgram(Pops(16, 16)).slots(), 8);
  EXPECT_EQ(DataSumProgram(Pops(32, 16)).slots(), 9);
  EXPECT_EQ(DataSumProgram(Pops(5, 3)).slots(), 5);
  EXPECT_EQ(DataSumProgram(Pops(64, 4)).slots(), 8 + 4 + 2 + 1 + 1 + 1 + 2);
}

}  // namespace
}  // namespace starloom::pops
