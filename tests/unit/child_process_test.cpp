// SPDX-License-Identifier: Apache-2.0
#include <starloom/regression/child_process.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>

#include "unit/scratch_folder.hpp"

namespace starloom {
namespace {

class ChildProcess : public testing::Test {
 protected:
  ChildEnd run(const std::function<int()>& work) {
    const pid_t pid = start_child(work, scratch_.file("output"));
    std::optional<ChildEnd> end;
    while (!(end = ended_child())) ::usleep(1000);
    EXPECT_EQ(end->pid, pid);
    return *end;
  }

  ScratchFolder scratch_;
};

TEST_F(ChildProcess, WritesToTheFileAndEndsWithItsStatus) {
  int ours = 1;
  const ChildEnd end = run([&ours] {
    ours = 2;
    std::printf("to stdout, ");
    std::fflush(stdout);
    std::fprintf(stderr, "to stderr, and what is left in the buffer");
    return 6;
  });
  EXPECT_EQ(end.status, 6);
  EXPECT_EQ(ours, 1);
  EXPECT_EQ(scratch_.read("output"), "to stdout, to stderr, and what is left in the buffer");
}

TEST_F(ChildProcess, DoesNotWriteWhatItsParentHadBuffered) {
  testing::internal::CaptureStdout();
  std::printf("ours ");
  EXPECT_EQ(run([] { return std::printf("theirs") < 0 ? 1 : 0; }).status, 0);
  std::printf("alone");
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "ours alone");
  EXPECT_EQ(scratch_.read("output"), "theirs");
}

TEST_F(ChildProcess, DestroysNothing) {
  struct Leftover {
    pid_t parent = ::getpid();
    ~Leftover() {
      if (::getpid() != parent) std::fputs("destroyed", stderr);
    }
  };
  const Leftover on_the_stack;
  static const Leftover at_exit;
  run([] { return 0; });
  EXPECT_EQ(scratch_.read("output"), "");
}

TEST_F(ChildProcess, SignalsAndFaultsAreStatusesToo) {
  EXPECT_EQ(run([]() -> int { return std::raise(SIGKILL); }).status, 128 + SIGKILL);
  EXPECT_EQ(run([]() -> int { throw std::runtime_error("nobody catches this"); }).status, 128 + SIGABRT);
}

}  // namespace
}  // namespace starloom
