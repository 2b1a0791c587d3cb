// SPDX-License-Identifier: Apache-2.0
// The lock of a store, when its last holder releases it at the wrong moment.
#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <functional>
#include <string>
#include <utility>

#include <starloom/campaign/store_lock.hpp>
#include <starloom/support/error.hpp>
#include "unit/scratch_folder.hpp"

namespace {

/// Called once, before the next lock is asked for.
std::function<void()> before_lock;
/// The error of requests for a lock; 0: none.
int lock_error = 0;

}  // namespace

/// Replaces the function of the C library, and calls it.
extern "C" int fcntl(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  if (command == F_SETLK && before_lock) std::exchange(before_lock, nullptr)();
  if (command == F_SETLK && lock_error != 0) {
    errno = lock_error;
    return -1;
  }
  static auto* const real = reinterpret_cast<int (*)(int, int, ...)>(::dlsym(RTLD_NEXT, "fcntl"));
  return real(file, command, argument);
}

namespace starloom {
namespace {

// The last holder removes its file after this process has opened it: a lock on a removed file excludes no other
// process.
TEST(StoreLock, IsOfTheFileThatIsThere) {
  const ScratchFolder scratch;
  const auto file = scratch.file("s.lock");
  before_lock = [&file] { std::filesystem::remove(file); };
  const StoreLock lock(scratch.file("s"));
  EXPECT_TRUE(std::filesystem::exists(file));
}

// Not every lock that is refused is another's.
TEST(StoreLock, SaysWhyThereIsNone) {
  const ScratchFolder scratch;
  const auto error = [&scratch](int why) -> std::string {
    lock_error = why;
    try {
      const StoreLock lock(scratch.file("s"));
    } catch (const OutputError& refused) {
      lock_error = 0;
      return refused.what();
    }
    return "";
  };
  const std::string store = scratch.file("s").string();
  EXPECT_EQ(error(ENOLCK),
            store + ": the file system has no locks (No locks available); give --store a place on a local disk");
  for (const int held : {EACCES, EAGAIN})
    EXPECT_EQ(error(held), store + ": another campaign is writing this store; wait for it, or choose another --store");
}

// Locks are of processes, so another one has to try.
TEST(StoreLock, KeepsOthersOut) {
  const ScratchFolder scratch;
  const StoreLock lock(scratch.file("s"));
  const auto other = [&scratch] {
    try {
      StoreLock second(scratch.file("s"));
      ::_exit(0);
    } catch (const OutputError&) {
      ::_exit(9);
    }
  };
  EXPECT_EXIT(other(), testing::ExitedWithCode(9), "");
}

}  // namespace
}  // namespace starloom
