// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include <starloom/commands/interrupt.hpp>

namespace starloom {
namespace {

constexpr int done = 7;

/// After these signals, work that continues for longer than the patience of the first one.
[[noreturn]] void work_after(const std::function<void()>& signals) {
  catch_interrupts();
  signals();
  for (int wait = 0; wait < 15; ++wait) ::usleep(100000);
  std::_Exit(done);
}

TEST(InterruptDeathTest, EndsWhatDoesNotLook) {
  EXPECT_EXIT(work_after([] { std::raise(SIGINT); }), testing::KilledBySignal(SIGINT), "");
}

// Writing its results takes time.
TEST(InterruptDeathTest, LeavesTimeToWhatHasLooked) {
  const auto look = [] {
    std::raise(SIGTERM);
    if (!interrupt_flag().requested()) std::_Exit(1);
  };
  EXPECT_EXIT(work_after(look), testing::ExitedWithCode(done), "");
}

TEST(InterruptDeathTest, LeavesTimeToWhatIsOver) {
  const auto finish = [] {
    let_finish();
    std::raise(SIGTERM);
  };
  EXPECT_EXIT(work_after(finish), testing::ExitedWithCode(done), "");
}

/// Signals during finished work, with this number of microseconds between them.
void raise_twice(useconds_t pause) {
  let_finish();
  std::raise(SIGTERM);
  ::usleep(pause);
  std::raise(SIGTERM);
}

// `timeout` sends one to the process, then one to its group.
TEST(InterruptDeathTest, TwoAtTheSameMomentAreOne) {
  EXPECT_EXIT(work_after([] { raise_twice(0); }), testing::ExitedWithCode(done), "");
}

TEST(InterruptDeathTest, TheSecondSignalEndsAtOnce) {
  EXPECT_EXIT(work_after([] { raise_twice(300000); }), testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace starloom
