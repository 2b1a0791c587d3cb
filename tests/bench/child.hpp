// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Runs of a benchmark in processes of their own: one elaboration each, and separate heaps.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace starloom::bench {

/// CPU time in seconds.
inline double cpu_seconds(const rusage& usage) {
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}
/// That of this process.
inline double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return cpu_seconds(usage);
}

/// Returns the trivially copyable result of `run()` in a child; `usage`: null, or set to the resources of the whole
/// child, including its exit.
/// \throws std::runtime_error if the child fails.
template <class Run>
auto in_child(Run&& run, rusage* usage = nullptr) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    const auto result = run();
    const auto written = write(ends[1], &result, sizeof result);
    _exit(written == sizeof result ? 0 : 1);
  }
  close(ends[1]);
  decltype(run()) result;
  const auto got = read(ends[0], &result, sizeof result);
  close(ends[0]);
  int status = 0;
  wait4(child, &status, 0, usage);
  if (got != sizeof result || status != 0) throw std::runtime_error("a run failed");
  return result;
}

}  // namespace starloom::bench
