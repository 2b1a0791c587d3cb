// SPDX-License-Identifier: Apache-2.0
#include <starloom/regression/child_process.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <starloom/support/error.hpp>

namespace starloom {

namespace {

/// The life of a child.
[[noreturn]] void live(const std::function<int()>& work, int output) noexcept {
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::close(output);
  const int status = work();
  std::fflush(nullptr);
  ::_exit(status);
}

}  // namespace

pid_t start_child(const std::function<int()>& work, const std::filesystem::path& output) {
  const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0)
    throw OutputError(output.string() + ": cannot be created (" + std::generic_category().message(errno) + ")");
  std::fflush(nullptr);  // otherwise the child would write it, too
  const pid_t pid = ::fork();
  if (pid == 0) live(work, file);
  const int error = errno;
  ::close(file);
  if (pid < 0) throw std::system_error(error, std::generic_category(), "a child process cannot be started");
  return pid;
}

std::optional<ChildEnd> ended_child() {
  int state = 0;
  const pid_t pid = ::waitpid(-1, &state, WNOHANG);
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "waiting for a child process");
  if (pid == 0) return std::nullopt;
  return ChildEnd{pid, WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state)};
}

}  // namespace starloom
