#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include <starloom/commands/interrupt.hpp>

namespace starloom {
namespace {

constexpr int done = 7;

/// Work that goes on for longer than a signal has patience.
[[noreturn]] void work_on() {
  for (int wait = 0; wait < 15; ++wait) ::usleep(100000);
  std::_Exit(done);
}

TEST(InterruptDeathTest, EndsWhatDoesNotLook) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        std::raise(SIGINT);
        work_on();
      },
      testing::KilledBySignal(SIGINT), "");
}

// What it has found takes its time to be written down.
TEST(InterruptDeathTest, LeavesTimeToWhatHasLooked) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        std::raise(SIGTERM);
        if (!interrupt_flag().asked()) std::_Exit(1);
        work_on();
      },
      testing::ExitedWithCode(done), "");
}

TEST(InterruptDeathTest, LeavesTimeToWhatIsOver) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        let_finish();
        std::raise(SIGTERM);
        work_on();
      },
      testing::ExitedWithCode(done), "");
}

// `timeout` sends one to the process, then one to its group.
TEST(InterruptDeathTest, TwoAtTheSameMomentAreOne) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        let_finish();
        std::raise(SIGTERM);
        std::raise(SIGTERM);
        work_on();
      },
      testing::ExitedWithCode(done), "");
}

TEST(InterruptDeathTest, TheSecondSignalEndsAtOnce) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        let_finish();
        std::raise(SIGTERM);
        ::usleep(300000);
        std::raise(SIGTERM);
        work_on();
      },
      testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace starloom
