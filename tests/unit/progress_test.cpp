// SPDX-License-Identifier: Apache-2.0
/// \file The lines that say how far a run or a campaign is.
#include <gtest/gtest.h>

#include <starloom/campaign/campaign_progress.hpp>
#include <starloom/commands/progress.hpp>

namespace starloom {
namespace {

TEST(ProgressText, SaysStepsAndPacketsUnderWay) {
  EXPECT_EQ(progress_text("step", {1200, 31'000, 4852, 4800}),
            "step 1200 of at most 31000: 52 packets in flight, 4800 delivered");
  EXPECT_EQ(progress_text("slot", {7, no_step, 16, 15}), "slot 7: 1 packet in flight, 15 delivered");
}

// The first runs of a campaign are often the short ones, of low loads.
TEST(CampaignProgress, TellsTheTimeLeftWhenATenthIsDone) {
  CampaignProgress progress("c", 20, 120);
  EXPECT_EQ(progress.line(0), "c: 20 of 120 runs, 0 failed");
  for (int run = 0; run < 9; ++run) progress.done();
  EXPECT_EQ(progress.line(3), "c: 29 of 120 runs, 3.0 runs/s, 0 failed");
  progress.failed();
  EXPECT_EQ(progress.line(5), "c: 29 of 120 runs, 2.0 runs/s, 45 s remaining, 1 failed");
}

}  // namespace
}  // namespace starloom
