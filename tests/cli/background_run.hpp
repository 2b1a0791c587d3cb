// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The program in the background, for tests that send it signals.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <string>

#include "cli/program_run.hpp"
#include "support/places.hpp"

namespace starloom {

/// Processor seconds that a process and its children have used so far; 0 if the process does not exist.
inline double cpu_seconds(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid);
  std::ifstream stat(folder + "/stat");
  // The name of the program, in parentheses, may have blanks.
  stat.ignore(std::numeric_limits<std::streamsize>::max(), ')');
  std::string skipped;
  for (int field = 3; field < 14; ++field) stat >> skipped;
  double user = 0, system = 0, user_of_ended_children = 0, system_of_ended_children = 0;
  stat >> user >> system >> user_of_ended_children >> system_of_ended_children;
  const double ticks = user + system + user_of_ended_children + system_of_ended_children;
  double seconds = ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
  std::ifstream children(folder + "/task/" + std::to_string(pid) + "/children");
  for (pid_t child = 0; children >> child;) seconds += cpu_seconds(child);
  return seconds;
}

/// Runs `starloom WORDS` in the folder `at`, in a process group of its own, until it ends; killed with the object if no
/// test waits for it.
class BackgroundRun {
 public:
  BackgroundRun(const ScratchFolder& at, std::vector<std::string> words) : at_(at), pid_(fork()) {
    setpgid(pid_, 0);  // by both, so that neither is late
    if (pid_ != 0) return;
    std::vector<char*> arguments;
    words.insert(words.begin(), program().string());
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    constexpr int mode = 0644;
    if (chdir(at.path().c_str()) == 0 && dup2(open("stdout", O_CREAT | O_TRUNC | O_WRONLY, mode), 1) == 1 &&
        dup2(open("stderr", O_CREAT | O_TRUNC | O_WRONLY, mode), 2) == 2)
      execv(arguments[0], arguments.data());
    _exit(127);
  }
  ~BackgroundRun() {
    if (running()) {
      kill(pid_, SIGKILL);
      wait();
    }
  }
  BackgroundRun(const BackgroundRun&) = delete;
  BackgroundRun& operator=(const BackgroundRun&) = delete;

  pid_t pid() const { return pid_; }
  bool running() {
    if (!ended_) ended_ = waitpid(pid_, &state_, WNOHANG) == pid_;
    return !ended_;
  }
  /// Returns when the program and its children have used that much processor time, or the program has ended: a sign
  /// that it is at work, on a busy machine, too.
  void wait_for_work(double seconds) {
    while (running() && cpu_seconds(pid_) < seconds) ::usleep(1000);
  }
  void signal(int number) const { kill(pid_, number); }
  /// To the program and its children.
  void signal_group(int number) const { kill(-pid_, number); }
  /// Waits for its end; status -1 if a signal ended it.
  ProgramRun wait() {
    if (!ended_) waitpid(pid_, &state_, 0);
    ended_ = true;
    return {WIFEXITED(state_) ? WEXITSTATUS(state_) : -1, at_.read("stdout"), at_.read("stderr")};
  }

 private:
  const ScratchFolder& at_;
  pid_t pid_;
  int state_ = 0;
  bool ended_ = false;
};

}  // namespace starloom
